package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.ColumnRows;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.RegionRows;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.RegionDecoder;
import java.util.function.Supplier;

/** A decoder for each thread. A thread drops a decoder that an image made unusually large. */
final class ThreadDecoder<D extends RegionDecoder> {

  private static final int KEPT_PIXELS = 16 << 20;

  private final ThreadLocal<D> kept;

  ThreadDecoder(Supplier<D> creator) {
    this.kept = ThreadLocal.withInitial(creator);
  }

  interface Decoding<D> {
    void decode(D decoder) throws JpegException;
  }

  /**
   * Decodes a region. {@code rgb} means that the image is stored as RGB, so that gray must be
   * computed from colors.
   *
   * @return the pixels; valid until the thread decodes again
   */
  PixelRows decode(Region region, ImageMode mode, boolean rgb, Decoding<D> decoding)
      throws JpegException {
    boolean luma = mode == ImageMode.GRAY && !rgb;
    D decoder = kept.get();
    decoder.onlyLuma(luma);
    decoding.decode(decoder);
    PixelRows rows = new Rows(decoder, region, kept);
    return luma ? rows : Conversion.convert(rows, mode);
  }

  /** Lets this thread's decoder read an image; no pixels are returned. */
  void read(Decoding<D> decoding) throws JpegException {
    decoding.decode(kept.get());
  }

  private record Rows(RegionDecoder decoder, Region region, ThreadLocal<?> kept)
      implements RegionRows, ColumnRows {

    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      decoder.read(y, rows, pixels, offset, stride);
    }

    @Override
    public void readColumns(int y, int rows, int[][] columns) {
      decoder.readColumns(y, rows, columns);
    }

    @Override
    public void close() {
      if ((long) region.width() * region.height() > KEPT_PIXELS) {
        kept.remove();
      }
    }
  }
}
