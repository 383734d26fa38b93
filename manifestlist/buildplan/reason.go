package buildplan

// Each question that is answered here has reasons of its own. All of them have
// the form that the reason of a condition must have.

// NextReason is why a [Build.Next] is what it is.
type NextReason string

const (
	ReasonRebuildRequested NextReason = "RebuildRequested" // see AnnotationRebuild
	ReasonNoArchitectures  NextReason = "NoArchitectures"  // see FindingNoArchitectures
	ReasonProblems         NextReason = "Problems"         // see Build.Problems
	ReasonNewInputs        NextReason = "NewInputs"        // no build of these inputs exists
	ReasonBuildDeleted     NextReason = "BuildDeleted"     // the build of these inputs is being deleted
	ReasonUnderWay         NextReason = "UnderWay"         // the build exists and has not ended
	ReasonSucceeded        NextReason = "Succeeded"        // the build exists and has succeeded
	ReasonImagesLost       NextReason = "ImagesLost"       // it succeeded, and the registry has lost an image of it
	ReasonAttemptsUsed     NextReason = "AttemptsUsed"     // it failed, or was cut short, as often as it may
	ReasonRetry            NextReason = "Retry"            // the last attempt failed or was interrupted
)

// ImageReason is why an [Image.State] is what it is.
type ImageReason string

const (
	ReasonInactive ImageReason = "Inactive" // nothing is done about the build now: see Build.Next

	// Reasons to run a job.
	ReasonNoEarlierImage ImageReason = "NoEarlierImage" // there is nothing to reuse
	ReasonKeyChanged     ImageReason = "KeyChanged"     // what there is was built of something else
	ReasonRebuild        ImageReason = "Rebuild"        // what there is was built before the rebuild that was asked for
	ReasonImageGone      ImageReason = "ImageGone"      // the registry has lost it; also a reason to stop

	// Reasons to reuse an image, to copy it, or to wait.
	ReasonSameKey         ImageReason = "SameKey"         // an image of the same inputs exists
	ReasonOtherRepository ImageReason = "OtherRepository" // it exists in another repository
	ReasonComplete        ImageReason = "Complete"        // the build has the image; of a publishing job: all its images
	ReasonJobRunning      ImageReason = "JobRunning"
	ReasonNameTaken       ImageReason = "NameTaken" // a job that is not the build's has the name

	// Reasons to stop.
	ReasonJobFailed  ImageReason = "JobFailed"  // no retry is left
	ReasonNoDigest   ImageReason = "NoDigest"   // the job succeeded and did not say with what
	ReasonJobDeleted ImageReason = "JobDeleted" // the job was deleted before it ended

	// Reasons to hold.
	ReasonSiblingEnded  ImageReason = "SiblingEnded"            // the build ends with another job, so none is started
	ReasonArchitectures ImageReason = "WaitingForArchitectures" // not every image is recorded
	ReasonInPlace       ImageReason = "InPlace"                 // the only image is pushed under the final tag

	// ReasonImageUnreadable is a reason to hold: the registry does not tell whether
	// it has the image.
	ReasonImageUnreadable ImageReason = "ImageUnreadable"
)

// ProgressReason is why an [Outcome.Progress] is what it is, and the reason of the
// condition that is true.
type ProgressReason string

const (
	ReasonPrepared   ProgressReason = "Prepared"           // no job exists
	ReasonBuilding   ProgressReason = "Building"           // images are missing
	ReasonSiblings   ProgressReason = "WaitingForSiblings" // a job failed, and others are left to finish
	ReasonPublishing ProgressReason = "Publishing"         // all images are there
	ReasonPublished  ProgressReason = "Published"          // so is what they are published as
	ReasonSuperseded ProgressReason = "Superseded"         // another build has taken its place
	ReasonEnded      ProgressReason = "Ended"              // it had ended before, so nothing may change

	// The build ends for what became of one image.
	ReasonBuildJobFailed  ProgressReason = "JobFailed"
	ReasonBuildNoDigest   ProgressReason = "NoDigest"
	ReasonBuildJobDeleted ProgressReason = "JobDeleted"
	ReasonBuildImageGone  ProgressReason = "ImageGone"
)
