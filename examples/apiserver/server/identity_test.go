package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/polyarch/polyarch/examples/internal/atomicfile"
)

func TestIdentity(t *testing.T) {
	t.Parallel()
	dir, loopback := t.TempDir(), net.IPv4(127, 0, 0, 1)
	first, err := loadIdentity(dir, loopback)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("kept", func(t *testing.T) {
		again, err := loadIdentity(dir, loopback)
		if err != nil || string(again.certPEM)+string(again.keyPEM)+again.token != string(first.certPEM)+string(first.keyPEM)+first.token {
			t.Errorf("error %v, or another identity", err)
		}
	})
	t.Run("private", func(t *testing.T) {
		for _, name := range []string{servingFile, tokenFile} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v; want mode 0600", name, err, info.Mode())
			}
		}
	})
	t.Run("serves", func(t *testing.T) {
		pair, err := tls.X509KeyPair(first.certPEM, first.keyPEM)
		if err != nil {
			t.Fatal(err)
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(first.certPEM)
		for _, name := range []string{"127.0.0.1", "::1", "localhost", "apiserver-loopback-client"} {
			if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("another address", func(t *testing.T) {
		other, err := loadIdentity(dir, net.IPv4(127, 0, 0, 2))
		if err != nil || string(other.certPEM) == string(first.certPEM) || other.token != first.token {
			t.Errorf("error %v; want another certificate and the same token", err)
		}
	})
	t.Run("expired", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), servingFile)
		old, _, err := servingPair(file, loopback, time.Now().AddDate(-2, 0, 0))
		if err != nil {
			t.Fatal(err)
		}
		renewed, _, err := servingPair(file, loopback, time.Now())
		if err != nil || string(renewed) == string(old) {
			t.Errorf("error %v, or an expired certificate", err)
		}
	})
	t.Run("open to others", func(t *testing.T) {
		for _, name := range []string{servingFile, tokenFile} {
			for _, mode := range []os.FileMode{0o644, 0o640, 0o602} {
				dir := t.TempDir()
				if _, err := loadIdentity(dir, loopback); err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(dir, name)
				if err := os.Chmod(file, mode); err != nil {
					t.Fatal(err)
				}
				if _, err := loadIdentity(dir, loopback); err == nil || !strings.Contains(err.Error(), "chmod 600 "+file) {
					t.Errorf("%s of mode %v: got %v, want an error that names the file and the remedy", name, mode, err)
				}
			}
		}
	})
	t.Run("damaged", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), servingFile)
		if err := os.WriteFile(file, first.certPEM, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := servingPair(file, loopback, time.Now()); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("got %v, want an error that names the file", err)
		}
	})
	t.Run("tokens that were written by hand", func(t *testing.T) {
		long := strings.Repeat("0123456789abcdef", 2)
		for _, c := range []struct{ content, want string }{
			{long, long},
			{long + "\n", long},
			{long + "\r\n", long},
			{" \t" + long + " \n\n", long},
			{"", ""},
			{strings.Repeat("\n", 40), ""},
			{long[1:] + "\n", ""},
			{long + ",admin,1\n" + long, ""},
			{long + " " + long, ""},
		} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, tokenFile), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := loadIdentity(dir, loopback)
			if got.token != c.want {
				t.Errorf("%q: token %q, want %q", c.content, got.token, c.want)
			}
			if refused := err != nil; refused != (c.want == "") || refused && !strings.Contains(err.Error(), filepath.Join(dir, tokenFile)) {
				t.Errorf("%q: %v, want an error that names the file only without a token", c.content, err)
			}
		}
	})
}

// TestOwnCertificate serves with a certificate of the administrator's.
func TestOwnCertificate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key, err := selfSigned(net.IPv4(127, 0, 0, 1), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults()
	o.DataDir = filepath.Join(dir, "data")
	o.TLSCertFile, o.TLSPrivateKeyFile = filepath.Join(dir, "crt"), filepath.Join(dir, "key")
	for file, content := range map[string][]byte{o.TLSCertFile: cert, o.TLSPrivateKeyFile: key} {
		if err := atomicfile.Write(file, content); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	err = Run(ctx, o, func(kubeconfig string) {
		defer stop()
		config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
		if err != nil {
			t.Error(err)
			return
		}
		if string(config.CAData) != string(cert) {
			t.Error("the kubeconfig trusts another certificate")
		}
		c, err := rest.HTTPClientFor(config)
		if err != nil {
			t.Error(err)
			return
		}
		response, err := c.Get(config.Host + "/readyz")
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		if got := response.TLS.PeerCertificates[0].Raw; string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: got})) != string(cert) {
			t.Error("the server shows another certificate")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
