package report

import (
	"fmt"
	"strings"
)

// table writes the rows in columns that fit, with the text of a cell wrapped.
func (p *printer) table(t Table) {
	if len(t.Rows) == 0 || t.JSONOnly {
		return
	}
	p.line("  " + t.Title)
	rows := append([][]string{t.Columns}, t.Rows[:min(len(t.Rows), maxText)]...)
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns(short(cell)))
		}
	}
	for total(widths) > Width-4 {
		widest := 0
		for i := range widths {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		widths[widest]--
	}
	for _, row := range rows {
		cells, height := make([][]string, len(row)), 1
		for i, cell := range row {
			cells[i] = wrap(short(cell), widths[i])
			height = max(height, len(cells[i]))
		}
		for line := range height {
			text := "    "
			for i := range row {
				cell := ""
				if line < len(cells[i]) {
					cell = cells[i][line]
				}
				text += cell + strings.Repeat(" ", max(widths[i]-columns(cell), 0)+2)
			}
			p.line(text)
		}
	}
	if more := len(t.Rows) - maxText + t.Omitted; more > 0 && len(t.Rows) >= maxText {
		p.line(fmt.Sprintf("    and %d more", more))
	}
}

func total(widths []int) int {
	n := 0
	for _, w := range widths {
		n += max(w, 10) + 2
	}
	return n
}

func (p *printer) entries(entries []Entry, omitted map[string]int) {
	for i := 0; i < len(entries); {
		n := i
		for n < len(entries) && entries[n].Code == entries[i].Code {
			n++
		}
		p.entriesOf(entries[i:n], omitted[entries[i].Code])
		i = n
	}
}

// entriesOf writes the entries of one code, with what they have in common once.
func (p *printer) entriesOf(entries []Entry, omitted int) {
	first := entries[0]
	p.line("")
	p.hang(2, p.paint(colorOf(first.Level), string(first.Level))+" ", fmt.Sprintf("%s (%d)", first.Code, len(entries)+omitted))
	p.hang(4, "impact: ", first.Impact)
	p.hang(4, "remedy: ", first.Remedy)
	for i, e := range entries {
		if i == maxText {
			break
		}
		at := e.Object
		if e.Field != "" {
			at += " " + e.Field
		}
		p.text("    - ", "      ", at+": "+e.Detail)
		for _, c := range e.Commands {
			p.command(6, c)
		}
	}
	if more := max(len(entries)-maxText, 0) + omitted; more > 0 {
		p.line(fmt.Sprintf("    and %d more; -o json has up to --limit", more))
	}
}

func (p *printer) command(indent int, c string) {
	for i, line := range wrapCommand(c, Width-indent-2) {
		mark := "$ "
		if i > 0 {
			mark = "  "
		}
		p.line(strings.Repeat(" ", indent) + mark + line)
	}
}
