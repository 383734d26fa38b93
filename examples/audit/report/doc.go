// Package report is the data of an audit, and how it is written: as text and as JSON. It
// decides nothing. docs/audit.md has the schema, the codes and the exit status, which are
// frozen: there are additions only.
package report
