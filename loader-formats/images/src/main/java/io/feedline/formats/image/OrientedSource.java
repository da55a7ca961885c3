package io.feedline.formats.image;

import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.DerivedRows;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import io.feedline.formats.image.pixel.internal.SampleRows;
import java.io.IOException;
import java.util.Locale;

/** An image turned by right angles, or mirrored; only the requested part is decoded. */
record OrientedSource(ImageSource parent, Orientation orientation) implements ImageSource {

  @Override
  public int width() {
    return orientation.swapsAxes() ? parent.height() : parent.width();
  }

  @Override
  public int height() {
    return orientation.swapsAxes() ? parent.width() : parent.height();
  }

  @Override
  public ImageMode mode() {
    return parent.mode();
  }

  @Override
  public PixelRows decode(Region region) throws IOException {
    Region part = orientation.stored(region, parent.width(), parent.height());
    if (orientation == Orientation.UPSIDE_DOWN_MIRRORED) {
      return new ReversedRows(parent.decode(part));
    }
    try (PixelRows stored = parent.decode(part)) {
      return PixelBuffer.turned(stored, orientation);
    }
  }

  /** The rows of an image from bottom to top. */
  private record ReversedRows(PixelRows rows) implements DerivedRows, SampleRows {
    @Override
    public void read(int y, int count, int[] pixels, int offset, int stride) {
      // Rows are read in the order of memory, so that processors can predict the next read.
      for (int i = count - 1; i >= 0; i--) {
        rows.read(height() - 1 - y - i, 1, pixels, offset + i * stride, stride);
      }
    }

    @Override
    public void readSamples(int y, byte[] samples, int offset, int[] scratch) {
      SampleRows.read(rows, height() - 1 - y, samples, offset, scratch);
    }
  }

  @Override
  public String inWords() {
    return "(%s, %s)"
        .formatted(parent.inWords(), orientation.name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }
}
