// Package etcdtest runs etcd clusters for tests: each member is a process of
// etcdmember, and with an authority all of them, and their clients, speak TLS.
package etcdtest
