// Package section asks polyarch's packages about the objects of a cluster, and puts what
// they answer into the sections of a report. It decides nothing: a reason, a problem or a
// finding that stands in a section is one of a package.
package section
