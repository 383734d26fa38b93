package buildplan

// Reason is the machine-readable ground of an answer. Reasons are also written
// as reasons of conditions and have the form that those must have.
type Reason string

// Reasons of [Build.Next].
const (
	ReasonNewInputs       Reason = "NewInputs"    // no build of these inputs exists
	ReasonBuildDeleted    Reason = "BuildDeleted" // the build of these inputs is being deleted
	ReasonRetry           Reason = "Retry"        // the last one failed or was interrupted
	ReasonImageGone       Reason = "ImageGone"    // an image is not in the registry any more
	ReasonUnderWay        Reason = "UnderWay"     // the build exists and has not ended
	ReasonPublished       Reason = "Published"    // the build exists and has succeeded
	ReasonAttemptsUsed    Reason = "AttemptsUsed" // it failed as often as it may
	ReasonRebuild         Reason = "RebuildRequested"
	ReasonProblems        Reason = "Problems"        // see Build.Problems
	ReasonPushSpec        Reason = "PushSpec"        // see FindingPushSpec
	ReasonNoArchitectures Reason = "NoArchitectures" // see FindingNoArchitectures
)

// Reasons of a [Step], besides ReasonImageGone, ReasonRebuild and those for which
// a plan does nothing.
const (
	ReasonNoEarlierImage  Reason = "NoEarlierImage"  // nothing to reuse
	ReasonKeyChanged      Reason = "KeyChanged"      // what is to reuse was built of something else
	ReasonSameKey         Reason = "SameKey"         // an image of the same inputs exists
	ReasonOtherRepository Reason = "OtherRepository" // it exists in another repository
	ReasonJobRunning      Reason = "JobRunning"
	ReasonJobFailed       Reason = "JobFailed" // no retry left
	ReasonNoDigest        Reason = "NoDigest"  // the job succeeded and did not say with what
	ReasonJobDeleted      Reason = "JobDeleted"
	ReasonSiblingEnded    Reason = "SiblingEnded" // the build ends with another job, so none is started
	ReasonArchitectures   Reason = "WaitingForArchitectures"
	ReasonInPlace         Reason = "InPlace" // the only image was pushed under the final tag
	ReasonComplete        Reason = "Complete"
)

// Reasons of an [Outcome], besides those of the step that decided.
const (
	ReasonPrepared   Reason = "Prepared"
	ReasonBuilding   Reason = "Building"
	ReasonSiblings   Reason = "WaitingForSiblings" // a job failed, others are left to finish
	ReasonPublishing Reason = "Publishing"
	ReasonSuperseded Reason = "Superseded"
	ReasonEnded      Reason = "Ended" // it had ended before; nothing may change
)
