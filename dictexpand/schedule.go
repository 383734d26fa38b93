package dictexpand

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/polyarch/polyarch/internal/quote"
)

// A scheduleField is one of the five fields of a schedule.
type scheduleField struct {
	name     string
	min, max int
	names    string // of the values from min on, three letters each
}

// checkSchedule returns why the standard parser of github.com/robfig/cron/v3, which
// CDI calls, would refuse the schedule, or "". An empty schedule means that CDI does
// not poll. Whether a time zone exists is left to CDI.
func checkSchedule(s string) string {
	if s == "" || isPlainSchedule(s) {
		return ""
	}
	if strings.HasPrefix(s, "TZ=") || strings.HasPrefix(s, "CRON_TZ=") {
		_, rest, ok := strings.Cut(s, " ")
		if !ok {
			return "there is nothing but a time zone"
		}
		s = strings.TrimSpace(rest)
	}
	if strings.HasPrefix(s, "@") {
		return checkDescriptor(s)
	}
	return checkFields(s)
}

func checkFields(s string) string {
	fields := [...]scheduleField{
		{"minute", 0, 59, ""},
		{"hour", 0, 23, ""},
		{"day of the month", 1, 31, ""},
		{"month", 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
		{"day of the week", 0, 6, "sunmontuewedthufrisat"},
	}
	n, why := 0, ""
	for list := range strings.FieldsSeq(s) {
		if n < len(fields) && why == "" {
			why = fields[n].check(list)
		}
		n++
	}
	if n != len(fields) {
		return fmt.Sprintf("there are %d fields, and there must be five: minute, hour, day of the month, month, day of the week", n)
	}
	return why
}

// isPlainSchedule reports whether the schedule is five fields with one blank between
// two, each a star, a star with a step, or a value of one or two digits. Nearly all
// are.
func isPlainSchedule(s string) bool {
	for _, field := range [...]struct{ least, most int8 }{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}} {
		value, rest := s, ""
		if end := strings.IndexByte(s, ' '); end >= 0 {
			value, rest = s[:end], s[end+1:]
		}
		s = rest
		switch {
		case value == "*":
			continue
		case strings.HasPrefix(value, "*/"):
			value, field.least, field.most = value[2:], 1, 99
		}
		if n := plainNumber(value); n < field.least || n > field.most {
			return false
		}
	}
	return s == ""
}

// plainNumber returns the number of one or two digits, or -1.
func plainNumber(s string) int8 {
	if len(s) == 0 || len(s) > 2 {
		return -1
	}
	n := int8(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = 10*n + int8(s[i]-'0')
	}
	return n
}

// check returns why the parser would refuse a list of the field, or "".
func (f scheduleField) check(list string) string {
	for part := range strings.SplitSeq(list, ",") {
		if part != "" && !f.admits(part) {
			return fmt.Sprintf("%s is no %s from %d to %d, and no range of them", quote.Quote(part), f.name, f.min, f.max)
		}
	}
	return ""
}

func checkDescriptor(s string) string {
	switch s {
	case "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly":
		return ""
	}
	if every, ok := strings.CutPrefix(s, "@every "); ok {
		if _, err := time.ParseDuration(every); err == nil {
			return ""
		}
	}
	return quote.Quote(s) + " is no schedule; there are @yearly, @monthly, @weekly, @daily, @hourly, and such as \"@every 12h\""
}

// admits reports whether the parser takes an element of the field's list: * or ?,
// a value, or a range of two, and a step. It reads nothing behind the hyphen of a
// star.
func (f scheduleField) admits(part string) bool {
	values, step, stepped := strings.Cut(part, "/")
	if stepped {
		if n, ok := number(step); !ok || n == 0 {
			return false
		}
	}
	low, high, isRange := strings.Cut(values, "-")
	if low == "*" || low == "?" {
		return true
	}
	from, ok := f.value(low)
	if !ok || from < f.min || from > f.max {
		return false
	}
	if !isRange {
		return true
	}
	to, ok := f.value(high)
	return ok && from <= to && to <= f.max
}

func (f scheduleField) value(s string) (int, bool) {
	if i := strings.Index(f.names, strings.ToLower(s)); len(s) == 3 && i >= 0 && i%3 == 0 {
		return f.min + i/3, true
	}
	return number(s)
}

func number(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0
}
