package main

const help = `Publish per-architecture images as one image index under one tag.

usage: indexpush --to HOST/REPOSITORY:TAG [flags] IMAGE@DIGEST...

Images may be in other repositories and registries; they are copied beside the
index. The tag is written last: at every moment it leads to the whole old index or
to the whole new one. After an interruption run the same again: what has arrived
is not sent twice. Flags may stand before, between and after the images.

  --to HOST/REPOSITORY:TAG  where to push the index
  --require PLATFORM,...    what the index must offer, such as linux/amd64,linux/arm64/v8
  --dry-run                 print the index and push nothing
  --authfile FILE           credentials, see below
  --insecure[=HOST,...]     speak to these registries (with no HOST: to all) by HTTP, or
                            by TLS that is not verified. Credentials go there as well,
                            for anyone on the way to read. Not needed for loopback.
  --parallel N              how many images to read at the same time (8)
  --stall-timeout DURATION  give up when no byte has moved for so long (2m0s)
  --help                    print this

Standard output gets the name of the index by digest, or with --dry-run the index
itself; standard error all the rest.

examples:
  indexpush --to quay.io/demo/os:4.20 --require linux/amd64,linux/arm64 \
      quay.io/demo/build@sha256:... registry.example:5000/build@sha256:...
  indexpush --dry-run quay.io/demo/build@sha256:... quay.io/demo/build@sha256:...
  indexpush --to registry.lab:5000/os:dev --insecure=registry.lab:5000 \
      registry.lab:5000/build@sha256:... quay.io/demo/build@sha256:...

credentials are taken from the first of these that there is:
  FILE of --authfile, or else of the variable REGISTRY_AUTH_FILE
  ~/.docker/config.json, or config.json in the directory DOCKER_CONFIG
  containers/auth.json in XDG_RUNTIME_DIR, or else in XDG_CONFIG_HOME or ~/.config
All have the form that docker login, podman login and skopeo login write; a
dockerconfigjson of a pull secret has it, too. Credential helpers are asked.

exit codes:
  0    the index was pushed, or printed
  1    refused: something is wrong with the images; nothing was pushed
  2    a registry could not be read or written
  64   wrong use
  130  interrupted
`
