package server

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/polyarch/polyarch/examples/apiserver/importer"
)

// Options says what to serve, and from where. The zero value is not complete:
// start from [Defaults].
type Options struct {
	// DataDir holds etcd's data, the serving certificate, the token and the
	// kubeconfig. Empty means a temporary directory that is removed at the end.
	DataDir string
	// RuntimeDir holds etcd's socket and must have a short path: a socket's path
	// is limited to 107 bytes. Empty means run in DataDir, or a temporary directory
	// if that path is too long.
	RuntimeDir string
	// EtcdServers are the endpoints of a running etcd cluster. Empty means that
	// an etcd of our own is run on DataDir.
	EtcdServers []string
	// EtcdCAFile, EtcdCertFile and EtcdKeyFile are for EtcdServers that speak TLS.
	EtcdCAFile, EtcdCertFile, EtcdKeyFile string
	// ConfigFile is an OpenShiftAPIServerConfig. Empty means an empty one.
	ConfigFile string
	// KubeconfigOut is where the kubeconfig is written. Empty means "kubeconfig"
	// in DataDir.
	KubeconfigOut string
	// BindAddress is the IP address to listen on.
	BindAddress string
	// SecurePort is the port to listen on; 0 means any free one.
	SecurePort int
	// TLSCertFile and TLSPrivateKeyFile replace the self-signed certificate.
	TLSCertFile, TLSPrivateKeyFile string
	// AllowRemote permits a BindAddress that is not a loopback address. It wants
	// a certificate too: a self-signed one proves nothing to the remote.
	AllowRemote bool
	// CRDDirs are directories of further CustomResourceDefinitions, *.yaml.
	CRDDirs []string
	// OpenShiftAPIDir is the directory of the module github.com/openshift/api.
	// Empty means that the go command is asked for it.
	OpenShiftAPIDir string
	// IgnoreLegacyFrom are beginnings of User-Agents. Legacy in their image stream
	// tags and imports is taken as not given: oc sends it unasked.
	IgnoreLegacyFrom []string
	// ImportPlatform is os/architecture: what Legacy imports of a manifest list if the
	// tag prefers nothing. Empty means that of this process.
	ImportPlatform string
	// ImportTimeout is how long the registries of one import have. What they have not
	// given by then has failed; the rest is stored.
	ImportTimeout time.Duration
	// ImportParallel is how many requests of one import are under way at the same time.
	ImportParallel int
	// PassThrough also serves the image streams of the group
	// passthrough.image.openshift.io, into which importmode does not look. It
	// is what benchmarks compare with.
	PassThrough bool
	// Verbosity is klog's; at 0 only errors are logged.
	Verbosity int
}

// Defaults are the options of a server for one user on one machine.
func Defaults() Options {
	return Options{BindAddress: "127.0.0.1", ImportTimeout: 50 * time.Second, ImportParallel: importer.DefaultLimits.Parallel}
}

// AddFlags registers the options as flags.
func (o *Options) AddFlags(fs *flag.FlagSet) {
	list := func(into *[]string) func(string) error {
		return func(s string) error {
			*into = append(*into, strings.Split(s, ",")...)
			return nil
		}
	}
	fs.StringVar(&o.DataDir, "data-dir", o.DataDir, "`directory` of etcd's data, the certificate, the token and the kubeconfig (default: a temporary one, removed at the end)")
	fs.StringVar(&o.RuntimeDir, "runtime-dir", o.RuntimeDir, "`directory` of etcd's socket; its path must be short (default: run in the data directory, if that is short enough, or a temporary one)")
	fs.Func("etcd-servers", "comma separated `URLs` of a running etcd cluster (default: an embedded etcd)", list(&o.EtcdServers))
	fs.StringVar(&o.EtcdCAFile, "etcd-cafile", o.EtcdCAFile, "`file` with the authority that --etcd-servers are certified by")
	fs.StringVar(&o.EtcdCertFile, "etcd-certfile", o.EtcdCertFile, "`file` with the certificate to show to --etcd-servers")
	fs.StringVar(&o.EtcdKeyFile, "etcd-keyfile", o.EtcdKeyFile, "`file` with the key of --etcd-certfile")
	fs.StringVar(&o.ConfigFile, "config", o.ConfigFile, "`file` with an OpenShiftAPIServerConfig, of which imagePolicyConfig is used")
	fs.StringVar(&o.KubeconfigOut, "kubeconfig-out", o.KubeconfigOut, "`file` to write the kubeconfig to (default: kubeconfig in the data directory)")
	fs.StringVar(&o.BindAddress, "bind-address", o.BindAddress, "IP `address` to listen on")
	fs.IntVar(&o.SecurePort, "secure-port", o.SecurePort, "`port` to listen on; 0 means any free one")
	fs.StringVar(&o.TLSCertFile, "tls-cert-file", o.TLSCertFile, "`file` with the serving certificate (default: self-signed)")
	fs.StringVar(&o.TLSPrivateKeyFile, "tls-private-key-file", o.TLSPrivateKeyFile, "`file` with the key of --tls-cert-file")
	fs.BoolVar(&o.AllowRemote, "allow-remote", o.AllowRemote, "permit a --bind-address that is not a loopback address")
	fs.Func("crds", "`directory` of further CustomResourceDefinitions, *.yaml; may be repeated", list(&o.CRDDirs))
	fs.StringVar(&o.OpenShiftAPIDir, "openshift-api-dir", o.OpenShiftAPIDir, "`directory` of the module github.com/openshift/api (default: ask the go command)")
	fs.Func("ignore-legacy-from", "comma separated `beginnings` of User-Agents, such as oc/, whose Legacy in image stream tags and imports counts as not given", list(&o.IgnoreLegacyFrom))
	fs.StringVar(&o.ImportPlatform, "import-platform", o.ImportPlatform, "`os/architecture` that Legacy imports of a manifest list if the tag prefers nothing (default: that of this process)")
	fs.DurationVar(&o.ImportTimeout, "import-timeout", o.ImportTimeout, "how `long` the registries of one import have; requests to the server end after a minute")
	fs.IntVar(&o.ImportParallel, "import-parallel", o.ImportParallel, "`number` of requests of one import that are under way at the same time")
	fs.BoolVar(&o.PassThrough, "serve-passthrough", o.PassThrough, "also serve passthrough.image.openshift.io, image streams without importmode, for benchmarks")
	fs.IntVar(&o.Verbosity, "v", o.Verbosity, "log `level`; at 0 only errors are logged")
}

// Validate refuses what would listen where nobody asked for it.
func (o *Options) Validate() error {
	var errs []error
	ip := net.ParseIP(o.BindAddress)
	switch {
	case ip == nil:
		errs = append(errs, fmt.Errorf("--bind-address is %q, must be an IP address", o.BindAddress))
	case !ip.IsLoopback() && !o.AllowRemote:
		errs = append(errs, fmt.Errorf("--bind-address is %s, which others can reach: add --allow-remote, --tls-cert-file and --tls-private-key-file if you want that", ip))
	case !ip.IsLoopback() && o.TLSCertFile == "":
		errs = append(errs, fmt.Errorf("--allow-remote wants --tls-cert-file and --tls-private-key-file"))
	}
	if len(o.EtcdServers) == 0 && o.EtcdCAFile+o.EtcdCertFile+o.EtcdKeyFile != "" {
		errs = append(errs, errors.New("--etcd-cafile, --etcd-certfile and --etcd-keyfile are for --etcd-servers"))
	}
	if (o.EtcdCertFile == "") != (o.EtcdKeyFile == "") {
		errs = append(errs, errors.New("--etcd-certfile and --etcd-keyfile go together"))
	}
	plain := func(endpoint string) bool { return strings.HasPrefix(endpoint, "http://") }
	if o.EtcdCAFile+o.EtcdCertFile != "" && slices.ContainsFunc(o.EtcdServers, plain) {
		errs = append(errs, fmt.Errorf("--etcd-servers %s: http:// is without TLS, and --etcd-cafile, --etcd-certfile and --etcd-keyfile are for it: use https://, or leave them out", strings.Join(o.EtcdServers, ",")))
	}
	if (o.TLSCertFile == "") != (o.TLSPrivateKeyFile == "") {
		errs = append(errs, errors.New("--tls-cert-file and --tls-private-key-file go together"))
	}
	if o.SecurePort < 0 || o.SecurePort > 65535 {
		errs = append(errs, fmt.Errorf("--secure-port is %d, must be 0 to 65535", o.SecurePort))
	}
	if o.ImportPlatform != "" {
		if os, arch, ok := strings.Cut(o.ImportPlatform, "/"); !ok || os == "" || arch == "" || strings.Contains(arch, "/") {
			errs = append(errs, fmt.Errorf("--import-platform is %q, must be os/architecture", o.ImportPlatform))
		}
	}
	if o.ImportTimeout <= 0 {
		errs = append(errs, fmt.Errorf("--import-timeout is %s, must be positive", o.ImportTimeout))
	}
	if o.ImportParallel < 1 {
		errs = append(errs, fmt.Errorf("--import-parallel is %d, must be at least 1", o.ImportParallel))
	}
	return errors.Join(errs...)
}
