package main

import (
	"context"
	"errors"
)

// An importModeChapter follows the mode from the release payload to the tags of
// image streams.
type importModeChapter struct {
	*cluster
	ancient record // the stream "ancient" as it was stored before 4.12
}

// Where the objects of the chapter are stored.
var (
	imageKey   = key("config.openshift.io", "images", "cluster")
	oldKey     = key("image.openshift.io", "imagestreams", namespace, "old")
	ancientKey = key("image.openshift.io", "imagestreams", namespace, "ancient")
)

// importModes tells the parts of the chapter in their order.
func importModes(ctx context.Context, w *world) (err error) {
	c := &importModeChapter{cluster: newCluster(w)}
	stop, err := c.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()

	c.singlePayload(ctx)
	c.ancientStream(ctx)
	c.migration(ctx)
	c.streamsAfterMigration(ctx)
	c.override(ctx)
	c.overrideRemoved(ctx)
	c.unknownModeRefused(ctx)
	c.unknownModeStored(ctx)
	c.unknownModeConfigured(ctx)
	c.wayBack(ctx)
	return nil
}
