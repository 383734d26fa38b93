package ours

import (
	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// Flavor returns the flavor.
func Flavor(f osimagestreamtest.Flavor) osimagestream.Flavor {
	if f == osimagestreamtest.OKD {
		return osimagestream.OKD
	}
	return osimagestream.OCP
}

// Sources returns the sources.
func Sources(s osimagestreamtest.Sources) osimagestream.Sources {
	return osimagestream.Sources{CLI: (*osimagestream.Pair)(s.CLI), ConfigMap: s.ConfigMap, Payload: s.Payload,
		Labels: s.Labels, AssumeStream: s.AssumeStream}
}

// Cluster returns the facts of an offer.
func Cluster(o osimagestreamtest.Offer) osimagestream.Cluster {
	return osimagestream.Cluster{Flavor: Flavor(o.Flavor), Discovery: osimagestream.Discovery{Complete: !o.Partial, Streams: o.Streams},
		Stored: o.Stored, InstallVersion: o.InstallVersion}
}

// Pool returns the facts of a pool.
func Pool(f osimagestreamtest.PoolFacts) osimagestream.Pool {
	return osimagestream.Pool{Pool: f.Pool, Worker: f.Worker, Stored: f.Stored, Configs: f.Configs, Version: f.Version}
}

// Platform returns the facts of a platform.
func Platform(p osimagestreamtest.Platform) osimagestream.Platform {
	return osimagestream.Platform{Flavor: Flavor(p.Flavor), FeatureGate: p.FeatureGate, Version: p.Version,
		Infrastructure: p.Infrastructure, MicroShift: p.MicroShift}
}
