package dictexpandtest_test

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

// asWritten is an operator that makes one cron of each template, and deletes its crons
// that no template asks for. What is missing is there before what is left over goes.
func asWritten(client *dictexpandtest.Client, templates []dictexpandtest.Template, c dictexpandtest.Cluster) error {
	live := client.Crons()
	for _, t := range templates {
		if slices.ContainsFunc(live, func(o cdiv1beta1.DataImportCron) bool { return o.Name == t.Name }) {
			continue
		}
		if err := client.CreateCron(cdiv1beta1.DataImportCron{
			ObjectMeta: metav1.ObjectMeta{Namespace: c.Namespace, Name: t.Name, Labels: c.Labels, Annotations: c.Annotations}, Spec: t.Spec,
		}); err != nil {
			return err
		}
	}
	for _, o := range live {
		if !slices.ContainsFunc(templates, func(t dictexpandtest.Template) bool { return t.Name == o.Name }) {
			if err := client.DeleteCron(o.Namespace, o.Name, o.UID); err != nil {
				return err
			}
		}
	}
	return nil
}

// Somebody renames a template whose images go with its cron.
func ExampleHistory_Play() {
	renamed := dictexpandtest.TemplateOf("fedora-image-cron", "fedora", "")
	history := dictexpandtest.History{
		First: []dictexpandtest.Template{dictexpandtest.RetainNone(dictexpandtest.TemplateOf("fedora", "fedora", ""))},
		Events: []dictexpandtest.Event{
			{Verb: dictexpandtest.VerbRename, Templates: []dictexpandtest.Template{renamed}},
			{Verb: dictexpandtest.VerbReconcile},
		},
		Last: []dictexpandtest.Template{renamed},
	}
	mishaps := history.Play(func() dictexpandtest.Impl { return dictexpandtest.Impl{Reconcile: asWritten} })
	for _, m := range mishaps.Lost {
		fmt.Println(m)
	}
	// Output:
	// event 1: Delete DataImportCron openshift-virtualization-os-images/fedora takes the image from openshift-virtualization-os-images/fedora
}

// The same without the loss: CDI keeps the images, and the new cron stands still, since
// the DataSource carries the label of the old one.
func ExampleStory_Play() {
	story := dictexpandtest.StoryNamed("a renamed template")
	fmt.Print(story.Play(asWritten, false))
	fmt.Println("and it should be:")
	fmt.Print(story.Want)
	// Output:
	// cron a manages m, new
	// DataSource m has an image
	// and it should be:
	// cron a manages m, new
	// DataSource m has an image, updated by a
}
