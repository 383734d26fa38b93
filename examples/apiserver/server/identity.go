package server

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/polyarch/polyarch/examples/internal/atomicfile"
)

// An identity is what clients know the server by, and what it knows them by.
// It is kept beside the data, so that clients stay connected over a restart.
type identity struct {
	certPEM, keyPEM []byte
	token           string
}

const (
	servingFile = "serving.pem"
	tokenFile   = "token"
)

func loadIdentity(dir string, bind net.IP) (identity, error) {
	for _, name := range []string{servingFile, tokenFile} {
		if err := ownersOnly(filepath.Join(dir, name)); err != nil {
			return identity{}, err
		}
	}
	cert, key, err := servingPair(filepath.Join(dir, servingFile), bind, time.Now())
	if err != nil {
		return identity{}, err
	}
	token, err := os.ReadFile(filepath.Join(dir, tokenFile))
	if errors.Is(err, fs.ErrNotExist) {
		token = []byte(newToken())
		err = atomicfile.Write(filepath.Join(dir, tokenFile), token)
	}
	if err != nil {
		return identity{}, fmt.Errorf("token: %w", remedied(err, dir))
	}
	// An editor, or a command's output, ends in a line feed, which no request can
	// have in its header.
	token = bytes.TrimSpace(token)
	if len(bytes.Fields(token)) > 1 {
		return identity{}, fmt.Errorf("token: %s holds more than one word: leave the token alone in it, or remove it to have a new one made", filepath.Join(dir, tokenFile))
	}
	// An empty token would make every request with an empty one an admin's.
	if len(token) < 32 {
		return identity{}, fmt.Errorf("token: %s holds %d bytes, want at least 32: remove it to have a new one made", filepath.Join(dir, tokenFile), len(token))
	}
	return identity{certPEM: cert, keyPEM: key, token: string(token)}, nil
}

// ownersOnly refuses a secret that others can read, or replace: whoever could read
// it once may still know it, so it is not enough to take the right away.
func ownersOnly(file string) error {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("credentials: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("credentials: others can get at %s (mode %s): remove it, and a new one is made; or, if nobody else has seen it, chmod 600 %s", file, info.Mode(), file)
	}
	return nil
}

func newToken() string {
	random := make([]byte, 32)
	rand.Read(random) // never fails, by its documentation
	return hex.EncodeToString(random)
}

// servingPair reads the certificate and its key, which are in one file so that
// they cannot come apart, and makes a new pair if there is none that serves.
func servingPair(file string, bind net.IP, now time.Time) (certPEM, keyPEM []byte, err error) {
	stored, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("serving certificate: %w", remedied(err, filepath.Dir(file)))
	}
	if block, rest := pem.Decode(stored); block != nil {
		certPEM, keyPEM = pem.EncodeToMemory(block), rest
		pair, err := tls.X509KeyPair(certPEM, keyPEM)
		if err != nil {
			return nil, nil, fmt.Errorf("serving certificate %s: %w: remove it to have a new one made", file, err)
		}
		if pair.Leaf.VerifyHostname(bind.String()) == nil && now.Before(pair.Leaf.NotAfter) {
			return certPEM, keyPEM, nil
		}
	}
	if certPEM, keyPEM, err = selfSigned(bind, now); err != nil {
		return nil, nil, fmt.Errorf("serving certificate: %w", err)
	}
	if err := atomicfile.Write(file, bytes.Join([][]byte{certPEM, keyPEM}, nil)); err != nil {
		return nil, nil, fmt.Errorf("serving certificate: %w", remedied(err, filepath.Dir(file)))
	}
	return certPEM, keyPEM, nil
}

func selfSigned(bind net.IP, now time.Time) (certPEM, keyPEM []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, nil, err
	}
	template := x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "polyarch reference apiserver"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
		// The server's own client asks for the second name.
		DNSNames:    []string{"localhost", genericapiserver.LoopbackClientServerNameOverride},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback, bind},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), nil
}
