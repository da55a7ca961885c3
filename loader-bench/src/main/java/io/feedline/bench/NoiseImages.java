package io.feedline.bench;

import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.LabeledImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Images of noise, as pixels in memory. Nothing is read or decoded, so that a loader's main work is
 * the copy to the device.
 *
 * @param images the pixels of each image: rows from the top, RGB interleaved
 * @param side the width and height in pixels
 */
record NoiseImages(List<byte[]> images, int side, int classes) implements Dataset<LabeledImage> {

  /** Creates images; the same arguments give the same images. */
  static NoiseImages create(int count, int side, int classes) {
    SplittableRandom random = new SplittableRandom(count);
    List<byte[]> images = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] rgb = new byte[3 * side * side];
      random.nextBytes(rgb);
      images.add(rgb);
    }
    return new NoiseImages(List.copyOf(images), side, classes);
  }

  @Override
  public long size() {
    return images.size();
  }

  @Override
  public LabeledImage get(long index) {
    int i = Math.toIntExact(index);
    return new LabeledImage(Image.ofRgb(images.get(i), side, side), i % classes);
  }

  @Override
  public String name() {
    return String.format(Locale.ROOT, "NoiseImages(%d of %d x %d)", images.size(), side, side);
  }
}
