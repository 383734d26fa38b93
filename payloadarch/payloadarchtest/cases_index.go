package payloadarchtest

import (
	"slices"

	"pgregory.net/rapid"
)

// An IndexCase is a row of the index of a release image.
type IndexCase struct {
	Rule, Name string
	Entries    []*Platform
	Want       Kind
}

// IndexCases returns the rows of Index.
func IndexCases() []IndexCase {
	attestation := &Platform{"unknown", "unknown"}
	entries := func(all ...*Platform) []*Platform { return all }
	return []IndexCase{
		{"index-several-architectures", "all four", allLinux(architectures()), KindMulti},
		{"index-several-architectures", "two", entries(linux("s390x"), linux("arm64")), KindMulti},
		{"index-one-architecture", "one entry", entries(linux("amd64")), KindSingle},
		{"index-repeated-architecture", "two entries, which HyperShift counts as two", entries(linux("amd64"), linux("amd64")), KindSingle},
		{"index-repeated-architecture", "two spellings", entries(linux("amd64"), linux("AMD64")), KindSingle},
		{"index-other-spelling", "RPM and uname names", entries(linux("x86_64"), linux("aarch64")), KindMulti},
		{"index-no-platform", "beside an architecture", entries(nil, linux("arm64")), KindSingle},
		{"index-attestation", "of a single image (MULTIARCH-5800)", entries(linux("amd64"), attestation, attestation), KindSingle},
		{"index-other-system", "windows is not linux", entries(&Platform{"windows", "amd64"}, linux("arm64")), KindSingle},
		{"index-other-system", "no operating system", entries(&Platform{"", "amd64"}, linux("arm64")), KindSingle},
		{"index-other-system", "half of an attestation's platform is none", entries(&Platform{"unknown", "arm64"}, linux("amd64")), KindSingle},
		{"index-other-architecture", "an architecture to come", entries(linux("riscv64"), linux("arm64")), KindSingle},
		{"index-other-architecture", "half of an attestation's platform is none", entries(linux("unknown"), linux("amd64")), KindSingle},
		{"index-nothing-counts", "no entries", nil, KindSingle},
		{"index-nothing-counts", "an attestation alone", entries(attestation), KindSingle},
		{"index-nothing-counts", "no architecture", entries(linux("")), KindSingle},
	}
}

func indexOutcome(entries []*Platform, want Kind, i Impl) outcome {
	given := make([]*Platform, len(entries))
	for n, p := range entries {
		if p != nil {
			own := *p
			given[n] = &own
		}
	}
	return outcome{Input: entries, Want: want, Got: orUnknown(i.Index(given))}
}

func indexRows() (rows []row) {
	for _, c := range IndexCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasIndex, Call: func(i Impl) outcome {
			return indexOutcome(c.Entries, c.Want, i)
		}})
	}
	return rows
}

func indexProperties() (all []property) {
	add := func(rule, name string, draw func(*rapid.T) []*Platform) {
		all = append(all, property{Rule: rule, Name: name, Implemented: hasIndex, Call: func(t *rapid.T, i Impl) outcome {
			entries := draw(t)
			return indexOutcome(entries, OracleIndex(entries), i)
		}})
	}
	add("index-several-architectures", "any of them", func(t *rapid.T) []*Platform { return allLinux(some(t, 2, 4)) })
	add("index-one-architecture", "any of them", func(t *rapid.T) []*Platform { return allLinux(some(t, 1, 1)) })
	add("index-repeated-architecture", "any of them", func(t *rapid.T) []*Platform {
		return allLinux(slices.Repeat(some(t, 1, 1), rapid.IntRange(2, 4).Draw(t, "entries")))
	})
	add("index-other-spelling", "any spelling", func(t *rapid.T) []*Platform {
		names := some(t, 1, 4)
		for n, name := range names {
			if n == 0 || rapid.Bool().Draw(t, "respell") {
				names[n] = rapid.SampledFrom(spellings()[name]).Draw(t, "spelling")
			}
		}
		return allLinux(names)
	})
	for _, rule := range oddRules() {
		add(rule, "among others", func(t *rapid.T) []*Platform {
			entries := allLinux(some(t, 1, 2))
			for range rapid.IntRange(1, 3).Draw(t, "odd entries") {
				entries = insert(t, entries, odd(t, rule))
			}
			return entries
		})
	}
	return all
}
