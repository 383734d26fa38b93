// Package command is the audit as a command: flags, the sections in their order, and the
// exit status.
package command
