package ha_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/polyarch/polyarch/examples/internal/etcdtest"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

// testCertificates holds that what is wrong with a certificate is said at once, with
// the file, the cause and what to do.
func testCertificates(t *testing.T, etcd *etcdtest.Cluster, authority *etcdtest.Authority) {
	stranger := etcdtest.NewAuthority(t, "another authority")
	good := authority.Issue(t, "good")
	expired := func(c *x509.Certificate) {
		c.NotBefore, c.NotAfter = time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour)
	}
	early := func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Hour) }
	forServers := func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} }
	elsewhere := func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(192, 0, 2, 1)} }
	old, future, foreign, serving := authority.Issue(t, "old", expired), authority.Issue(t, "future", early), stranger.Issue(t, "foreign"), authority.Issue(t, "serving", forServers)
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(t.TempDir(), "gone.pem")
	mixed := etcdtest.Pair{CertFile: good.CertFile, KeyFile: foreign.KeyFile}
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	oldServer, elsewhereServer := tlsServer(t, authority.Issue(t, "old-server", expired)), tlsServer(t, authority.Issue(t, "elsewhere", elsewhere))

	for name, c := range map[string]struct {
		flags   []string
		servers []string // the cluster's, if none
		says    []string
	}{
		"no certificates":                  {nil, nil, []string{"--etcd-cafile", "not signed by the authorities of this machine"}},
		"another authority":                {tlsFlags(stranger.File, good), nil, []string{stranger.File, "not signed", "give --etcd-cafile"}},
		"no client certificate":            {[]string{"--etcd-cafile=" + authority.File}, nil, []string{"certificate required", "give --etcd-certfile and --etcd-keyfile"}},
		"expired":                          {tlsFlags(authority.File, old), nil, []string{old.CertFile, "expired on", "new one"}},
		"not yet valid":                    {tlsFlags(authority.File, future), nil, []string{future.CertFile, "not valid before", "clock"}},
		"of another authority":             {tlsFlags(authority.File, foreign), nil, []string{foreign.CertFile, "refuses", "unknown certificate authority", "--trusted-ca-file"}},
		"not for clients":                  {tlsFlags(authority.File, serving), nil, []string{serving.CertFile, "refuses", "for client authentication"}},
		"key of another":                   {tlsFlags(authority.File, mixed), nil, []string{mixed.CertFile, mixed.KeyFile, "does not match", "the key that it was made for"}},
		"certificate without key":          {tlsFlags(authority.File, good)[:2], nil, []string{"--etcd-certfile and --etcd-keyfile go together"}},
		"no such authority":                {tlsFlags(gone, good), nil, []string{"--etcd-cafile", gone, "no such file"}},
		"no such certificate":              {tlsFlags(authority.File, etcdtest.Pair{CertFile: gone, KeyFile: good.KeyFile}), nil, []string{"--etcd-certfile", gone, "no such file"}},
		"authority that is none":           {tlsFlags(empty, good), nil, []string{"--etcd-cafile", empty, "no certificate in it"}},
		"a member's certificate expired":   {tlsFlags(authority.File, good), []string{oldServer}, []string{oldServer, "has expired", "at the member"}},
		"a member's certificate elsewhere": {tlsFlags(authority.File, good), []string{elsewhereServer}, []string{elsewhereServer, "valid for 192.0.2.1", "lists this address"}},
		"no TLS, certificates given":       {tlsFlags(authority.File, good), plain(etcd.Endpoints()), []string{plain(etcd.Endpoints())[0], "use https://"}},
		"no etcd":                          {nil, []string{web.URL}, []string{web.URL, "no etcd", "listens for clients"}},
		"no TLS":                           {nil, plain(etcd.Endpoints()), []string{plain(etcd.Endpoints())[0], "use https://"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "data")
			servers := c.servers
			if servers == nil {
				servers = etcd.Endpoints()
			}
			args := slices.Concat([]string{"--data-dir=" + data, "--openshift-api-dir=" + openshiftAPIDir(), "--etcd-servers=" + strings.Join(servers, ",")}, c.flags)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			var output bytes.Buffer
			command := exec.CommandContext(ctx, testserver.Command(t)[0], args...)
			command.Stdout, command.Stderr = &output, &output
			begin := time.Now()
			err := command.Run()
			if command.ProcessState.ExitCode() != 1 {
				t.Fatalf("ended with %v, want exit code 1\n%s", err, &output)
			}
			t.Logf("after %s: %s", time.Since(begin).Round(time.Millisecond), &output)
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("took %s, want 10 s at most", took)
			}
			if lines := strings.Count(output.String(), "\n"); lines != 1 {
				t.Errorf("%d lines, want one", lines)
			}
			for _, s := range c.says {
				if !strings.Contains(output.String(), s) {
					t.Errorf("does not say %q", s)
				}
			}
			if _, err := os.Stat(data); err == nil {
				t.Error("a directory was made")
			}
		})
	}
}

// plain are the same addresses without TLS.
func plain(endpoints []string) []string {
	var urls []string
	for _, e := range endpoints {
		urls = append(urls, strings.Replace(e, "https://", "http://", 1))
	}
	return urls
}

// tlsServer shows that certificate to whoever connects; nobody comes further who
// looks at it.
func tlsServer(t *testing.T, pair etcdtest.Pair) string {
	t.Helper()
	certificate, err := tls.LoadX509KeyPair(pair.CertFile, pair.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{certificate}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				_ = connection.(*tls.Conn).HandshakeContext(t.Context())
			}()
		}
	}()
	return "https://" + listener.Addr().String()
}
