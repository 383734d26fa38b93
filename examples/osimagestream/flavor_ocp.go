//go:build !scos

package main

import "github.com/polyarch/polyarch/osimagestream"

const flavor = osimagestream.OCP
