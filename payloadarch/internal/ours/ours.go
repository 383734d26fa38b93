// Package ours puts package payloadarch in the terms of payloadarchtest. The tests of
// both need it: the one to hold payloadarch to the rules, the other to break it.
package ours

import (
	"slices"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

// Impl returns the functions of package payloadarch.
func Impl() payloadarchtest.Impl {
	return payloadarchtest.Impl{
		ClusterVersion: func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (payloadarchtest.Kind, error) {
			return told(payloadarch.FromClusterVersion(cv, gates))
		},
		ClusterVersionWithoutGates: func(cv *configv1.ClusterVersion) (payloadarchtest.Kind, error) {
			return told(payloadarch.FromClusterVersionWithoutGates(cv))
		},
		ReleaseArchitecture: func(value any, present bool) (payloadarchtest.Kind, error) {
			return told(payloadarch.FromReleaseArchitecture(value, present))
		},
		ReleaseMetadata: func(data []byte) (payloadarchtest.Kind, error) {
			v, err := payloadarch.FromReleaseMetadata(data)
			if err != nil {
				return "", err
			}
			return told(v)
		},
		HostedCluster: func(payloadArch string) (payloadarchtest.Kind, error) {
			return told(payloadarch.FromHostedCluster(payloadArch))
		},
		Hosted: func(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (payloadarchtest.Kind, error) {
			return told(payloadarch.FromHosted(payloadArch, cv, gates))
		},
		HostedWithoutGates: func(payloadArch string, cv *configv1.ClusterVersion) (payloadarchtest.Kind, error) {
			return told(payloadarch.FromHostedWithoutGates(payloadArch, cv))
		},
		HostedConflict: func(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) bool {
			return finds(payloadarch.FromHosted(payloadArch, cv, gates).Findings, payloadarch.FindingHostedConflict)
		},
		HostedOwnReport: func(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) bool {
			return finds(payloadarch.FromHosted(payloadArch, cv, gates).Findings, payloadarch.FindingHostedClusterVersion)
		},
		Index: func(entries []*payloadarchtest.Platform) payloadarchtest.Kind {
			kind, _ := told(payloadarch.FromIndex(Platforms(entries)))
			return kind
		},
		Reported: func(k payloadarchtest.Kind) configv1.ClusterVersionArchitecture {
			return payloadarch.ReportedArchitecture(Verdict(k).Kind)
		},
		Transition: func(previous, current payloadarchtest.Kind, history []configv1.UpdateHistory) (payloadarchtest.Change, bool) {
			t := payloadarch.TransitionOf(Verdict(previous).Kind, Verdict(current), history)
			return payloadarchtest.Change(t.Change.String()), t.InProgress
		},
		StoreKind: func(previous, current payloadarchtest.Kind, history []configv1.UpdateHistory) bool {
			return payloadarch.TransitionOf(Verdict(previous).Kind, Verdict(current), history).StoreKind
		},
		AlreadyMulti: func(stored, proposed *configv1.Update, current payloadarchtest.Kind) bool {
			return len(payloadarch.CheckDesiredUpdate(stored, proposed, Verdict(current).Kind).Findings) > 0
		},
		FormatSet: func(names []string) string { return payloadarch.SetOf(names...).String() },
		ParseSet:  func(text string) []string { return slices.Collect(payloadarch.ParseSet(text).All()) },
	}
}

// Platforms returns the entries of an index as package payloadarch takes them.
func Platforms(entries []*payloadarchtest.Platform) []payloadarch.Platform {
	var platforms []payloadarch.Platform
	for _, e := range entries {
		var p payloadarch.Platform
		if e != nil {
			p = payloadarch.Platform(*e)
		}
		platforms = append(platforms, p)
	}
	return platforms
}

// Verdict returns a verdict that says as much as the kind.
func Verdict(k payloadarchtest.Kind) payloadarch.Verdict {
	switch k {
	case payloadarchtest.KindSingle:
		return payloadarch.Verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled}
	case payloadarchtest.KindInstalling:
		return payloadarch.Verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonInstalling}
	case payloadarchtest.KindMulti:
		return payloadarch.Verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported}
	}
	return payloadarch.Verdict{Reason: payloadarch.ReasonNotObserved}
}

// Kind returns what a verdict says of the payload.
func Kind(v payloadarch.Verdict) payloadarchtest.Kind {
	if v.Reason == payloadarch.ReasonInstalling {
		return payloadarchtest.KindInstalling
	}
	return payloadarchtest.Kind(v.Kind.String())
}

func told(v payloadarch.Verdict) (payloadarchtest.Kind, error) {
	if len(v.Problems) > 0 {
		return Kind(v), v.Problems.ToAggregate()
	}
	return Kind(v), nil
}

func finds(findings []payloadarch.Finding, code payloadarch.FindingCode) bool {
	return slices.ContainsFunc(findings, func(f payloadarch.Finding) bool { return f.Code == code })
}
