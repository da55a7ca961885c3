package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A source that counts how often it is decoded, and refuses regions outside the picture. */
final class CountingSource implements ImageSource {
  private final RgbSource pixels;
  private final AtomicInteger decodes = new AtomicInteger();
  private final AtomicReference<Region> lastRegion = new AtomicReference<>();

  CountingSource(int width, int height) {
    this.pixels = new RgbSource(TestPicture.rgb(width, height), width, height);
  }

  Image image() {
    return Image.of(this, "counted");
  }

  int decodes() {
    return decodes.get();
  }

  Region lastRegion() {
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
    return pixels.decode(region);
  }
}
