// Command benchmarks prints the performance claims of polyarch as ratios
// against a floor measured in the same run, and exits 1 if one is over its
// limit:
//
//	ratio <name> <ours/floor> <limit>
//
// Both sides of a ratio run in alternating batches, and the medians of the
// batches are divided, so a noisy machine slows both sides alike. Lines that
// begin with "info" are ratios without a limit.
//
// Usage: go run . [-run regexp] [-batches n] [-list]
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
)

func main() {
	run := flag.String("run", ".", "measure only the claims whose name matches this regular expression")
	batches := flag.Int("batches", 101, "number of alternating batches of each side")
	list := flag.Bool("list", false, "print the names and limits of the claims and measure nothing")
	flag.Parse()

	match, err := regexp.Compile(*run)
	if err != nil {
		fmt.Fprintf(os.Stderr, "benchmarks: -run: %v\n", err)
		os.Exit(2)
	}
	if *batches < 3 {
		fmt.Fprintf(os.Stderr, "benchmarks: -batches is %d, must be at least 3\n", *batches)
		os.Exit(2)
	}

	var all []measured
	for _, c := range claims() {
		all = append(all, c)
	}
	all = append(all, apiserverClaim())

	over, done := 0, 0
	for _, m := range all {
		c := m.of()
		if !match.MatchString(c.name) {
			continue
		}
		if *list {
			fmt.Printf("%s %.2f\n", c.name, c.limit)
			continue
		}
		ratio, err := m.measure(*batches)
		if err != nil {
			fmt.Fprintf(os.Stderr, "benchmarks: %s: %v\n", c.name, err)
			os.Exit(2)
		}
		done++
		if c.limit == 0 {
			fmt.Printf("info %s %.3f\n", c.name, ratio)
			continue
		}
		fmt.Printf("ratio %s %.3f %.2f\n", c.name, ratio, c.limit)
		if ratio > c.limit {
			over++
		}
	}
	switch {
	case *list:
	case done == 0:
		fmt.Fprintf(os.Stderr, "benchmarks: no claim matches %q\n", *run)
		os.Exit(2)
	case over > 0:
		fmt.Fprintf(os.Stderr, "benchmarks: %d of %d claims are over their limit\n", over, done)
		os.Exit(1)
	}
}

// claims returns every claim, a package at a time in the order of the README.
func claims() []claim {
	var all []claim
	all = append(all, payloadarchClaims()...)
	all = append(all, importmodeClaims()...)
	all = append(all, effectClaims()...)
	all = append(all, dictexpandClaims()...)
	all = append(all, manifestlistClaims()...)
	all = append(all, buildplanClaims()...)
	all = append(all, osimagestreamClaims()...)
	return all
}
