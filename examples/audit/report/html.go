package report

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"
)

//go:embed report.html
var page string

// pageTemplate escapes whatever comes from a cluster for the place where it stands.
var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"state":  hopClass,
	"growth": bars,
	"matrix": func(t Table) bool { return t.Name == "pools" },
	"cell":   cellClass,
	"total":  totalOmitted,
}).Parse(page))

// WriteHTML writes the report as one page that needs nothing else: no other file, no
// server, and no script but to filter tables and to copy commands.
func (r *Report) WriteHTML(w io.Writer) error { return pageTemplate.Execute(w, r) }

// hopClass is the class by which the page paints a hop.
func hopClass(state string) string {
	switch state {
	case HopAsExpected:
		return "ok"
	case HopLags, HopRefused:
		return "broken"
	case HopWaits:
		return "risk"
	}
	return "note"
}

// cellClass is the class by which the page paints a number of nodes.
func cellClass(text string) string {
	switch n, err := strconv.Atoi(text); {
	case err != nil:
		return ""
	case n == 0:
		return "zero"
	}
	return "some"
}

// totalOmitted adds up what was left out, over all codes.
func totalOmitted(omitted map[string]int) int {
	n := 0
	for _, count := range omitted {
		n += count
	}
	return n
}

// A bar is one number beside the largest of its kind.
type bar struct {
	Label, Text string
	// Width is in percent of the widest.
	Width int
}

// bars draws what grows: objects, and bytes, each against the largest of its kind.
func bars(all []Growth) []bar {
	var objects, bytes int64 = 1, 1
	for _, g := range all {
		objects, bytes = max(objects, g.Objects, estimate(g)), max(bytes, g.Bytes)
	}
	var list []bar
	for _, g := range all {
		name := map[string]string{"ByChange": "by the change", "ByFixes": "by the remedies"}[g.Name]
		if name == "" {
			name = g.Name
		}
		list = append(list, bar{name + ": Image objects", strconv.FormatInt(g.Objects, 10), percent(g.Objects, objects)})
		if g.Estimate != nil {
			list = append(list, bar{name + ": Image objects, an estimate with " + strconv.Itoa(g.AssumedChildren) + " images in each unknown list",
				strconv.FormatInt(*g.Estimate, 10), percent(*g.Estimate, objects)})
		}
		list = append(list, bar{name + ": bytes", strconv.FormatInt(g.Bytes, 10), percent(g.Bytes, bytes)})
	}
	return list
}

func estimate(g Growth) int64 {
	if g.Estimate == nil {
		return 0
	}
	return *g.Estimate
}

// percent is n of all in percent: one that is there is seen.
func percent(n, all int64) int {
	if n <= 0 {
		return 0
	}
	return max(1, int(100*float64(n)/float64(all)))
}
