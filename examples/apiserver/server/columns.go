package server

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apiserver/pkg/registry/rest"
)

// columns are what "kubectl get" shows of a resource. They are those of
// openshift-apiserver (pkg/image/printers/internalversion/printer.go, 5801636),
// and in wide output the import modes.
type columns struct {
	rest.TableConvertor // makes the table, with columns of its own
	definitions         []metav1.TableColumnDefinition
	cells               func(runtime.Object) []any
}

func (c columns) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	table, err := c.TableConvertor.ConvertToTable(ctx, object, options)
	if err != nil {
		return nil, err
	}
	if len(table.ColumnDefinitions) > 0 {
		table.ColumnDefinitions = c.definitions
	}
	for i := range table.Rows {
		table.Rows[i].Cells = c.cells(table.Rows[i].Object.Object)
	}
	return table, nil
}

// column is one of a table; what only wide output shows has a priority.
func column(name, description string, priority int32) metav1.TableColumnDefinition {
	c := metav1.TableColumnDefinition{Name: name, Type: "string", Description: description, Priority: priority}
	if name == "Name" {
		c.Format = "name"
	}
	return c
}

func streamColumns(resource schema.GroupResource) columns {
	return columns{rest.NewDefaultTableConvertor(resource), []metav1.TableColumnDefinition{
		column("Name", metav1.ObjectMeta{}.SwaggerDoc()["name"], 0),
		column("Image Repository", imagev1.ImageStreamStatus{}.SwaggerDoc()["dockerImageRepository"], 0),
		column("Tags", "Human readable list of tags.", 0),
		column("Updated", "Last update time.", 0),
		column("Import Modes", "Human readable list of the import modes of the tags in spec; a tag without one is imported as Legacy.", 1),
	}, streamCells}
}

func streamCells(obj runtime.Object) []any {
	stream := obj.(*imagev1.ImageStream)
	repository := stream.Spec.DockerImageRepository
	if repository == "" {
		repository = stream.Status.DockerImageRepository
	}
	if public := stream.Status.PublicDockerImageRepository; public != "" {
		repository = public
	}
	var latest metav1.Time
	for i := range stream.Status.Tags {
		if created := tagCreated(&stream.Status.Tags[i]); created.After(latest.Time) {
			latest = created
		}
	}
	var modes []string
	for i := range stream.Spec.Tags {
		modes = append(modes, stream.Spec.Tags[i].Name+"="+shownMode(&stream.Spec.Tags[i]))
	}
	return []any{stream.Name, repository, upToWidth(tagsInOrder(stream)), ago(latest), upToWidth(modes)}
}

func tagColumns() columns {
	return columns{rest.NewDefaultTableConvertor(tagResource), []metav1.TableColumnDefinition{
		column("Name", metav1.ObjectMeta{}.SwaggerDoc()["name"], 0),
		column("Image Reference", imagev1.Image{}.SwaggerDoc()["dockerImageReference"], 0),
		column("Updated", "Last update time.", 0),
		column("Image Name", imagev1.ImageStreamTag{}.SwaggerDoc()["image"], 1),
		column("Import Mode", "Import mode of the tag in spec; a tag without one is imported as Legacy.", 1),
	}, func(obj runtime.Object) []any {
		tag := obj.(*imagev1.ImageStreamTag)
		return []any{tag.Name, tag.Image.DockerImageReference, ago(tag.CreationTimestamp), tag.Image.Name, shownMode(tag.Tag)}
	}}
}

func shownMode(tag *imagev1.TagReference) string {
	switch {
	case tag == nil:
		return ""
	case tag.ImportPolicy.ImportMode == "":
		return "unset"
	}
	return string(tag.ImportPolicy.ImportMode)
}

// tagsInOrder returns the names of all tags, those with the latest images first,
// as SortStatusTags upstream, and of the same time by name. Upstream leaves out
// tags without an image; here one that waits for its import is shown.
func tagsInOrder(stream *imagev1.ImageStream) []string {
	created := map[string]time.Time{}
	for i := range stream.Spec.Tags {
		created[stream.Spec.Tags[i].Name] = time.Time{}
	}
	for i := range stream.Status.Tags {
		created[stream.Status.Tags[i].Tag] = tagCreated(&stream.Status.Tags[i]).Round(time.Second)
	}
	names := make([]string, 0, len(created))
	for name := range created {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if c := created[b].Compare(created[a]); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	return names
}

func tagCreated(tag *imagev1.NamedTagEventList) metav1.Time {
	if len(tag.Items) == 0 {
		return metav1.Time{}
	}
	return tag.Items[0].Created
}

// listWidth is the width of a list of tags upstream.
const listWidth = 40

// upToWidth joins as many entries as fit, and the first in any case.
func upToWidth(entries []string) string {
	shown, width := 0, 0
	for shown < len(entries) {
		width += len(entries[shown]) + 1
		if shown > 0 && width > listWidth {
			break
		}
		shown++
	}
	text := strings.Join(entries[:shown], ",")
	if hidden := len(entries) - shown; hidden > 0 {
		text += fmt.Sprintf(" + %d more...", hidden)
	}
	return text
}

func ago(t metav1.Time) string {
	if t.IsZero() {
		return ""
	}
	return duration.HumanDuration(time.Since(t.Time)) + " ago"
}
