// Package importmode decides how image streams import manifest lists: whole
// (PreserveOriginal) or one image out of them (Legacy). It holds the decision of
// every hop between the release payload and a tag, so that the hops agree:
//
//	release payload ──Decide──▶ status of image.config.openshift.io/cluster
//	                 ──Observe──▶ observed config of openshift-apiserver's operator
//	                 ──Configure──▶ openshift-apiserver
//	                 ──Default…──▶ importPolicy.importMode of a tag
//
// What each hop works on is an argument, and what it is to write is the result.
//
// # The cluster's mode: Decide
//
// The first rule that matches wins. Current is the status as it stands; a value
// that is neither mode counts as empty, with a finding.
//
//	#  spec                        payload   current    mode              reason
//	1  Legacy or PreserveOriginal  any       any        spec              SpecOverride
//	2  any other value             any       any        current, problem  InvalidSpec
//	3  empty                       Multi     any        PreserveOriginal  MultiPayload
//	4  empty                       Single    any        Legacy            SinglePayload
//	5  empty                       Unknown   non-empty  current           PayloadUnknown
//	6  empty                       Unknown   empty      not written       PayloadUnknown
//
// Source: the enhancement dynamic-imagestream-importmode-setting for 1, 3 and 4.
// Rules 5 and 6 are what keeps an upgrade from rolling openshift-apiserver out
// twice (OCPBUGS-112551): for some minutes after it, the cluster version operator
// reports the empty architecture on a multi payload too. Keeping the current
// value on every empty architecture is no way out, since that is the legal value
// of a single-architecture payload and multi to single would never revert: hence
// payloadarch's third kind.
//
// # The fleet evaluation: Evaluate
//
//	 7  spec not empty → EvaluationConditionsDetected is True, reason
//	    OperatorEvaluationConditionDetected
//	 8  spec empty → no reason of ours; False and AsExpected if none remains
//	 9  the condition is shared: reasons are joined by "::", and what others wrote
//	    into it stays as it is
//	10  its transition time moves on a change of status only
//
// Source: the same enhancement, and the comment on the condition type in
// config/v1.
//
// # The observed configuration: Observe
//
//	11  image config missing, or its status empty → the field left out, no error
//	12  the status names a mode → that mode
//	13  lister error → the previous mode and the error
//	14  the status holds another value → the previous mode and an error
//	15  existing configuration of another type → an error and nothing else
//	16  an event on a change of mode and only then
//
// Source: the config observer of openshift-apiserver's operator for 11, 12, 13 and
// 16. It lets unknown values pass; 14 stops them before a server that refuses
// them rolls out.
//
// # The server's own default: Configure
//
//	17  empty → Legacy
//	18  Legacy or PreserveOriginal → that mode
//	19  any other value → an error at start
//
// # A tag: DefaultImageStream, DefaultImageStreamTag, DefaultImageStreamImport, DefaultRepositoryImport
//
//	 #  in the request  stored tag of that name  result                      reason
//	20  mode given      any                      the given mode              Given
//	21  mode omitted    none                     the cluster's mode          ClusterMode
//	22  mode omitted    has a mode               the stored mode             Stored
//	23  mode omitted    has none                 stays empty, means Legacy   StoredEmpty
//	24  a change of mode compares effective modes: empty and Legacy are the same
//	25  an import is never left without a mode: where rule 23 leaves a tag empty, it
//	    goes by Legacy
//	26  no other field decides, and no other field is written
//	27  opt-in: Legacy sent by a client that sends it unasked counts as omitted
//
// Source: the enhancement, which has existing image streams unaltered. A default
// that is applied in decoding cannot keep that promise: it meets stored objects
// as well as requests. A caller applies these rules when it prepares a create or
// an update, with the stored object at hand, and never in decoding.
//
// # A stream of the release payload: DefaultManagedImageStream
//
//	28  mode given in the manifest → that mode; Legacy over an existing
//	    PreserveOriginal is a finding
//	29  mode omitted → PreserveOriginal, for existing and new tags alike
//
// Source: epic MULTIARCH-4552.
//
// # Values that are no mode
//
// They are never turned into something else. A request with one is refused by
// ValidateImageStream and its kin with NotSupported, where upstream says Invalid:
// the value is out of a closed set, and the error lists the set. A stored one is
// kept and reported; ValidateImageStreamUpdate lets it through unchanged.
//
// # What this package will not do
//
// It does not import images, choose out of a manifest list (manifestlist does),
// bump generations, or tell one client from another. It writes no object: the
// result says what to write.
package importmode
