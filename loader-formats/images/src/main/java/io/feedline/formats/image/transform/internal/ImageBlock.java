package io.feedline.formats.image.transform.internal;

import io.feedline.batch.Shape;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Region;

/**
 * A rectangle of an image in a range of channels. {@link #from} and {@link #to} return its bounds
 * by axis for {@link io.feedline.batch.BatchTransform.MutableBatch}.
 */
public record ImageBlock(ImageLayout layout, Region region, long firstChannel, long endChannel) {

  public long[] from() {
    return axes(firstChannel, region.y(), region.x());
  }

  public long[] to() {
    return axes(endChannel, region.y() + region.height(), region.x() + region.width());
  }

  private long[] axes(long channel, long y, long x) {
    return layout == ImageLayout.CHW ? new long[] {channel, y, x} : new long[] {y, x, channel};
  }

  public static long channels(ImageLayout layout, Shape images) {
    return images.length(layout == ImageLayout.CHW ? 1 : 3);
  }

  public static int height(ImageLayout layout, Shape images) {
    return (int) images.length(layout == ImageLayout.CHW ? 2 : 1);
  }

  public static int width(ImageLayout layout, Shape images) {
    return (int) images.length(layout == ImageLayout.CHW ? 3 : 2);
  }
}
