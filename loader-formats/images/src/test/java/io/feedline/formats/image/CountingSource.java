package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.RgbSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A source that counts how often it is decoded, and refuses regions outside the image. */
public final class CountingSource implements ImageSource {
  private final RgbSource pixels;
  private final AtomicInteger decodes = new AtomicInteger();
  private final AtomicInteger rowsRead = new AtomicInteger();
  private final AtomicReference<Region> lastRegion = new AtomicReference<>();

  public CountingSource(int width, int height) {
    this.pixels = new RgbSource(TestImage.rgb(width, height), width, height);
  }

  public Image image() {
    return Image.of(this, "counted");
  }

  public int decodes() {
    return decodes.get();
  }

  public int rowsRead() {
    return rowsRead.get();
  }

  public Region lastRegion() {
    return lastRegion.get();
  }

  @Override
  public int width() {
    return pixels.width();
  }

  @Override
  public int height() {
    return pixels.height();
  }

  @Override
  public PixelRows decode(Region region) {
    assertThat(region.x()).isNotNegative();
    assertThat(region.y()).isNotNegative();
    assertThat(region.width()).isBetween(1, width() - region.x());
    assertThat(region.height()).isBetween(1, height() - region.y());
    decodes.incrementAndGet();
    lastRegion.set(region);
    return new CountingRows(pixels.decode(region));
  }

  private final class CountingRows implements PixelRows {
    private final PixelRows rows;

    CountingRows(PixelRows rows) {
      this.rows = rows;
    }

    @Override
    public int width() {
      return rows.width();
    }

    @Override
    public int height() {
      return rows.height();
    }

    @Override
    public void read(int y, int count, int[] to, int offset, int stride) {
      assertThat(y).isBetween(0, height() - count);
      rowsRead.addAndGet(count);
      rows.read(y, count, to, offset, stride);
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
