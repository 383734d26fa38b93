package dictexpand

// The keys that the expansion and the plan read and write.
const (
	// AnnotationArchitectures of a template lists the architectures of its image,
	// separated by commas. It is not copied to crons.
	AnnotationArchitectures = "ssp.kubevirt.io/dict.architectures"
	// LabelArchitecture of a cron is its architecture.
	LabelArchitecture = "template.kubevirt.io/architecture"
	// LabelDataSourceName of a cron is the managedDataSource of its template.
	LabelDataSourceName = "cdi.kubevirt.io/storage.import.datasource-name"
	// LabelDataImportCron of a DataSource is the name of the cron that manages it.
	// CDI updates no DataSource without it, and puts it on the claims and
	// snapshots that it imports too.
	LabelDataImportCron = "cdi.kubevirt.io/dataImportCron"
	// LabelDataImportCronCleanup of a DataSource makes CDI delete it together
	// with the cron that manages it.
	LabelDataImportCronCleanup = "cdi.kubevirt.io/dataImportCron.cleanup"
)

// MaxNameLength is the longest name and the longest managedDataSource that CDI
// admits in a DataImportCron.
const MaxNameLength = 63
