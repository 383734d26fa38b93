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
//  12. It is a problem if the API server would refuse the metadata of the cron, or
//     CDI its names: name or managedDataSource missing, longer than 63 with the
//     suffix, or no DNS-1123 subdomain; no namespace, or no DNS-1123 label; a label
//     or an annotation with a bad key, a bad value or of too great a size.
//  13. It is a problem of all templates concerned if they have one name, need one
//     cron name, or need one DataSource, in one namespace.
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
// # What CDI refuses
//
// It is a problem if CDI's webhook would surely refuse the cron. What it would take
// a cluster to know is left to the dry run.
//
//  16. A schedule that is not empty and that ParseStandard of robfig/cron refuses:
//     five fields, @daily and its kin, @every. Time zones are left to CDI.
//  17. importsToKeep below 0; a garbageCollect other than Never and Outdated.
//  18. sourceRef, contentType, checkpoints and finalCheckpoint, if they are set.
//  19. Storage and pvc both, or neither; a size that is missing or below 1 MiB; an
//     access mode that does not exist; not exactly one of them in pvc.
//  20. Not exactly one source; a source that is neither a registry nor a pvc, or a
//     pvc without namespace or name.
//  21. Of a registry, url and imageStream both, or neither; a url that begins with
//     neither docker: nor oci-archive:; a pullMethod other than pod and node; an
//     image stream that is not pulled by the node.
//  22. A retentionPolicy other than All and None is a finding: CDI takes it for All.
//
// Source: validateDataImportCronSpec and validateDataVolumeSpec in
// pkg/apiserver/webhooks of kubevirt/containerized-data-importer, August 2026.
//
// # References
//
//  23. A reference m leads to m-a in the namespace of the crons: a is the first
//     architecture in the caller's order of preference that has an image and
//     workload nodes, else the first that has an image. It never dangles.
//  24. Templates for different architectures of one managedDataSource share its
//     reference; rule 13 does not concern them.
//  25. A managedDataSource that points to a user's own image becomes no reference,
//     with a finding.
//  26. It is a problem if the reference would be a DataSource that the caller makes
//     for one architecture itself.
//
// # Problems and findings
//
//  27. A template with a problem is blocked as a whole: no cron, no reference. All
//     other templates are expanded.
//  28. A template that gives no cron still claims the names of those that it may
//     have given before, and of its reference: whoever needs them too is in
//     conflict with it. Without any usable architecture that is its name with each
//     architecture that it lists or that is known.
//  29. Of the metadata of a template, the API server's own part is not copied.
//  30. On request, a source that is an image stream is a finding.
//  31. The order of the templates shows in Outcomes only.
//  32. A text repeats at most 128 characters of a value, and at most ten names.
//  33. A listed architecture of Options.HeldArchitectures that has left the cluster
//     is skipped with a finding of its own, and is in Outcome.Held.
//  34. A template that lists an architecture which nobody knows, or an alias, is
//     Unclear: any architecture may have been meant.
//
// # Own images: OwnImages
//
// The first rule that matches wins. The label is cdi.kubevirt.io/dataImportCron,
// the image is the PersistentVolumeClaim or VolumeSnapshot of the DataSource.
//
//	 #  the DataSource                                          a user's own image?
//	35  carries the label, whatever its value                   no, CDI updates it
//	36  is a reference, or names no image                       no
//	37  its image exists and carries the label                  no, it only lost its own
//	38  its image exists                                        yes
//	39  its image is not among the facts, its Ready is True     yes
//	40  else                                                    no, a placeholder
//
// Source: dataSourceAutoUpdateEnabled and handleDefaultDataSource in
// internal/operands/data-sources/reconcile.go of kubevirt/ssp-operator (the former
// at commit 2d858ecda6ee, the latter with multiple architectures), which ask for
// the label, for the condition Ready and for the claim. They know no snapshots.
// Rule 37 is theirs by another way: they restore the label unless a claim under
// the name of the DataSource exists. CDI labels what it imports
// (setDataImportCronResourceLabels).
//
// # Plan: crons
//
//  41. What the plan makes carries the labels and annotations of Options.Owner,
//     which win over those of the template. What carries them all is the
//     caller's. A zero Owner owns nothing.
//  42. A cron of the caller that should not exist may belong to a blocked template
//     if its name, or the DataSource that it manages, is the template's, with or
//     without an architecture at its end. Else its template is the one of that name
//     in its namespace, or one elsewhere if that has none.
//
// The first rule that matches wins.
//
//	 #  the cron                                        verb            reason
//	43  is not the caller's                             LeaveAlone      NotOwned
//	44  is being deleted                                Wait            BeingDeleted
//	    should not exist, and
//	45    may belong to a blocked template              LeaveAlone      TemplateBlocked
//	46    the plan is frozen (rule 67)                  LeaveAlone      (of rule 67)
//	47    its architecture is held, its template        LeaveAlone      ArchitectureHeld,
//	      unclear                                                       TemplateUnclear
//	48    its DataSource points to a user's own image   Delete          OwnImage
//	49    its template is expanded now, or no longer    Delete          MultiArchSwitched
//	50    its template is gone                          Delete          TemplateRemoved
//	51    else                                          Delete          ArchitectureRemoved
//	    should have another spec, and
//	52    the plan is frozen (rule 67)                  LeaveAlone      (of rule 67)
//	53    its architecture is held                      LeaveAlone      ArchitectureHeld
//	54    the new one was not tried yet                 DryRun          SpecChanged
//	55    the new one was refused: a problem            LeaveAlone      DryRunRefused
//	56    the DataSource that it should manage          LeaveAlone      DataSourceTaken
//	      is taken
//	57    else                                          Delete, Create  SpecChanged
//	58  is as it should be                              Keep            UpToDate
//	59  lacks a label or an annotation                  Relabel         MetadataChanged
//	    does not exist, and
//	60    its DataSource is taken                       LeaveAlone      DataSourceTaken
//	61    else                                          Create          Missing
//
// Where:
//
//  62. Labels and annotations that the caller does not set are left as they are.
//  63. A DataSource is taken if a cron that stays by rules 43 to 47 or 52 to 56
//     manages it. If every such cron is being deleted, the verb is Wait, here and
//     below.
//  64. Specs are compared without the metadata of spec.template.
//  65. Step.Data of a deletion is Deleted if the retentionPolicy is None, or was
//     None when the images were imported; else Kept.
//  66. It is a problem if somebody else's cron has taken the DataSource.
//  67. A plan is frozen, and deletes and redirects nothing, while the architectures
//     are not all known (ArchitecturesIncomplete), or a dry run that counts had no
//     answer (DryRunUnknown).
//
// Source: CDI. Its webhook admits no change of a spec and compares as rule 64
// does, its CRD prunes that metadata, its controller keeps state in annotations,
// runs no second cron for a DataSource (shouldReconcileCron), and deletes by its
// label for cleanup.
//
// # Plan: dry runs
//
// A changed spec is a deletion and a creation, and CDI may refuse the new cron when
// the old one, and its images with it, are gone. So the API server is asked first,
// to create it as a dry run: validation and webhooks come before the check of the
// name, and CDI's webhooks declare no side effects. DryRunOf says what an answer
// means:
//
//  68. No error, or AlreadyExists: accepted.
//  69. The codes 400, 403, 404, 413 and 422: refused.
//  70. All else, such as a webhook that cannot be reached: unknown.
//  71. An answer counts for its name and spec only. The last one wins.
//
// # Plan: successions
//
// What works goes only when what takes its place works. A cron that is to go by
// rules 48 to 51 or 57 stays (Wait, ReplacementAwaited) as long as
//
//  72. another cron should manage its DataSource, and does not exist yet, or the
//     label of the DataSource is still that of the old one, or the image of the
//     DataSource goes with the old one; or
//  73. its DataSource should be a reference and is none yet; or
//  74. a DataSource that should exist leads to that of the cron, and should not; or
//  75. by rules 49 and 51, no cron of its template exists yet.
//  76. Crons that would wait for one another do not wait, and neither does one whose
//     replacement has its name: CDI leaves no way. The deletion says what is lost.
//
// A DataSource whose image goes with the cron counts like its own: a cron that was made
// anew for another DataSource has left it behind.
//
// So a renamed template has two crons for one DataSource for a while: the new one is
// created, the label moved, an image imported, and then the old cron deleted. CDI
// runs the one that the label names.
//
// # Plan: references
//
// The first rule that matches wins. The target is the DataSource that the reference
// should lead to.
//
//	 #  the DataSource                                    verb        reason
//	    does not exist, and
//	77    is taken                                        LeaveAlone  DataSourceTaken
//	78    nothing makes the target                        LeaveAlone  TargetMissing
//	79    the target has to wait                          Wait        ReplacementAwaited
//	80    else                                            Create      Missing
//	81  is being deleted                                  Wait        BeingDeleted
//	82  is not the caller's                               LeaveAlone  NotOwned
//	83  is as it should be                                Keep        UpToDate
//	84  is taken                                          LeaveAlone  DataSourceTaken
//	85  is a blocked template's too, and has an image     LeaveAlone  TemplateBlocked
//	86  the plan is frozen (rule 67)                      LeaveAlone  (of rule 67)
//	87  leads to a held architecture                      LeaveAlone  ArchitectureHeld
//	88  nothing makes the target                          LeaveAlone  TargetMissing
//	89  has an image, and the target has none yet,        Wait        ReplacementAwaited
//	    or another DataSource still leads to it
//	90  has an image, or the labels of a cron             Update      BecomesReference
//	91  leads to another DataSource                       Update      Redirected
//
// Where:
//
//  92. A DataSource that CDI made is the caller's if the cron of its label is, or of
//     the label of its image; so it is if that cron is gone. Rule 90 removes both
//     labels of CDI.
//  93. A reference has an image if the DataSource that it leads to has, or is in
//     another namespace.
//
// # Plan: DataSources of crons
//
// CDI from 1.60 on updates a DataSource only if its label names the cron. The first
// rule that matches wins.
//
//	 #  a DataSource that a cron should manage            verb        reason
//	94  carries the label of the cron, or somebody        no step
//	    else's cron has the name of that cron
//	95  is being deleted                                  Wait        BeingDeleted
//	96  is somebody else's reference                      LeaveAlone  NotOwned
//	97  points to a user's own image                      LeaveAlone  OwnImage
//	98  is taken, by the cron of the label or for good    LeaveAlone  DataSourceTaken
//	99  the cron does not exist yet, and another one      Wait        ReplacementAwaited
//	    has the label, or has to go first
//	100  else: the label is set                           Update      BackToCron for a
//	                                                                  reference, CronLabel
//
// Rule 100 removes the label for cleanup, unless the cron's retentionPolicy is None:
// CDI sets it and never takes it away.
//
// Source: getDataSource and updateDataSource in
// pkg/controller/dataimportcron-controller.go of kubevirt/containerized-data-importer.
//
// # Plan: references that nothing needs
//
//	101   is being deleted                                Wait        BeingDeleted
//	102   may be a blocked template's                     LeaveAlone  TemplateBlocked
//	103   the plan is frozen (rule 67)                    LeaveAlone  (of rule 67)
//	104   it, or what it leads to, is taken               LeaveAlone  DataSourceTaken
//	105   else                                            Delete      Unused
//
// All others:
//
//  106. There is no other step for a DataSource of others, of a cron, with a user's
//     own image, or made by the caller per architecture.
//
// # Order
//
//  107. Dry runs come first: their answers may change the rest.
//  108. Writes of DataSources come next: a cron goes by what is there already.
//  109. Deletions of crons come next: no two crons share a name.
//  110. Other writes of crons come next.
//  111. Steps that ask for nothing come last.
//  112. Within each part, steps are ordered by kind, namespace and name.
//  113. A step names the UID and the resource version of the object that exists. A
//     deletion should be conditional on them.
//
// A step that fails costs nothing: the others may be taken, but for the creation
// of a cron under a name whose deletion failed.
//
// # What it will not do
//
// It deletes no PersistentVolumeClaim, no snapshot, and no DataSource that CDI
// made. It does not make the DataSources that the caller makes per architecture.
// It does not look into images: whether an image has the architectures that its
// template lists is for CDI to find out.
package dictexpand
