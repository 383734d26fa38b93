// Package dictexpand turns DataImportCronTemplates into DataImportCrons, one for
// each architecture that a template's image and the cluster have in common, and
// plans how to get there from what exists.
//
//	templates + architectures of the cluster → Expand → crons, references, blocked templates
//	expansion + what exists                  → Plan   → steps to take in their order
//
// It writes nothing. Owners of templates are the SSP operator and, one step
// before it, the HyperConverged operator; CDI is who runs the crons.
//
// # Expansion
//
// The rules are those of CNV-61574. A template is annotated if it carries
// ssp.kubevirt.io/dict.architectures with a value; for each architecture a of
// the value there is a cron:
//
//  1. Not annotated, or multiple architectures switched off: one cron as written.
//     A template without a namespace goes to the default one.
//  2. Its name is that of the template, followed by -a.
//  3. spec.template.spec.source.registry.platform.architecture is a.
//  4. spec.managedDataSource is that of the template, followed by -a.
//  5. The label template.kubevirt.io/architecture is a.
//  6. The label cdi.kubevirt.io/storage.import.datasource-name is the template's
//     managedDataSource.
//  7. The annotation is not copied, also not with multiple architectures switched
//     off. All other annotations and labels are.
//
// What the story leaves open is decided as follows. The limits in rule 12 are
// those of CDI's webhook and of the API server, and what else is different from
// the SSP operator of today is what its users ran into.
//
//  8. Blanks around architectures, empty parts and repetitions do not matter. A
//     value of nothing else is a problem: somebody meant to list something.
//  9. An architecture that the caller does not support, that is not in the
//     cluster, or that is not spelled as GOARCH spells it is skipped with a
//     finding. If none is left the template is blocked: no cron, no reference.
//  10. An architecture without workload nodes gets its cron and a finding, because
//     CDI runs the import on that architecture only.
//  11. It is a problem if the architecture cannot be set: the source is no
//     registry, or its platform names another architecture already.
//  12. It is a problem if CDI or the API server would refuse the cron: name or
//     managedDataSource missing, longer than 63 with the suffix, or no DNS-1123
//     subdomain; a label value that is none; no namespace.
//  13. It is a problem of all templates concerned if they need one cron name, or
//     one DataSource, in one namespace. Templates for different architectures of
//     one managedDataSource do not collide: they share the reference.
//  14. A template that is not annotated, and whose DataSource the caller makes per
//     architecture, has one cron under its own name, for the default
//     architecture: rules 3 and 4.
//  15. No cron manages a DataSource that points to an image of a user's own. For
//     the reference it counts as an image of its architecture.
//  16. A reference m leads to m-a in the namespace of the crons: a is the first
//     architecture in the caller's order of preference that has an image and
//     workload nodes, else the first that has an image. It never dangles.
//
// A template with a problem is blocked as a whole; all others are expanded.
// TestExpand has a row for each of these sentences, TestPlan for each line below.
//
// # Plan
//
//	exists, should be                       step
//	nothing, cron or reference              Create
//	cron, the same spec                     Keep, or Relabel if a key that the caller sets differs
//	cron, another spec                      Delete and Create: CDI admits no change of a spec
//	cron, nothing                           Delete, and what becomes of the imported data
//	DataSource of a cron, reference         Update: the source, and the label of the cron goes
//	reference, another or none              Update, Delete
//	reference, DataSource of a cron         Update: the label of the cron is set, and CDI takes over
//	anything that is being deleted          Wait
//	anything not owned by the caller        LeaveAlone
//	anything that may be a blocked template's, or nothing may be
//	deleted because the architectures of the
//	cluster are not all known               LeaveAlone
//	anything that needs a DataSource which a
//	cron that is left alone still manages   LeaveAlone, or Wait if that cron is being deleted
//
// DataSources are written first, then crons are deleted, then crons are created:
// a DataSource that is a reference by then does not go with its cron, and no two
// crons ever share a name or a DataSource.
//
// Specs are compared as CDI's webhook compares them, without the metadata of
// spec.template, which the CRD prunes. CDI keeps the imported data of a deleted
// cron unless its retentionPolicy is None; Step.Data says which.
//
// # What it will not do
//
// It deletes no PersistentVolumeClaim, no snapshot, and no DataSource that CDI
// made. It does not make the DataSources that the caller makes per architecture,
// and it does not find out which DataSources point to a user's own image. It
// does not look into images: whether an image has the architectures that its
// template lists is for CDI to find out.
package dictexpand
