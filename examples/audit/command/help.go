package command

const help = `audit tells what polyarch's decisions say about a cluster, beside what the
cluster did. It reads and never writes.

Usage:
  go run -C examples ./audit [flags]

Where to read:
  --kubeconfig FILE     a running cluster (default: the usual rules: $KUBECONFIG,
                        ~/.kube/config, the service account of a pod)
  --context NAME        the context of the kubeconfig
  --must-gather PATH    files instead: a directory, .tar, .tar.gz or .zip that
                        oc adm must-gather or oc adm inspect wrote; may be repeated
  --print-inspect       print the command that fetches all that the audit reads, and end

What to ask:
  --what-if CHANGE      compare with the cluster after a change; may be repeated, and
                        all changes are made together:
                        payload=multi, payload=single
                        mode=Legacy, mode=PreserveOriginal
                        node-arch=+arm64, node-arch=-arm64
                        dict-arch=TEMPLATE=amd64,arm64
  --assume-children N   estimate what lists that nobody knows would add

What to write:
  -o, --output FORMAT   text (default), json, or html: one page that
                        needs nothing else, to read, filter and print
  --patches DIR         write what mends image streams as files for kubectl apply,
                        one per object, into a directory that is empty or not there
  --limit N             at most N entries of one code, and rows of a table (default
                        10000); all are counted
  --max-images N        read at most N Image objects (default 1000)
  --suppress FILE       lines CODE OBJECT REASON of what to live with; * in OBJECT
                        stands for any text; a line that matches nothing is reported

Exit status:
  0   nothing at or above --fail-on
  1   something
  2   the source could not be read, or not judged, whatever --fail-on says
  64  wrong use
  --fail-on LEVEL       broken (default), risk, note or never
`
