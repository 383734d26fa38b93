// Package dictexpand turns DataImportCronTemplates into DataImportCrons, one for
// each architecture that a template's image and the cluster have in common, and
// plans how to get there from what exists.
//
//	templates + architectures of the cluster → Expand → crons, references, blocked templates
//	expansion + what exists                  → Plan   → steps to take in their order
//
// It writes nothing. The SSP operator and, one step before it, the
// HyperConverged operator own templates; CDI runs the crons.
//
// # Expansion
//
// A template is annotated if it carries ssp.kubevirt.io/dict.architectures with
// a value. For each architecture a of the value there is a cron:
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
// Source: CNV-61574.
//
// # What the story leaves open
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
//     subdomain; a label value that is not valid; no namespace.
//  13. It is a problem of all templates concerned if they need one cron name, or
//     one DataSource, in one namespace.
//  14. A template that is not annotated, and whose DataSource the caller makes per
//     architecture, has one cron under its own name, for the default
//     architecture: rules 3 and 4.
//  15. No cron manages a DataSource that points to a user's own image. For the
//     reference it counts as an image of its architecture.
//
// Source: the limits in rule 12 are those of CDI's webhook and of the API server.
// Where these rules differ from the SSP operator of today, its way leads to
// dangling references, disks of the wrong architecture, or templates that are
// dropped in silence.
//
// # References
//
//  16. A reference m leads to m-a in the namespace of the crons: a is the first
//     architecture in the caller's order of preference that has an image and
//     workload nodes, else the first that has an image. It never dangles.
//  17. Templates for different architectures of one managedDataSource share its
//     reference; rule 13 does not concern them.
//  18. A managedDataSource that points to a user's own image becomes no reference,
//     with a finding.
//
// # Problems and findings
//
//  19. A template with a problem is blocked as a whole: no cron, no reference. All
//     other templates are expanded.
//  20. A template with a problem still claims the names of its crons and of its
//     reference: whoever needs them too is in conflict with it.
//  21. Of the metadata of a template, the API server's own part is not copied.
//  22. On request, a source that is an image stream is a finding.
//  23. The order of the templates shows in Outcomes only.
//
// # Own images: OwnImages
//
// The first rule that matches wins. The label is cdi.kubevirt.io/dataImportCron,
// the image is the PersistentVolumeClaim or VolumeSnapshot of the DataSource.
//
//	 #  the DataSource                                          a user's own image?
//	24  carries the label, whatever its value                   no, CDI updates it
//	25  is a reference, or names no image                       no
//	26  its image exists and carries the label                  no, it only lost its own
//	27  its image exists                                        yes
//	28  its image is not among the facts, its Ready is True     yes
//	29  else                                                    no, a placeholder
//
// Source: dataSourceAutoUpdateEnabled and handleDefaultDataSource in
// internal/operands/data-sources/reconcile.go of kubevirt/ssp-operator (the former
// at commit 2d858ecda6ee, the latter with multiple architectures), which ask for
// the label, for the condition Ready and for the claim. They know no snapshots.
// Rule 26 is theirs by another way: they restore the label unless a claim under
// the name of the DataSource exists. CDI labels what it imports
// (setDataImportCronResourceLabels).
//
// # Plan: crons
//
//  30. What the plan makes carries the labels and annotations of Options.Owner,
//     which win over those of the template. What carries them all is the
//     caller's. A zero Owner owns nothing.
//  31. A cron of the caller that should not exist may belong to a blocked template
//     if its name, or the DataSource that it manages, is the template's, with or
//     without an architecture at its end.
//
// The first rule that matches wins.
//
//	 #  the cron                                          verb            reason
//	32  is not the caller's                               LeaveAlone      NotOwned
//	33  is being deleted                                  Wait            BeingDeleted
//	    should not exist, and
//	34    may belong to a blocked template                LeaveAlone      TemplateBlocked
//	35    the architectures are not all known             LeaveAlone      ArchitecturesIncomplete
//	36    its DataSource points to a user's own image     Delete          OwnImage
//	37    its template is expanded now, or no longer      Delete          MultiArchSwitched
//	38    its template is gone                            Delete          TemplateRemoved
//	39    else                                            Delete          ArchitectureRemoved
//	    should have another spec, and
//	40    the architectures are not all known             LeaveAlone      ArchitecturesIncomplete
//	41    the DataSource that it should manage is taken   LeaveAlone      DataSourceTaken
//	42    else, and rules 81 to 84 allow it               Delete, Create  SpecChanged
//	43  is as it should be                                Keep            UpToDate
//	44  lacks a label or an annotation                    Relabel         MetadataChanged
//	    does not exist, and
//	45    its DataSource is taken                         LeaveAlone      DataSourceTaken
//	46    else                                            Create          Missing
//
// Where:
//
//  47. Labels and annotations that the caller does not set are left as they are.
//  48. A DataSource is taken if a cron that stays by rules 32 to 35, 40 or 41
//     manages it. If every such cron is being deleted, the verb is Wait, here and
//     below.
//  49. Specs are compared without the metadata of spec.template.
//  50. Step.Data of a deletion is Deleted if the retentionPolicy is None, or was
//     None when the images were imported; else Kept.
//
// Source: CDI. Its webhook admits no change of a spec and compares as rule 49
// does, its CRD prunes that metadata, its controller keeps state in annotations,
// gives a DataSource to one cron only, and deletes by its label for cleanup.
//
// # Plan: DataSources
//
// The first rule that matches wins.
//
//	 #  the DataSource                                    verb            reason
//	    should be a reference, and
//	51    does not exist, and is taken                    LeaveAlone      DataSourceTaken
//	52    does not exist                                  Create          Missing
//	53    is being deleted                                Wait            BeingDeleted
//	54    is not the caller's                             LeaveAlone      NotOwned
//	55    is as it should be                              Keep            UpToDate
//	56    is taken                                        LeaveAlone      DataSourceTaken
//	57    is a blocked template's too                     LeaveAlone      TemplateBlocked
//	58    the architectures are not all known             LeaveAlone      ArchitecturesIncomplete
//	59    has an image, or the labels of a cron           Update          BecomesReference
//	60    leads to another DataSource                     Update          Redirected
//
// Where:
//
//  61. A DataSource that CDI made is the caller's if its cron is, or, with the cron
//     gone, if the cron had the name of a template of the reference. Rule 59
//     removes both labels of CDI.
//
// A reference of the caller that a cron should manage:
//
//	62    a stranger's cron has the name of that cron     no step
//	63    is being deleted                                Wait            BeingDeleted
//	64    is taken                                        LeaveAlone      DataSourceTaken
//	65    else: the label is set, and CDI takes over      Update          BackToCron
//
// A reference of the caller that nothing needs:
//
//	66    is being deleted                                Wait            BeingDeleted
//	67    may be a blocked template's                     LeaveAlone      TemplateBlocked
//	68    the architectures are not all known             LeaveAlone      ArchitecturesIncomplete
//	69    it, or what it leads to, is taken               LeaveAlone      DataSourceTaken
//	70    else                                            Delete          Unused
//
// All others:
//
//  71. There is no step for a DataSource of others, of a cron, with a user's own
//     image, or made by the caller per architecture.
//
// # Plan: dry runs
//
// CDI admits no change of a spec, so that a cron makes room for its replacement.
// CDI may refuse the replacement when the old cron, and its images with it, are
// gone. So the API server is asked first, by creating it as a dry run: validation
// and webhooks come before the check of the name, and CDI's webhooks declare no
// side effects. DryRunOf says what an answer means:
//
//  78. No error, or AlreadyExists: accepted.
//  79. The codes 400, 403, 404, 413 and 422: refused.
//  80. All else, such as a webhook that cannot be reached: unknown.
//
// In a plan:
//
//  81. Without an answer for its name and spec there is a step with VerbDryRun, and
//     the old cron stays.
//  82. Accepted: rule 42.
//  83. Refused: the old cron stays (DryRunRefused), and there is a problem.
//  84. Unknown: nothing is deleted or redirected, as while the architectures are
//     not all known, but for the reason DryRunUnknown.
//
// # Plan: period of grace
//
//  85. A listed architecture that is in Options.HeldArchitectures and has left the
//     cluster is skipped with a finding of its own.
//  86. What was made of the template for such an architecture is left alone
//     (ArchitectureHeld): its cron, and a reference that leads to its DataSource.
//
// # Order
//
//  72. Dry runs come first, then writes of DataSources: what is a reference by
//     then does not go with its cron, and a reference leads away from what is
//     about to go.
//  73. Deletions of crons come next: no two crons share a name or a DataSource.
//  74. Other writes of crons come next.
//  75. Steps that ask for nothing come last.
//  76. Within each part, steps are ordered by kind, namespace and name.
//  77. A step names the UID and the resource version of the object that exists. A
//     deletion should be conditional on them.
//
// # What it will not do
//
// It deletes no PersistentVolumeClaim, no snapshot, and no DataSource that CDI
// made. It does not make the DataSources that the caller makes per architecture.
// It does not look into images: whether an image has the architectures that its
// template lists is for CDI to find out.
package dictexpand
