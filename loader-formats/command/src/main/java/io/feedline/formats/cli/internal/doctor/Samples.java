package io.feedline.formats.cli.internal.doctor;

import io.feedline.data.FormatException;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.recode.internal.Recoding;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import io.feedline.internal.Counts;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Images of a store in memory, to let the JVM compile the loader, and to try smaller images. */
record Samples(List<EncodedImage> images, List<String> places) implements ImageStore {

  private static final int MOST_IMAGES = 256;
  private static final long MOST_BYTES = 64L << 20;
  private static final long INDEX_BYTES = 64L << 20;

  /** The largest size of scaled images that is worth a try, as a fraction of the original size. */
  private static final double WORTHWHILE = 0.9;

  /**
   * Reads images in random order, for the time {@code most}. Reads at most half of the store, so
   * that the loaders find the other half outside the page cache.
   */
  static Samples read(ImageDataset images, Duration most) throws IOException {
    Order order = RandomSampler.of(images.size(), 0).order(0);
    long count = Math.max(1, Math.min(MOST_IMAGES, images.size() / 2));
    List<EncodedImage> read = new ArrayList<>();
    List<String> places = new ArrayList<>();
    long bytes = 0;
    long end = System.nanoTime() + most.toNanos();
    int broken = 0;
    do {
      long index = order.indexAt(read.size() + broken);
      try {
        EncodedImage image = images.encoded(index);
        Image.ofEncoded(image.bytes(), images.describe(index), images.decodeOptions());
        read.add(image);
        places.add(images.describe(index));
        bytes += image.bytes().length;
      } catch (FormatException unusable) {
        if (++broken >= count) {
          throw unusable;
        }
      }
    } while (read.isEmpty()
        || (read.size() < count && bytes < MOST_BYTES && System.nanoTime() - end < 0));
    return new Samples(read, places);
  }

  ImageDataset dataset() {
    return ImageDataset.of(this).withScanIndexBytes(INDEX_BYTES);
  }

  double bytes() {
    return images.stream().mapToInt(image -> image.bytes().length).average().orElseThrow();
  }

  /**
   * Resizes these images as {@code convert --resize} does, for the time {@code most}. Returns two
   * elements, the unchanged and the resized images; empty if images become hardly smaller.
   */
  List<Samples> scaled(int imageSize, Duration most) throws IOException {
    Recoding recoding =
        Recoding.of(
            StoreOptions.NONE.with(
                "resize", Integer.toString(PipelineOptions.shorterSide(imageSize))));
    List<EncodedImage> scaled = new ArrayList<>();
    long end = System.nanoTime() + most.toNanos();
    do {
      EncodedImage image = images.get(scaled.size());
      try {
        scaled.add(recoding.apply(image));
      } catch (FormatException broken) {
        scaled.add(image); // the loader leaves broken images out
      }
    } while (scaled.size() < images.size() && System.nanoTime() - end < 0);
    Samples same = new Samples(images.subList(0, scaled.size()), places);
    Samples smaller = new Samples(scaled, places);
    return smaller.bytes() < WORTHWHILE * same.bytes() ? List.of(same, smaller) : List.of();
  }

  @Override
  public long size() {
    return images.size();
  }

  @Override
  public EncodedImage read(long index) {
    return images.get(Math.toIntExact(index));
  }

  @Override
  public Path path() {
    return Path.of("memory");
  }

  @Override
  public String describe(long index) {
    return places.get(Math.toIntExact(index));
  }

  @Override
  public String name() {
    return Counts.of(images.size(), "image") + " in memory";
  }

  @Override
  public String fingerprint() {
    return name();
  }

  @Override
  public void close() {}
}
