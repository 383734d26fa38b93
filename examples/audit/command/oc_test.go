package command_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/jsonpath"

	"github.com/polyarch/polyarch/examples/audit/internal/gather"
)

// ocEnv, with the path of a kubeconfig, makes the test binary do what oc does for the
// command that --print-inspect prints.
const ocEnv = "AUDIT_TEST_OC"

// An oc does what the commands do that the audit prints.
type oc struct {
	dynamic.Interface
	served map[string]schema.GroupVersionResource // by resource and group, as oc names them
}

func beOC(kubeconfig string, args []string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	c := &oc{client, map[string]schema.GroupVersionResource{}}
	if err := c.discover(discovery.NewDiscoveryClientForConfigOrDie(config)); err != nil {
		return err
	}
	flags := pflag.NewFlagSet("oc", pflag.ContinueOnError)
	all, namespace := flags.Bool("all-namespaces", false, ""), flags.String("namespace", "", "")
	dest, output, verbs := flags.String("dest-dir", "", ""), flags.StringP("output", "o", "", ""), flags.String("verbs", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch args := flags.Args(); {
	case slices.Equal(args, []string{"api-resources"}) && *verbs == "list" && *output == "name":
		for name := range c.served {
			fmt.Println(name)
		}
		return nil
	case len(args) == 2 && args[0] == "get" && *all:
		return c.get(args[1], strings.TrimPrefix(*output, "jsonpath="), os.Stdout)
	case len(args) == 3 && args[0] == "adm" && args[1] == "inspect" && *dest != "" && *all != (*namespace != ""):
		for what := range strings.SplitSeq(args[2], ",") {
			if err := c.inspect(what, *namespace, *dest); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("oc of the tests knows no %q", args)
}

// discover finds what can be listed.
func (c *oc) discover(client discovery.DiscoveryInterface) error {
	lists, err := client.ServerPreferredResources()
	for _, list := range lists {
		of, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return err
		}
		for _, r := range list.APIResources {
			if slices.Contains(r.Verbs, "list") {
				gvr := of.WithResource(r.Name)
				c.served[strings.TrimSuffix(gvr.GroupResource().String(), ".")] = gvr
			}
		}
	}
	return err
}

// list lists the objects of a kind in a namespace, or in all.
func (c *oc) list(resource, namespace string) ([]*unstructured.Unstructured, error) {
	gvr, there := c.served[resource]
	if !there {
		return nil, fmt.Errorf("error: the server doesn't have a resource type %q", resource)
	}
	list, err := c.Resource(gvr).Namespace(namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for i := range list.Items {
		objects = append(objects, &list.Items[i])
	}
	return objects, nil
}

// inspect writes the objects of a kind, or one of them. Those of config.openshift.io are
// written as one list besides.
func (c *oc) inspect(what, namespace, dest string) error {
	resource, name, one := strings.Cut(what, "/")
	objects, err := c.list(resource, namespace)
	if err != nil {
		return err
	}
	if one {
		objects = slices.DeleteFunc(objects, func(o *unstructured.Unstructured) bool { return o.GetName() != name })
		if len(objects) == 0 {
			return fmt.Errorf("error: %s %q not found", resource, name)
		}
	}
	if err := gather.Write(dest, objects...); err != nil || len(objects) == 0 {
		return err
	}
	if gvr := c.served[resource]; gvr.Group == "config.openshift.io" {
		file := filepath.Join("cluster-scoped-resources", gvr.Group, gvr.Resource+".yaml")
		return gather.WriteList(dest, gvr.GroupVersion().String(), objects[0].GetKind()+"List", file, objects...)
	}
	return nil
}

// get prints what a JSONPath finds in the list of all objects of a kind.
func (c *oc) get(resource, path string, w io.Writer) error {
	objects, err := c.list(resource, "")
	if err != nil {
		return err
	}
	items := make([]any, len(objects))
	for i, o := range objects {
		items[i] = o.Object
	}
	p := jsonpath.New("output")
	if err := p.Parse(path); err != nil {
		return err
	}
	return p.Execute(w, map[string]any{"items": items})
}
