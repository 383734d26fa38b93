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
// The first rule that matches wins. Current is the status as it stands.
//
//	#  spec                        payload     current    mode              reason
//	1  Legacy or PreserveOriginal  any         any        spec              SpecOverride
//	2  any other value             any         any        current, problem  InvalidSpec
//	3  empty                       Multi       any        PreserveOriginal  MultiPayload
//	4  empty                       Installing  any        current, or       Installing
//	                                                      Legacy if empty
//	5  empty                       Single      any        Legacy            SinglePayload
//	6  empty                       Unknown     non-empty  current           PayloadUnknown
//	7  empty                       Unknown     empty      not written       PayloadUnknown
//
// Installing is a Single with that reason.
//
// Source: the enhancement dynamic-imagestream-importmode-setting for 1, 3 and 5.
// Rules 6 and 7 keep an upgrade from rolling openshift-apiserver out twice
// (OCPBUGS-112551): for some minutes after an upgrade, the cluster version operator
// reports the empty architecture on a multi payload too. To keep the current
// value on every empty architecture is no way out, since that is the legal value
// of a single-architecture payload and multi to single would never revert: hence
// payloadarch's third kind. Rule 4 gives an installation its mode from the start, so
// that openshift-apiserver need not roll out once more when it is complete. It fills
// an empty status and reverts none, since a ClusterVersion that was deleted and made
// anew looks like an installation.
//
// # The fleet evaluation: Evaluate
//
//	 8  spec not empty → the condition is True, with the reason
//	    OperatorEvaluationConditionDetected
//	 9  spec empty → no reason of ours; False and AsExpected if no other remains
//	10  the condition is the first of its type, and shared: reasons are joined by
//	    "::", and what others wrote into it while it is True stays as it is
//	11  ours is the reason of rule 8, and of the message: everything where no other reason
//	    is there; the line at the place of the reason where there are as many lines as
//	    reasons; else the lines that name imageStreamImportMode
//	12  its transition time moves on a change of status only
//
// Source: the same enhancement, and the comment on the condition type
// EvaluationConditionsDetected in config/v1. Rule 11 does not look at how a text
// begins, so that the text of another release is cleared as well.
//
// # The observed configuration: Observe
//
//	13  image config missing, or its status empty → the field left out, no error
//	14  the status names a mode → that mode, and no other field
//	15  lister error → the previous mode and the error
//	16  the status holds another value → the previous mode and an error
//	17  existing configuration of another type → an error and nothing else; null
//	    counts as missing
//	18  an event on a change of mode and only then
//
// Where several match, 17 comes before 15, and 15 before the others. Source: the
// config observer of openshift-apiserver's operator for 13, 14, 15 and 18. It
// lets unknown values pass; rule 16 stops them before a server that refuses them
// rolls out.
//
// # The server's own default: Configure
//
//	19  empty → Legacy
//	20  Legacy or PreserveOriginal → that mode
//	21  any other value → an error at start
//
// # A tag: DefaultTag
//
// DefaultImageStream, DefaultImageStreamTag, DefaultImageStreamImport and
// DefaultRepositoryImport look up the stored tag and decide by the same rules.
// Store is the mode to write to the tag, Import the mode to import it by.
//
//	 #  in the request  stored tag of that name  Store                      reason
//	22  mode given      any                      the given mode             Given
//	23  mode omitted    none                     the cluster's mode         ClusterMode
//	24  mode omitted    has a mode               the stored mode            Stored
//	25  mode omitted    has none                 empty, which means Legacy  StoredEmpty
//	26  a change of mode compares effective modes: empty and Legacy are the same
//	27  Import is Store; Legacy where Store is empty; the cluster's mode where Store is no
//	    mode
//	28  no other field decides, and no other field is written
//	29  opt-in: Legacy sent by a client that sends it unasked counts as omitted,
//	    with a finding
//
// Source: the enhancement, which leaves existing image streams unaltered. A default
// that is applied in decoding cannot keep that promise: it meets stored objects
// as well as requests. A caller applies these rules when it prepares a create or
// an update, with the stored object at hand, and never in decoding.
//
// # A tag of the release payload: DefaultManagedTag
//
// DefaultManagedImageStream looks up the existing tag and decides by the same
// rules. Import is Store here, and PreserveOriginal where Store is no mode.
//
//	30  mode given in the manifest → that mode; Legacy over an existing
//	    PreserveOriginal is a finding
//	31  mode omitted → PreserveOriginal, for existing and new tags alike, so that
//	    a tag has its mode from the first sync on
//
// Source: epic MULTIARCH-4552.
//
// # Which tag is meant
//
//	32  a tag of a stream: the stored tag of its name. Of several with that name,
//	    the one directly behind the tag that was found before, else the first
//	33  an image stream tag: what follows the colon in its name, else tag.name
//	34  an image stream tag without a spec tag: none, and nothing is decided
//	35  an image of an import: to.name, else the tag in from.name
//	36  an image that names neither: none, and it is decided as a new tag is
//	37  a tag that only the stored stream has: it is not decided
//	38  the import of a repository: each tag that it results in, on its own
//
// Names are unique unless validation was bypassed. Rule 32 lets a request that
// repeats the stored list change nothing even then. Source: the strategies and
// the importer of openshift-apiserver.
//
// # Values that are no mode
//
// They are never written anew, and no image is imported by one.
//
//	39  Decide: a current value that is no mode counts as empty, with a finding
//	40  in a request → NotSupported at importPolicy.importMode; Store is what was given
//	    all the same
//	41  stored, and the request omits the mode or sends the same → it is kept, with a
//	    finding
//	42  stored, and the request sends the same → valid, so that an object with a
//	    bad value in storage can still be changed elsewhere
//	43  Convert: any text but the two modes and the empty one → an error, no mode
//	44  the cluster's mode → counts as empty, hence as Legacy; a finding wherever it
//	    decides
//
// Upstream says Invalid where rule 40 says NotSupported: the value is out of a
// closed set, and the error lists the set.
//
// # What else is reported
//
//	45  rule 3 decides, the nodes are complete and all of one architecture → a finding
//	    that names the override
//	46  texts repeat at most 128 characters of a value of the input, and say so where
//	    that is not all
//	67  rule 5 decides, and there are nodes of several architectures → a finding that names
//	    the migration to the multi payload
//
// # The effect of a mode change: Effect
//
// What the cluster's mode going from one to another does to the tags of streams that
// are stored, one stream at a time. The first rule that matches gives the reason.
//
//	 #  tag                                                  reason       mode after
//	47  in status only: pushed                               StatusOnly   none, not imported
//	48  reference: true                                      Reference    none, not imported
//	49  from an image stream tag or an image stream image    Follows      none, not imported
//	50  no from, or one of any other kind than DockerImage   NoSource     none, not imported
//	51  has no mode                                          ModeEmpty    Legacy
//	52  has a mode                                           ModeGiven    that mode
//	53  has a value that is no mode                          ModeUnknown  the cluster's mode
//	54  Changed where the mode differs before and after: under rule 53 alone. The cluster's
//	    mode is read by rule 44, before and after
//	55  Fix: the nodes are of several architectures, and the tag is Legacy after the change
//	    → set PreserveOriginal
//	56  Reverse: the tag is PreserveOriginal after the change, or would be by its fix → set
//	    Legacy
//	57  ReverseBytes: as in 56, and referencePolicy is Local → set Source
//	58  a patch first tests that the tag still has its place in the list, so that it never
//	    adds a tag
//
// What is added where the tag changes to PreserveOriginal, or by its fix:
//
//	59  the caller gives no manifest, or a child without a digest → unknown: counted apart,
//	    and in no sum
//	60  a manifest without children → a single image, the same in both modes: nothing is
//	    added, and there is nothing to fix or to reverse
//	61  a list → the digests of the list and its children, each once, less those that the
//	    events of the tag name; nothing where they name the list
//	62  LayersGone: the newest event names an image, and it is not the list
//	63  Bytes: the sizes of the children that rule 61 counts, if referencePolicy is Local; a
//	    size below 1 or over 1 TiB is not known, and the tag is counted apart as well
//	64  totals are the sums over all tags: upper bounds, since tags share images
//	65  with Digests, a digest counts once for all streams, first for the changes and then
//	    for the fixes, and not at all where an event of any stream names it or its list. The
//	    bytes of a child do the same among the Local and the pushed tags, by its largest size
//	66  a stream with spec.dockerImageRepository is counted: the tags that are found there
//	    later get the mode after
//
// What goes with a list: UsedChild.
//
//	68  an image that is used by a stream and its digest, that no event of the stream
//	    names, and that is a child of a list that one names → the list with which it goes
//
// Source: rules 22 to 27 for what changes; for 48 to 50, tagImportable of the image stream
// controller of openshift-controller-manager (pkg/image/controller/imagestream_controller.go);
// for 61 and 62, importManifest and importSubManifests of openshift-apiserver
// (pkg/image/apiserver/importer/importer.go, at 026247d). They make an Image of the list,
// without layers, metadata and configuration, and one of each child. For 68,
// pruneImageStreamTag of oc (pkg/cli/admin/prune/imageprune/prune.go, at 1091d77), which
// keeps an item of a stream while its own digest is used.
//
// # What this package will not do
//
// It does not import images, choose out of a manifest list (manifestlist does),
// bump generations, or tell one client from another. It writes no object: the
// result says what to write.
//
// # Other implementations
//
// Package importmodetest holds them to the rules above.
package importmode
