package dictexpandtest

import (
	"fmt"
	"slices"
)

// A ScheduleCase is a schedule, and whether CDI takes it.
type ScheduleCase struct {
	Schedule string
	Accepted bool
}

// ScheduleCases are what ParseStandard of github.com/robfig/cron/v3 v3.0.1 says, which
// CDI calls: the column was written by running it. An empty schedule does not get
// there, and a panic counts as a refusal.
func ScheduleCases() []ScheduleCase { return slices.Clone(schedules) }

var schedules = []ScheduleCase{
	{"", true},
	{" ", false},
	{"0 */12 * * *", true},
	{"0 0 * * *", true},
	{"1 1 * * *", true},
	{"\t0\t0 * * * ", true},
	{"whenever", false},
	{"0 0 * *", false},
	{"0 0 0 * * *", false},
	{"60 * * * *", false},
	{"59 23 31 12 6", true},
	{"* 24 * * *", false},
	{"* * 0 * *", false},
	{"* * 32 * *", false},
	{"* * * 0 *", false},
	{"* * * 13 *", false},
	{"* * * * 7", false},
	{"? ? ? ? ?", true},
	{"*/15 * * * *", true},
	{"*/0 * * * *", false},
	{"*/x * * * *", false},
	{"*/ * * * *", false},
	{"5/15 * * * *", true},
	{"70/5 * * * *", false},
	{"1-5 * * * *", true},
	{"5-1 * * * *", false},
	{"1-2-3 * * * *", false},
	{"1-x * * * *", false},
	{"1-60 * * * *", false},
	{"1-5/2/3 * * * *", false},
	{"1-5/99 * * * *", true},
	{"*-5 * * * *", true},
	{"*-x-y * * * *", true},
	{"?-99/7 * * * *", true},
	{"1,2,30 * * * *", true},
	{", * * * *", true},
	{"1,,2 * * * *", true},
	{"1,x * * * *", false},
	{"-1 * * * *", false},
	{"+1 * * * *", true},
	{"0x1 * * * *", false},
	{"1.5 * * * *", false},
	{"00 * * * *", true},
	{"* * * jan *", true},
	{"* * * JAN-Mar *", true},
	{"* * * january *", false},
	{"* * * * mon-FRI", true},
	{"* * * * sunday", false},
	{"* * * mon *", false},
	{"jan * * * *", false},
	{"0 0 L * *", false},
	{"0 0 1W * *", false},
	{"0 0 * * 1#2", false},
	{"H * * * *", false},
	{"@yearly", true},
	{"@annually", true},
	{"@monthly", true},
	{"@weekly", true},
	{"@daily", true},
	{"@midnight", true},
	{"@hourly", true},
	{"@Daily", false},
	{"@daily ", false},
	{"@reboot", false},
	{"@every 1h30m", true},
	{"@every -1h", true},
	{"@every 1 h", false},
	{"@every ", false},
	{"@every", false},
	{"@every  1h", false},
	{"@", false},
	{"TZ=UTC 0 0 * * *", true},
	{"CRON_TZ=UTC 0 0 * * *", true},
	{"TZ= 0 0 * * *", true},
	{"TZ=UTC @daily", true},
	{"TZ=UTC", false},
	{"CRON_TZ=UTC", false},
	{"TZ=UTC ", false},
	{"TZ=UTC 0 0 * *", false},
	{"0 0 * * * TZ=UTC", false},
	{"99999999999999999999 * * * *", false},
	{"٠ * * * *", false},
	{"*\u00a0* * * *", true},
	{"0 0 31 2 *", true},
	{"*/-1 * * * *", false},
	{"0-x * * * *", false},
	{"* * * anf *", false},
	{"0-59 0-23 1-31 1-12 0-6", true},
	{"59,0 23,0 31,1 12,1 6,0", true},
	{"5-5 * * * *", true},
	{"TZ=UTC  @daily", true},
	{"* * * dec-dec *", true},
	{"* * * * sat,sun", true},
	{"60,0 * * * *", false},
	{"* 24,0 * * *", false},
	{"* * 1,32 * *", false},
	{"* * 0,1 * *", false},
}

func scheduleRows() []row {
	var all []row
	for _, c := range ScheduleCases() {
		all = append(all, acceptanceRow("schedule-parses", fmt.Sprintf("%q", c.Schedule), c.Accepted, func(t *Template) { t.Spec.Schedule = c.Schedule }))
	}
	return all
}
