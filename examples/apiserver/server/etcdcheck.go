package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	"k8s.io/klog/v2"
)

const (
	// etcdPatience is how long members that do not answer are waited for: they may
	// be starting, too.
	etcdPatience = 8 * time.Second
	// etcdProbeTimeout is how long one member has for one answer.
	etcdProbeTimeout = 3 * time.Second
)

// checkEtcd returns when one of --etcd-servers answers and has a leader, and otherwise
// says what is wrong with which file or member. The client that storage uses tries for
// ever, and keeps the reason to itself.
func checkEtcd(ctx context.Context, o Options) error {
	if err := checkEtcdFiles(o, time.Now()); err != nil {
		return err
	}
	info := transport.TLSInfo{TrustedCAFile: o.EtcdCAFile, CertFile: o.EtcdCertFile, KeyFile: o.EtcdKeyFile}
	config, err := info.ClientConfig()
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, etcdPatience)
	defer cancel()
	var troubles []etcdTrouble
	for {
		latest := probeAll(ctx, o, config)
		if troubles == nil || ctx.Err() == nil { // the end cuts probes off
			troubles = latest
		}
		answered := slices.ContainsFunc(troubles, func(t etcdTrouble) bool { return t.cause == "" })
		certain := slices.ContainsFunc(troubles, func(t etcdTrouble) bool { return t.certain })
		if answered {
			// The others may be down. A member whose certificate is wrong does not
			// mend by itself, and a cluster that lacks it is one failure nearer to its end.
			for _, t := range troubles {
				if t.certain {
					klog.Errorf("etcd at %s: %s", t.endpoint, t.cause)
				}
			}
			return nil
		}
		if !certain {
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
				continue
			}
		}
		return describe(troubles)
	}
}

// checkEtcdFiles finds what is wrong with the files by themselves.
func checkEtcdFiles(o Options, now time.Time) error {
	if o.EtcdCAFile != "" {
		content, err := os.ReadFile(o.EtcdCAFile)
		if err != nil {
			return fmt.Errorf("--etcd-cafile: %w", err)
		}
		if !x509.NewCertPool().AppendCertsFromPEM(content) {
			return fmt.Errorf("--etcd-cafile %s: no certificate in it: give the PEM file of the authority that certifies etcd's members", o.EtcdCAFile)
		}
	}
	if o.EtcdCertFile == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(o.EtcdCertFile, o.EtcdKeyFile)
	switch {
	case errors.As(err, new(*os.PathError)):
		return fmt.Errorf("--etcd-certfile, --etcd-keyfile: %w", err)
	case err != nil:
		return fmt.Errorf("--etcd-certfile %s, --etcd-keyfile %s: %w: give a certificate and the key that it was made for, both as PEM", o.EtcdCertFile, o.EtcdKeyFile, err)
	case now.After(pair.Leaf.NotAfter):
		return fmt.Errorf("--etcd-certfile %s: expired on %s: have a new one issued", o.EtcdCertFile, pair.Leaf.NotAfter.Format(time.RFC3339))
	case now.Before(pair.Leaf.NotBefore):
		return fmt.Errorf("--etcd-certfile %s: not valid before %s: is the clock of this machine right?", o.EtcdCertFile, pair.Leaf.NotBefore.Format(time.RFC3339))
	}
	return nil
}

// An etcdTrouble is why a member cannot be used, or that it can.
type etcdTrouble struct {
	endpoint string
	cause    string // empty if it answers
	certain  bool   // waiting does not help
}

func probeAll(ctx context.Context, o Options, config *tls.Config) []etcdTrouble {
	troubles := make([]etcdTrouble, len(o.EtcdServers))
	var group sync.WaitGroup
	for i, endpoint := range o.EtcdServers {
		group.Go(func() {
			err := probe(ctx, endpoint, config)
			if err == nil {
				err = askLeader(ctx, endpoint, config)
			}
			cause, certain := explainProbe(err, endpoint, o)
			troubles[i] = etcdTrouble{endpoint, cause, certain}
		})
	}
	group.Wait()
	return troubles
}

// An HTTP/2 client begins with preface; a server's first frame is of type settings
// (RFC 9113, sections 3.4 and 6.5).
const (
	preface      = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	frameHeader  = 9
	settingsType = 4
)

var errNoHTTP2 = errors.New("what listens there is no etcd: it does not speak HTTP/2")

// probe begins as gRPC does, and waits for the first frame: with TLS 1.3, a server
// refuses a certificate only after the client's side of the handshake is done.
func probe(ctx context.Context, endpoint string, config *tls.Config) error {
	u, err := url.Parse(endpoint)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, etcdProbeTimeout)
	defer cancel()
	var connection net.Conn
	switch u.Scheme {
	case "http":
		connection, err = new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	case "https":
		config = config.Clone()
		config.NextProtos = []string{"h2"}
		connection, err = (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", u.Host)
	default:
		return nil // a socket, whose other end has no certificate
	}
	if err != nil {
		return err
	}
	defer connection.Close()
	stop := context.AfterFunc(ctx, func() { connection.Close() })
	defer stop()
	// If writing fails, reading knows why.
	_, _ = io.WriteString(connection, preface)
	header := make([]byte, frameHeader)
	if _, err := io.ReadFull(connection, header); err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	if header[3] != settingsType {
		return errNoHTTP2
	}
	return nil
}

// explainProbe gives the cause and the remedy in words, and whether only a change of
// files or flags helps.
func explainProbe(err error, endpoint string, o Options) (cause string, certain bool) {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		noTLS   tls.RecordHeaderError
		op      *net.OpError
		badURL  *url.Error
		ca      = "--etcd-cafile " + o.EtcdCAFile
	)
	if o.EtcdCAFile == "" {
		ca = "the authorities of this machine"
	}
	switch {
	case err == nil:
		return "", false
	case errors.As(err, &unknown):
		return fmt.Sprintf("its certificate is not signed by %s: give --etcd-cafile the authority of that cluster", ca), true
	case errors.As(err, &name):
		return fmt.Sprintf("%v: use an address that its certificate lists, or have one issued for the member that lists this address", name), true
	case errors.As(err, &invalid):
		return fmt.Sprintf("its certificate, checked with %s: %v: mend the certificate at the member", ca, invalid), true
	case errors.As(err, &noTLS):
		return "it does not speak TLS: use http://, or give the member certificates", true
	case errors.As(err, &op) && op.Op == "remote error" && o.EtcdCertFile == "":
		return fmt.Sprintf("it wants a client certificate (%v): give --etcd-certfile and --etcd-keyfile", op.Err), true
	case errors.As(err, &op) && op.Op == "remote error":
		return fmt.Sprintf("it refuses --etcd-certfile %s (%v): have one issued for client authentication by an authority of the member's --trusted-ca-file", o.EtcdCertFile, op.Err), true
	case errors.Is(err, io.EOF) && strings.HasPrefix(endpoint, "http://"):
		return "it ends the connection: if it speaks TLS, use https://", true
	case err == errNoLeader:
		return fmt.Sprintf("%v: more than half of the cluster's members must run and reach each other", err), false
	case err == errNoHTTP2:
		return fmt.Sprintf("%v: give the URL at which the member listens for clients", err), true
	case errors.As(err, &badURL):
		return fmt.Sprintf("%v: give a URL such as https://10.0.0.1:2379", badURL.Err), true
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer: is the member running, and nothing between that drops packets?", false
	}
	return fmt.Sprintf("%v: is the member running there?", err), false
}

// describe tells each cause once, with the members that it holds for.
func describe(troubles []etcdTrouble) error {
	var causes []string
	members := map[string][]string{}
	for _, t := range troubles {
		if members[t.cause] == nil {
			causes = append(causes, t.cause)
		}
		members[t.cause] = append(members[t.cause], t.endpoint)
	}
	for i, cause := range causes {
		causes[i] = strings.Join(members[cause], ", ") + ": " + cause
	}
	return errors.New("etcd: none of --etcd-servers can be used: " + strings.Join(causes, "; "))
}
