// Package importmode decides how image streams import manifest lists.
package importmode
