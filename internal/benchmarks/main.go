// Command benchmarks prints the performance claims of polyarch as ratios against
// a floor measured in the same run, and exits 1 if one is over its limit:
//
//	ratio <name> <ours/floor> <limit>
//	spread <name> <lowest> <highest>
//	bytes <name> <ours> <floor>
//
// The ratio is of CPU time: batches of ours and of the floor take turns, and what counts is the
// median of the ratios of all neighbors. Other processes cost neither side anything but by
// what they share with both: caches, and the core. A floor that is SHA-256 alone is
// slowed less by that, so there the shortest time of ours is divided by the shortest of the
// floor. spread has the lowest and the highest ratio of a round. A round goes
// through all claims, so that a disturbance of some seconds meets one round of a claim
// and not all. The collector of garbage is not in the times; how
// many bytes one operation allocates is in the third line. A claim is over its
// limit if the ratio is, or if ours allocates half as many bytes again as the limit
// (or 1, where it is lower) is times those of a floor that allocates.
//
// Operations that wait by design, apiserver_create and import_parallel, are compared
// by the medians of their wall times, and have no third line. A line that begins with
// "info" in the place of "ratio" has no limit.
//
// With -runs everything is done so many times, and the last lines say in how many
// runs each claim was within its limit, and which ratios it had:
//
//	held <name> <runs within>/<runs> <lowest> <highest>
//
// Usage: go run . [-run regexp] [-runs n] [-rounds n] [-pairs n] [-list]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
)

func main() {
	run := flag.String("run", ".", "measure only the claims whose name matches this regular expression")
	runs := flag.Int("runs", 1, "how often to do everything")
	var o options
	flag.IntVar(&o.rounds, "rounds", 5, "number of rounds through all claims")
	flag.IntVar(&o.pairs, "pairs", 101, "number of pairs of batches in a round of a claim, at most")
	list := flag.Bool("list", false, "print the names and limits of the claims and measure nothing")
	flag.Parse()

	match, err := regexp.Compile(*run)
	if err != nil {
		exit(2, "-run: %v", err)
	}
	if *runs < 1 || o.rounds < 1 || o.pairs < 1 {
		exit(2, "-runs, -rounds and -pairs must be at least 1")
	}
	var chosen []measured
	for _, m := range claims() {
		if match.MatchString(m.of().name) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		exit(2, "no claim matches %q", *run)
	}
	if *list {
		for _, m := range chosen {
			fmt.Printf("%s %.2f\n", m.of().name, m.of().limit)
		}
		return
	}
	fmt.Fprintf(os.Stderr, "benchmarks: measuring %s\n", timer)
	histories := make([][]result, len(chosen))
	for range *runs {
		results, err := measure(chosen, o)
		if err != nil {
			exit(2, "%v", err)
		}
		for i, r := range results {
			r.print(os.Stdout)
			histories[i] = append(histories[i], r)
		}
	}
	over := 0
	for _, h := range histories {
		within := held(h)
		if *runs > 1 && h[0].limit > 0 {
			printHeld(os.Stdout, h, within)
		}
		if within < len(h) {
			over++
		}
	}
	if over > 0 {
		exit(1, "%d of %d claims are over their limit", over, len(chosen))
	}
}

func exit(code int, format string, args ...any) {
	fmt.Fprintf(os.Stderr, "benchmarks: "+format+"\n", args...)
	os.Exit(code)
}

// claims returns every claim, a package at a time in the order of the README.
func claims() []measured {
	var all []measured
	for _, of := range [...][]claim{
		payloadarchClaims(), importmodeClaims(), effectClaims(), dictexpandClaims(),
		manifestlistClaims(), buildplanClaims(), osimagestreamClaims(),
	} {
		for _, c := range of {
			all = append(all, c)
		}
	}
	return append(all, apiserverClaim(), importClaim(), auditGrowth{})
}

// measure goes through the claims once for each round.
func measure(chosen []measured, o options) ([]result, error) {
	samples := make([][]sample, len(chosen))
	for n := range o.rounds {
		for i, m := range chosen {
			s, err := m.round(n, o)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.of().name, err)
			}
			samples[i] = append(samples[i], s...)
		}
	}
	results := make([]result, len(chosen))
	for i, m := range chosen {
		results[i] = summarize(m.of(), samples[i])
	}
	return results, nil
}

func (r result) print(w io.Writer) {
	if r.limit == 0 {
		fmt.Fprintf(w, "info %s %.3f\n", r.name, r.ratio)
	} else {
		fmt.Fprintf(w, "ratio %s %.3f %.2f\n", r.name, r.ratio, r.limit)
	}
	fmt.Fprintf(w, "spread %s %.3f %.3f\n", r.name, r.lowest, r.highest)
	if r.ours > 0 || r.floor > 0 {
		fmt.Fprintf(w, "bytes %s %d %d\n", r.name, r.ours, r.floor)
	}
}

// held returns how many of the results are within the limit.
func held(results []result) int {
	n := 0
	for _, r := range results {
		if r.within() {
			n++
		}
	}
	return n
}

func printHeld(w io.Writer, results []result, within int) {
	ratios := sorted(results, func(r result) float64 { return r.ratio })
	fmt.Fprintf(w, "held %s %d/%d %.3f %.3f\n", results[0].name, within, len(results), ratios[0], ratios[len(ratios)-1])
}
