package report

import (
	"encoding/xml"
	"strings"
	"time"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     float64      `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       float64         `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    float64       `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit is the report as JUnit XML: a suite for each item, a case for each step.
// What could not be judged is an error, which is no failure; what was observed or
// not run is skipped. What is left behind is an error of a suite of its own.
func (r Report) JUnit() ([]byte, error) {
	suites := junitSuites{Name: r.Plan}
	properties := r.properties()
	for _, item := range r.Items {
		suite := junitSuite{Name: item.ID, Timestamp: r.Started.UTC().Format(time.RFC3339), Properties: properties}
		for _, step := range item.Steps {
			suite.add(item.ID, step)
		}
		suites.add(suite)
	}
	if len(r.Left) > 0 {
		left := junitSuite{Name: "cleanup", Timestamp: r.Ended.UTC().Format(time.RFC3339), Properties: properties}
		left.add("cleanup", Step{ID: "cleanup", State: StateCouldNotJudge, Detail: strings.Join(r.Left, "\n")})
		suites.add(left)
	}
	out, err := xml.MarshalIndent(suites, "", "  ")
	return append([]byte(xml.Header), append(out, '\n')...), err
}

func (s *junitSuite) add(item string, step Step) {
	c := junitCase{Class: item, Name: strings.TrimPrefix(step.ID, item+"/"), Time: step.Seconds}
	// A skip without a reason would be one more skip that nobody can judge.
	message := &junitMessage{Message: string(step.State), Text: step.Line()}
	if step.Detail != "" {
		message.Message += ": " + step.Detail
	}
	switch step.State {
	case StatePass:
	case StateFail:
		c.Failure = message
		s.Failures++
	case StateCouldNotJudge:
		c.Error = message
		s.Errors++
	default:
		c.Skipped = message
		s.Skipped++
	}
	s.Tests++
	s.Time += step.Seconds
	s.Cases = append(s.Cases, c)
}

func (s *junitSuites) add(suite junitSuite) {
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Errors += suite.Errors
	s.Skipped += suite.Skipped
	s.Time += suite.Time
	s.Suites = append(s.Suites, suite)
}

func (r Report) properties() []junitProperty {
	all := []junitProperty{
		{"run", r.Run}, {"program", r.Program.Version}, {"revision", r.Program.Revision},
		{"kubernetes", r.Cluster.Kubernetes}, {"openshift", r.Cluster.OpenShift},
		{"partial", map[bool]string{true: "true", false: "false"}[r.Partial()]},
	}
	for _, name := range sortedKeys(r.Cluster.Operators) {
		all = append(all, junitProperty{"operator " + name, r.Cluster.Operators[name]})
	}
	for _, name := range sortedKeys(r.Configuration) {
		all = append(all, junitProperty{"configuration " + name, r.Configuration[name]})
	}
	return all
}
