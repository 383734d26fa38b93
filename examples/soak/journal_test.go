package main

import (
	"slices"
	"strings"
	"testing"

	imagev1 "github.com/openshift/api/image/v1"
)

// ones is a stream of one tag.
func ones(version, step, from string, mode imagev1.ImportModeType) *stream {
	return &stream{uid: "u", version: version, step: step, tags: map[string]tag{"a": {from: from, mode: mode}}}
}

// TestSettle gives the journal wrong stores, and right ones.
func TestSettle(t *testing.T) {
	acknowledged := ones("7", "1", "DockerImage x:1", preserve)
	for _, tc := range []struct {
		name   string
		last   *stream // acknowledged
		asked  *asked
		stored *stream
		want   []string // the violations: invariant, field, should be, is
		tally  tally
	}{
		{name: "as acknowledged", last: acknowledged, stored: ones("7", "1", "DockerImage x:1", preserve)},
		{name: "gone", last: acknowledged, want: []string{notLost + "|metadata|there|gone"}},
		{name: "deleted and there", stored: acknowledged, want: []string{notLost + "|metadata|deleted|there"}},
		{name: "the content before", last: acknowledged, stored: ones("6", "0", "DockerImage x:1", preserve),
			want: []string{notLost + "|metadata.annotations[" + stepAnnotation + "]|1|0"}},
		{name: "another source", last: acknowledged, stored: ones("7", "1", "DockerImage x:2", preserve),
			want: []string{notLost + "|spec.tags[a].from|DockerImage x:1|DockerImage x:2"}},
		{name: "another mode", last: acknowledged, stored: ones("7", "1", "DockerImage x:1", legacy),
			want: []string{modeKept + "|spec.tags[a].importPolicy.importMode|PreserveOriginal|Legacy"}},
		{name: "no mode any more", last: acknowledged, stored: ones("7", "1", "DockerImage x:1", ""),
			want: []string{modeKept + "|spec.tags[a].importPolicy.importMode|PreserveOriginal|"}},
		{name: "a tag less", last: acknowledged, stored: &stream{uid: "u", version: "7", step: "1"},
			want: []string{notLost + "|spec.tags[a]|there|gone"}},
		{name: "a tag more", last: &stream{uid: "u", version: "7", step: "1"}, stored: acknowledged,
			want: []string{nobodyAsked + "|spec.tags[a]|not there|{DockerImage x:1 PreserveOriginal   { }}"}},
		{name: "another object of its name", last: acknowledged, stored: &stream{uid: "v", version: "7", step: "1", tags: acknowledged.tags},
			want: []string{notLost + "|metadata.uid|u|v"}},
		{name: "written though nobody asked", last: acknowledged, stored: ones("8", "1", "DockerImage x:1", preserve),
			want: []string{nobodyAsked + "|metadata.resourceVersion|7|8"}},
		{name: "the answer did not tell the version", last: ones("", "1", "DockerImage x:1", preserve), stored: acknowledged},

		{name: "unanswered, and stored", last: acknowledged, asked: &asked{want: ones("", "2", "DockerImage x:2", preserve)},
			stored: ones("8", "2", "DockerImage x:2", preserve), tally: tally{Stored: 1}},
		{name: "unanswered, and not stored", last: acknowledged, asked: &asked{want: ones("", "2", "DockerImage x:2", preserve)},
			stored: acknowledged, tally: tally{Dropped: 1}},
		{name: "unanswered, and half of it stored", last: acknowledged, asked: &asked{want: ones("", "2", "DockerImage x:2", preserve)},
			stored: ones("8", "2", "DockerImage x:1", preserve), tally: tally{Stored: 1},
			want: []string{notLost + "|spec.tags[a].from|DockerImage x:2|DockerImage x:1"}},
		{name: "unanswered deletion, and stored", last: acknowledged, asked: &asked{}, tally: tally{Stored: 1}},
		{name: "unanswered creation, and not stored", asked: &asked{want: ones("", "1", "DockerImage x:1", preserve)}, tally: tally{Dropped: 1}},
		{name: "unanswered, with the mode of the server", asked: &asked{want: ones("", "1", "DockerImage x:1", ""), modes: []imagev1.ImportModeType{preserve}},
			stored: acknowledged, tally: tally{Stored: 1}},
		{name: "unanswered, with the mode of another server", asked: &asked{want: ones("", "1", "DockerImage x:1", ""), modes: []imagev1.ImportModeType{legacy}},
			stored: acknowledged, tally: tally{Stored: 1}, want: []string{modeOfServer + "|spec.tags[a].importPolicy.importMode|[Legacy]|PreserveOriginal"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			j := newJournal()
			j.entries["s"] = &entry{acknowledged: tc.last, asked: tc.asked}
			stored := map[string]*stream{}
			if tc.stored != nil {
				stored["s"] = tc.stored
			}
			wrong, unanswered := j.settle(stored)
			expect(t, wrong, tc.want)
			if unanswered != tc.tally {
				t.Errorf("of the unanswered: %+v, want %+v", unanswered, tc.tally)
			}
			// What is there stays, whatever it is.
			if wrong, unanswered := j.settle(stored); len(wrong) > 0 || unanswered != (tally{}) {
				t.Errorf("the second time: %v, %+v", wrong, unanswered)
			}
		})
	}
	t.Run("a stream of nobody", func(t *testing.T) {
		wrong, _ := newJournal().settle(map[string]*stream{"s": acknowledged})
		expect(t, wrong, []string{nobodyAsked + "|metadata|not there|there"})
	})
}

func expect(t *testing.T, wrong []violation, want []string) {
	t.Helper()
	var got []string
	for _, v := range wrong {
		if v.Object != "s" {
			t.Errorf("it is about %q", v.Object)
		}
		got = append(got, strings.Join([]string{v.Invariant, v.Field, v.Want, v.Got}, "|"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("violations\n%q, want\n%q", got, want)
	}
}

// TestAcknowledge gives the journal wrong answers.
func TestAcknowledge(t *testing.T) {
	for _, tc := range []struct {
		name  string
		modes []imagev1.ImportModeType // of the servers that the write can have met
		want  *stream
		got   *stream
		wrong []string
	}{
		{"the mode of the server", []imagev1.ImportModeType{legacy}, ones("", "1", "x", ""), ones("3", "1", "x", legacy), nil},
		{"one of two modes", []imagev1.ImportModeType{legacy, preserve}, ones("", "1", "x", ""), ones("3", "1", "x", preserve), nil},
		{"the mode of no server", []imagev1.ImportModeType{preserve}, ones("", "1", "x", ""), ones("3", "1", "x", legacy),
			[]string{modeOfServer + "|spec.tags[a].importPolicy.importMode|[PreserveOriginal]|Legacy"}},
		{"not the mode that was given", []imagev1.ImportModeType{preserve}, ones("", "1", "x", legacy), ones("3", "1", "x", preserve),
			[]string{modeKept + "|spec.tags[a].importPolicy.importMode|Legacy|PreserveOriginal"}},
		{"not the content that was sent", nil, ones("", "2", "x", legacy), ones("3", "1", "x", legacy),
			[]string{notLost + "|metadata.annotations[" + stepAnnotation + "]|2|1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			j := newJournal()
			j.ask("s", tc.want)
			if _, sure := j.last("s"); sure {
				t.Error("what was asked for counts as settled")
			}
			expect(t, j.acknowledge("s", tc.got, tc.modes), tc.wrong)
			if last, sure := j.last("s"); !sure || last != tc.got {
				t.Errorf("last is %v, %v", last, sure)
			}
		})
	}
}
