package dictexpandtest

import "github.com/polyarch/polyarch/conformance"

// Rules returns the rules that another implementation can be held to. Those about steps,
// their verbs, reasons and order, and about findings and texts, are package dictexpand's
// alone.
func Rules() []conformance.Rule {
	const upstream, ours = conformance.StrengthUpstream, conformance.StrengthOurs
	return []conformance.Rule{
		{
			ID: "one-cron-as-written", Since: "v1", Name: "expansion: one cron as written", Strength: upstream, Number: "1",
			Sentence: "Not annotated, or multiple architectures switched off: one cron as written. A template without a namespace goes to the default one.",
		},
		{
			ID: "cron-name", Since: "v1", Name: "expansion: the name", Strength: upstream, Number: "2",
			Sentence: "Its name is that of the template, followed by -a.",
		},
		{
			ID: "cron-platform", Since: "v1", Name: "expansion: the platform", Strength: upstream, Number: "3",
			Sentence: "spec.template.spec.source.registry.platform.architecture is a.",
		},
		{
			ID: "cron-data-source", Since: "v1", Name: "expansion: the DataSource", Strength: upstream, Number: "4",
			Sentence: "spec.managedDataSource is that of the template, followed by -a.",
		},
		{
			ID: "cron-architecture-label", Since: "v1", Name: "expansion: the label of the architecture", Strength: upstream, Number: "5",
			Sentence: "The label template.kubevirt.io/architecture is a.",
		},
		{
			ID: "cron-data-source-label", Since: "v1", Name: "expansion: the label of the DataSource", Strength: upstream, Number: "6",
			Sentence: "The label cdi.kubevirt.io/storage.import.datasource-name is the template's managedDataSource.",
		},
		{
			ID: "annotation-is-not-copied", Since: "v1", Name: "expansion: the annotation stays behind", Strength: upstream, Number: "7",
			Sentence: "The annotation is not copied, also not with multiple architectures switched off. All other annotations and labels are.",
		},
		{
			ID: "blanks-do-not-matter", Since: "v1", Name: "annotation: blanks do not matter", Strength: ours, Number: "8",
			Sentence: "Blanks around architectures, empty parts and repetitions do not matter. A value of nothing else is a problem: somebody meant to list something.",
		},
		{
			ID: "unusable-architecture-is-skipped", Since: "v1", Name: "annotation: what cannot be used is skipped", Strength: ours, Number: "9",
			Sentence: "An architecture that the caller does not support, that is not in the cluster, or that is not spelled as GOARCH spells it is skipped with a finding. If none is left the template is blocked: no cron, no reference.",
		},
		{
			ID: "no-workload-has-its-cron", Since: "v1", Name: "annotation: no workload nodes", Strength: upstream, Number: "10",
			Sentence: "An architecture without workload nodes gets its cron and a finding, because CDI runs the import on that architecture only.",
		},
		{
			ID: "architecture-can-be-set", Since: "v1", Name: "expansion: the architecture can be set", Strength: ours, Number: "11",
			Sentence: "It is a problem if the architecture cannot be set: the source is no registry, or its platform names another architecture already.",
		},
		{
			ID: "metadata-is-valid", Since: "v1", Name: "expansion: valid metadata", Strength: ours, Number: "12",
			Sentence: "It is a problem if the API server would refuse the metadata of the cron, or CDI its names: name or managedDataSource missing, longer than 63 with the suffix, or no DNS-1123 subdomain; no namespace, or no DNS-1123 label; a label or an annotation with a bad key, a bad value or of too great a size.",
		},
		{
			ID: "names-are-needed-once", Since: "v1", Name: "expansion: names are needed once", Strength: ours, Number: "13",
			Sentence: "It is a problem of all templates concerned if they have one name, need one cron name, or need one DataSource, in one namespace.",
		},
		{
			ID: "default-architecture-alone", Since: "v1", Name: "expansion: the default architecture", Strength: ours, Number: "14",
			Sentence: "A template that is not annotated, and whose DataSource the caller makes per architecture, has one cron under its own name, for the default architecture: rules 3 and 4.",
		},
		{
			ID: "own-image-is-not-updated", Since: "v1", Name: "expansion: a user's own image", Strength: upstream, Number: "15",
			Sentence: "No cron manages a DataSource that points to a user's own image. For the reference it counts as an image of its architecture.",
		},
		{
			ID: "schedule-parses", Since: "v1", Name: "spec: the schedule", Strength: ours, Number: "16",
			Sentence: "A schedule that is not empty and that ParseStandard of robfig/cron refuses: five fields, @daily and its kin, @every. Time zones are left to CDI.",
		},
		{
			ID: "values-are-known", Since: "v1", Name: "spec: importsToKeep and garbageCollect", Strength: ours, Number: "17",
			Sentence: "importsToKeep below 0; a garbageCollect other than Never and Outdated.",
		},
		{
			ID: "unsettable-is-not-set", Since: "v1", Name: "spec: what must not be set", Strength: ours, Number: "18",
			Sentence: "sourceRef, contentType, checkpoints and finalCheckpoint, if they are set.",
		},
		{
			ID: "disk-has-a-size", Since: "v1", Name: "spec: the disk", Strength: ours, Number: "19",
			Sentence: "Storage and pvc both, or neither; a size that is missing or below 1 MiB; an access mode that does not exist; not exactly one of them in pvc.",
		},
		{
			ID: "one-source", Since: "v1", Name: "spec: the source", Strength: ours, Number: "20",
			Sentence: "Not exactly one source; a source that is neither a registry nor a pvc, or a pvc without namespace or name.",
		},
		{
			ID: "registry-is-whole", Since: "v1", Name: "spec: the registry", Strength: ours, Number: "21",
			Sentence: "Of a registry, url and imageStream both, or neither; a url that begins with neither docker: nor oci-archive:; a pullMethod other than pod and node; an image stream that is not pulled by the node.",
		},
		{
			ID: "unknown-retention-is-all", Since: "v1", Name: "spec: an unknown retentionPolicy", Strength: ours, Number: "22",
			Sentence: "A retentionPolicy other than All and None is a finding: CDI takes it for All.",
		},
		{
			ID: "reference-has-an-image", Since: "v1", Name: "references: they lead to an image", Strength: upstream, Number: "23",
			Sentence: "A reference m leads to m-a in the namespace of the crons: a is the first architecture in the caller's order of preference that has an image and workload nodes, else the first that has an image. It never dangles.",
		},
		{
			ID: "reference-is-shared", Since: "v1", Name: "references: shared", Strength: ours, Number: "24",
			Sentence: "Templates for different architectures of one managedDataSource share its reference; rule 13 does not concern them.",
		},
		{
			ID: "own-image-is-no-reference", Since: "v1", Name: "references: a user's own image", Strength: ours, Number: "25",
			Sentence: "A managedDataSource that points to a user's own image becomes no reference, with a finding.",
		},
		{
			ID: "made-data-source-is-no-reference", Since: "v1", Name: "references: what the operator makes itself", Strength: ours, Number: "26",
			Sentence: "It is a problem if the reference would be a DataSource that the caller makes for one architecture itself.",
		},
		{
			ID: "blocked-as-a-whole", Since: "v1", Name: "mistakes: a template is blocked as a whole", Strength: ours, Number: "27",
			Sentence: "A template with a problem is blocked as a whole: no cron, no reference. All other templates are expanded.",
		},
		{
			ID: "blocked-claims-its-names", Since: "v1", Name: "mistakes: names are claimed all the same", Strength: ours, Number: "28",
			Sentence: "A template that gives no cron still claims the names of those that it may have given before, and of its reference: whoever needs them too is in conflict with it. Without any usable architecture that is its name with each architecture that it lists or that is known.",
		},
		{
			ID: "server-metadata-is-not-copied", Since: "v1", Name: "expansion: metadata of the API server", Strength: ours, Number: "29",
			Sentence: "Of the metadata of a template, the API server's own part is not copied.",
		},
		{
			ID: "order-of-templates", Since: "v1", Name: "expansion: order does not count", Strength: ours, Number: "31",
			Sentence: "The order of the templates shows in Outcomes only.",
		},
		{
			ID: "held-makes-nothing", Since: "v1", Name: "held: nothing new is made", Strength: ours, Number: "33",
			Sentence: "A listed architecture of Options.HeldArchitectures that has left the cluster is skipped with a finding of its own, and is in Outcome.Held.",
		},
		{
			ID: "unclear-keeps-its-crons", Since: "v1", Name: "mistakes: an unclear template keeps its crons", Strength: ours, Number: "34",
			Sentence: "A template that lists an architecture which nobody knows, or an alias, is Unclear: any architecture may have been meant.",
		},
		{
			ID: "labeled-is-not-own", Since: "v1", Name: "own images: the label of a cron", Strength: upstream, Number: "35",
			Sentence: "carries the label, whatever its value no, CDI updates it",
		},
		{
			ID: "reference-is-not-own", Since: "v1", Name: "own images: a reference", Strength: upstream, Number: "36",
			Sentence: "is a reference, or names no image no",
		},
		{
			ID: "imported-is-not-own", Since: "v1", Name: "own images: an imported image", Strength: ours, Number: "37",
			Sentence: "its image exists and carries the label no, it only lost its own",
		},
		{
			ID: "image-is-own", Since: "v1", Name: "own images: an image of a user", Strength: upstream, Number: "38",
			Sentence: "its image exists yes",
		},
		{
			ID: "ready-is-own", Since: "v1", Name: "own images: ready, and no facts", Strength: ours, Number: "39",
			Sentence: "its image is not among the facts, its Ready is True yes",
		},
		{
			ID: "placeholder-is-not-own", Since: "v1", Name: "own images: a placeholder", Strength: ours, Number: "40",
			Sentence: "else no, a placeholder",
		},
		{
			ID: "marks-tell-the-owner", Since: "v1", Name: "plan: the marks of the operator", Strength: upstream, Number: "41",
			Sentence: "What the plan makes carries the labels and annotations of Options.Owner, which win over those of the template. What carries them all is the caller's. A zero Owner owns nothing.",
		},
		{
			ID: "blocked-by-name", Since: "v1", Name: "plan: what may belong to a blocked template", Strength: ours, Number: "42",
			Sentence: "A cron of the caller that should not exist may belong to a blocked template if its name, or the DataSource that it manages, is the template's, with or without an architecture at its end. Else its template is the one of that name in its namespace, or one elsewhere if that has none.",
		},
		{
			ID: "others-crons-stay", Since: "v1", Name: "plan: crons of others", Strength: upstream, Number: "43",
			Sentence: "is not the caller's LeaveAlone NotOwned",
		},
		{
			ID: "blocked-crons-stay", Since: "v1", Name: "plan: crons of blocked templates", Strength: ours, Number: "45",
			Sentence: "may belong to a blocked template LeaveAlone TemplateBlocked",
		},
		{
			ID: "frozen-deletes-nothing", Since: "v1", Name: "plan: not all architectures are known", Strength: ours, Number: "46",
			Sentence: "the plan is frozen (rule 67) LeaveAlone (of rule 67)",
		},
		{
			ID: "held-crons-stay", Since: "v1", Name: "plan: held architectures", Strength: ours, Number: "47",
			Sentence: "its architecture is held, its template LeaveAlone ArchitectureHeld, unclear TemplateUnclear",
		},
		{
			ID: "own-image-ends-its-cron", Since: "v1", Name: "plan: a user's own image", Strength: ours, Number: "48",
			Sentence: "its DataSource points to a user's own image Delete OwnImage",
		},
		{
			ID: "switched-cron-goes", Since: "v1", Name: "plan: switched on or off", Strength: ours, Number: "49",
			Sentence: "its template is expanded now, or no longer Delete MultiArchSwitched",
		},
		{
			ID: "removed-template-goes", Since: "v1", Name: "plan: a removed template", Strength: ours, Number: "50",
			Sentence: "its template is gone Delete TemplateRemoved",
		},
		{
			ID: "removed-architecture-goes", Since: "v1", Name: "plan: a removed architecture", Strength: ours, Number: "51",
			Sentence: "else Delete ArchitectureRemoved should have another spec, and",
		},
		{
			ID: "held-spec-stays", Since: "v1", Name: "plan: another spec for a held architecture", Strength: ours, Number: "53",
			Sentence: "its architecture is held LeaveAlone ArchitectureHeld",
		},
		{
			ID: "refused-spec-keeps-the-cron", Since: "v1", Name: "plan: a refused spec", Strength: ours, Number: "55",
			Sentence: "the new one was refused: a problem LeaveAlone DryRunRefused",
		},
		{
			ID: "taken-keeps-the-cron", Since: "v1", Name: "plan: a replacement whose DataSource is taken", Strength: ours, Number: "56",
			Sentence: "the DataSource that it should manage LeaveAlone DataSourceTaken is taken",
		},
		{
			ID: "changed-spec-is-a-new-cron", Since: "v1", Name: "plan: a changed spec", Strength: upstream, Number: "57",
			Sentence: "else Delete, Create SpecChanged",
		},
		{
			ID: "nothing-to-do", Since: "v1", Name: "plan: nothing changed", Strength: upstream, Number: "58",
			Sentence: "is as it should be Keep UpToDate",
		},
		{
			ID: "lost-metadata-is-mended", Since: "v1", Name: "plan: labels and annotations", Strength: upstream, Number: "59",
			Sentence: "lacks a label or an annotation Relabel MetadataChanged does not exist, and",
		},
		{
			ID: "taken-makes-no-cron", Since: "v1", Name: "plan: a new cron whose DataSource is taken", Strength: ours, Number: "60",
			Sentence: "its DataSource is taken LeaveAlone DataSourceTaken",
		},
		{
			ID: "missing-is-created", Since: "v1", Name: "plan: what is missing", Strength: upstream, Number: "61",
			Sentence: "else Create Missing",
		},
		{
			ID: "others-metadata-stays", Since: "v1", Name: "plan: labels and annotations of others", Strength: upstream, Number: "62",
			Sentence: "Labels and annotations that the caller does not set are left as they are.",
		},
		{
			ID: "pruned-metadata-does-not-count", Since: "v1", Name: "plan: what the CRD prunes", Strength: ours, Number: "64",
			Sentence: "Specs are compared without the metadata of spec.template.",
		},
		{
			ID: "no-answer-holds-all", Since: "v1", Name: "plan: a dry run without an answer", Strength: ours, Number: "67",
			Sentence: "A plan is frozen, and deletes and redirects nothing, while the architectures are not all known (ArchitecturesIncomplete), or a dry run that counts had no answer (DryRunUnknown).",
		},
		{
			ID: "dry-run-accepted", Since: "v1", Name: "dry runs: accepted", Strength: ours, Number: "68",
			Sentence: "No error, or AlreadyExists: accepted.",
		},
		{
			ID: "dry-run-refused", Since: "v1", Name: "dry runs: refused", Strength: ours, Number: "69",
			Sentence: "The codes 400, 403, 404, 413 and 422: refused.",
		},
		{
			ID: "dry-run-unknown", Since: "v1", Name: "dry runs: unknown", Strength: ours, Number: "70",
			Sentence: "All else, such as a webhook that cannot be reached: unknown.",
		},
		{
			ID: "takeover-is-awaited", Since: "v1", Name: "successions: another cron for the DataSource", Strength: ours, Number: "72",
			Sentence: "another cron should manage its DataSource, and does not exist yet, or the label of the DataSource is still that of the old one, or the image of the DataSource goes with the old one; or",
		},
		{
			ID: "reference-is-awaited", Since: "v1", Name: "successions: the DataSource becomes a reference", Strength: ours, Number: "73",
			Sentence: "its DataSource should be a reference and is none yet; or",
		},
		{
			ID: "led-to-is-kept", Since: "v1", Name: "successions: a DataSource that is led to", Strength: ours, Number: "74",
			Sentence: "a DataSource that should exist leads to that of the cron, and should not; or",
		},
		{
			ID: "replacement-is-awaited", Since: "v1", Name: "successions: other crons of the template", Strength: ours, Number: "75",
			Sentence: "by rules 49 and 51, no cron of its template exists yet.",
		},
		{
			ID: "no-endless-waiting", Since: "v1", Name: "successions: no endless waiting", Strength: ours, Number: "76",
			Sentence: "Crons that would wait for one another do not wait, and neither does one whose replacement has its name: CDI leaves no way. The deletion says what is lost.",
		},
		{
			ID: "others-data-source-stays", Since: "v1", Name: "references: DataSources of others", Strength: ours, Number: "82",
			Sentence: "is not the caller's LeaveAlone NotOwned",
		},
		{
			ID: "blocked-sharer-keeps-the-image", Since: "v1", Name: "references: shared with a blocked template", Strength: ours, Number: "85",
			Sentence: "is a blocked template's too, and has an image LeaveAlone TemplateBlocked",
		},
		{
			ID: "missing-target-is-not-led-to", Since: "v1", Name: "references: nothing makes the target", Strength: ours, Number: "88",
			Sentence: "nothing makes the target LeaveAlone TargetMissing",
		},
		{
			ID: "target-image-is-awaited", Since: "v1", Name: "references: the target has no image yet", Strength: ours, Number: "89",
			Sentence: "has an image, and the target has none yet, Wait ReplacementAwaited or another DataSource still leads to it",
		},
		{
			ID: "cron-labels-go", Since: "v1", Name: "references: labels of CDI", Strength: ours, Number: "90",
			Sentence: "has an image, or the labels of a cron Update BecomesReference",
		},
		{
			ID: "redirected", Since: "v1", Name: "references: redirected", Strength: ours, Number: "91",
			Sentence: "leads to another DataSource Update Redirected",
		},
		{
			ID: "made-by-cdi-is-ours", Since: "v1", Name: "references: what CDI made", Strength: ours, Number: "92",
			Sentence: "A DataSource that CDI made is the caller's if the cron of its label is, or of the label of its image; so it is if that cron is gone. Rule 90 removes both labels of CDI.",
		},
		{
			ID: "others-reference-stays", Since: "v1", Name: "DataSources of crons: references of others", Strength: ours, Number: "96",
			Sentence: "is somebody else's reference LeaveAlone NotOwned",
		},
		{
			ID: "taken-is-not-labeled", Since: "v1", Name: "DataSources of crons: taken", Strength: ours, Number: "98",
			Sentence: "is taken, by the cron of the label or for good LeaveAlone DataSourceTaken",
		},
		{
			ID: "label-names-the-cron", Since: "v1", Name: "DataSources of crons: the label", Strength: ours, Number: "100",
			Sentence: "else: the label is set Update BackToCron for a reference, CronLabel",
		},
		{
			ID: "unused-reference-goes", Since: "v1", Name: "references: unused", Strength: ours, Number: "105",
			Sentence: "else Delete Unused",
		},
		{
			ID: "no-other-data-source-is-touched", Since: "v1", Name: "plan: all other DataSources", Strength: ours, Number: "106",
			Sentence: "There is no other step for a DataSource of others, of a cron, with a user's own image, or made by the caller per architecture.",
		},
		{
			ID: "history-leaves-others-alone", Since: "v1", Name: "histories: objects of others", Strength: ours, Number: "43",
			Sentence: "is not the caller's LeaveAlone NotOwned",
		},
		{
			ID: "history-asks-first", Since: "v1", Name: "histories: refused specs", Strength: ours, Number: "55",
			Sentence: "the new one was refused: a problem LeaveAlone DryRunRefused",
		},
		{
			ID: "history-settles", Since: "v1", Name: "histories: all comes to an end", Strength: ours, Number: "58",
			Sentence: "is as it should be Keep UpToDate",
		},
		{
			ID: "history-keeps-images", Since: "v1", Name: "histories: something to boot from", Strength: ours, Number: "108",
			Sentence: "Writes of DataSources come next: a cron goes by what is there already.",
		},
	}
}
