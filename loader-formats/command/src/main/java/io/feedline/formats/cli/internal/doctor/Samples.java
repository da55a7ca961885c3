package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.recode.internal.Recoding;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreOptions;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Some images of a store, in memory: to warm up the loader, and to try smaller images.
 *
 * @param bytes of an image, on average
 */
record Samples(MemoryStore store, double bytes) {

  private static final int MOST_IMAGES = 256;
  private static final long MOST_BYTES = 64L << 20;
  private static final long INDEX_BYTES = 64L << 20;

  /** The part of their bytes up to which smaller images are worth a try. */
  private static final double WORTHWHILE = 0.9;

  /** The shorter side that images are scaled to, for a crop of 224. */
  private static final double SCALED = 256.0 / 224;

  /**
   * Reads images in random order: half of the store at most, so that the others are not in memory.
   *
   * @param most time, about
   */
  static Samples read(ImageDataset images, Duration most) throws IOException {
    Order order = RandomSampler.of(images.size(), 0).order(0);
    long count = Math.max(1, Math.min(MOST_IMAGES, images.size() / 2));
    List<EncodedImage> read = new ArrayList<>();
    List<String> places = new ArrayList<>();
    long bytes = 0;
    long end = System.nanoTime() + most.toNanos();
    for (long i = 0; i < count && bytes < MOST_BYTES; i++) {
      EncodedImage image = images.encoded(order.indexAt(i));
      read.add(image);
      places.add(images.describe(order.indexAt(i)));
      bytes += image.bytes().length;
      if (System.nanoTime() - end > 0) {
        break;
      }
    }
    return new Samples(new MemoryStore(List.copyOf(read), places), (double) bytes / read.size());
  }

  /** Returns the images with scan indexes of their own. */
  ImageDataset images() {
    return ImageDataset.of(store).withScanIndexBytes(INDEX_BYTES);
  }

  /** The shorter side of images that are scaled for a crop. */
  static int scaledSide(int imageSize) {
    return (int) Math.round(SCALED * imageSize);
  }

  /**
   * Returns some images, and the same images resized as by {@code convert --resize}; empty if no
   * image is larger.
   *
   * @param most time, about
   */
  List<Samples> scaled(int imageSize, Duration most) throws IOException {
    Recoding recoding =
        Recoding.of(StoreOptions.NONE.with("resize", Integer.toString(scaledSide(imageSize))));
    List<EncodedImage> scaled = new ArrayList<>();
    boolean changed = false;
    long end = System.nanoTime() + most.toNanos();
    for (EncodedImage image : store.images()) {
      EncodedImage made = recoding.apply(image);
      changed |= !made.equals(image);
      scaled.add(made);
      if (System.nanoTime() - end > 0) {
        break;
      }
    }
    Samples same = of(store.images().subList(0, scaled.size()));
    Samples smaller = of(scaled);
    return changed && smaller.bytes < WORTHWHILE * same.bytes ? List.of(same, smaller) : List.of();
  }

  private Samples of(List<EncodedImage> images) {
    return new Samples(
        new MemoryStore(images, store.places()),
        images.stream().mapToInt(image -> image.bytes().length).average().orElseThrow());
  }
}
