package osimagestream

// Flavor tells apart the two products that share the code of the operators. The
// zero value is OCP.
//
// A consumer that is built once per flavor pins it with its own build tag:
//
//	//go:build scos
//
//	package version
//
//	const Flavor = osimagestream.OKD
//
// and the same with !scos and osimagestream.OCP in the file beside it. All other
// code is the same for both flavors, and its tests run both.
type Flavor uint8

const (
	// OCP offers several streams; users choose.
	OCP Flavor = iota
	// OKD offers the one stream of its release.
	OKD
)

// String returns "OCP" or "OKD". An unknown value reads as OCP, and is taken for it.
func (f Flavor) String() string {
	if f == OKD {
		return "OKD"
	}
	return "OCP"
}
