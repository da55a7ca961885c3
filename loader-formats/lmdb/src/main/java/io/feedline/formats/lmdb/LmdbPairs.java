package io.feedline.formats.lmdb;

import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.store.EncodedImage;
import io.feedline.internal.Counts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A dataset of pairs of images for super-resolution from two databases, one with images of low and
 * one with images of high resolution, as BasicSR makes them. Both databases have the same number of
 * images, and the images of a pair have equal keys. A database may have any layout that {@link
 * LmdbImages} reads.
 *
 * <p>Thread-safe. The caller closes it. Closing twice is allowed; reading a sample afterwards is an
 * {@link IllegalStateException}.
 */
public final class LmdbPairs implements Dataset<ImagePair>, Closeable {

  private final ImageDataset low;
  private final ImageDataset high;
  private final int scale;

  private LmdbPairs(ImageDataset low, ImageDataset high, int scale) {
    this.low = low;
    this.high = high;
    this.scale = scale;
  }

  /**
   * Opens two databases with {@link DecodeOptions#DEFAULT}.
   *
   * @param low the database of the images in low resolution
   * @param high the database of the images in high resolution
   * @param scale how many times as wide and high the images in high resolution are, 1 or more
   * @throws IllegalArgumentException if the scale is less than 1
   * @throws IOException if a database cannot be read, or the databases have different numbers of
   *     images
   */
  public static LmdbPairs of(Path low, Path high, int scale) throws IOException {
    return of(low, high, scale, DecodeOptions.DEFAULT);
  }

  /**
   * Opens two databases, as {@link #of(Path, Path, int)} does.
   *
   * @param decodeOptions how images are decoded
   * @throws IllegalArgumentException if the scale is less than 1
   * @throws IOException if a database cannot be read, or the databases have different numbers of
   *     images
   */
  public static LmdbPairs of(Path low, Path high, int scale, DecodeOptions decodeOptions)
      throws IOException {
    if (scale < 1) {
      throw new IllegalArgumentException("scale must be 1 or more, was " + scale);
    }
    ImageDataset lows = LmdbImages.of(low);
    ImageDataset highs = null;
    try {
      highs = LmdbImages.of(high);
      requireSameSize(lows, highs);
      return new LmdbPairs(
          lows.withDecodeOptions(decodeOptions), highs.withDecodeOptions(decodeOptions), scale);
    } catch (IOException | RuntimeException | Error e) {
      try (lows) {
        if (highs != null) {
          highs.close();
        }
      }
      throw e;
    }
  }

  private static void requireSameSize(ImageDataset low, ImageDataset high) throws IOException {
    if (low.size() != high.size()) {
      throw new IOException(
          "%s has %s, %s has %d: these are no pairs"
              .formatted(low.path(), Counts.of(low.size(), "image"), high.path(), high.size()));
    }
  }

  @Override
  public long size() {
    return low.size();
  }

  /** Returns how many times as wide and high the images in high resolution are. */
  public int scale() {
    return scale;
  }

  /**
   * Reads both images and their headers; nothing is decoded.
   *
   * @throws IndexOutOfBoundsException if there is no such pair
   * @throws IOException if an image cannot be read, or the two images have different keys
   * @throws IllegalArgumentException if the ratio of the sizes is not the scale; the message names
   *     both sizes
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public ImagePair get(long index) throws IOException {
    Objects.checkIndex(index, size());
    EncodedImage lowImage = low.encoded(index);
    EncodedImage highImage = high.encoded(index);
    if (!lowImage.key().equals(highImage.key())) {
      throw new IOException(
          "%s is '%s', but %s is '%s': these are no pair"
              .formatted(
                  low.describe(index), lowImage.key(), high.describe(index), highImage.key()));
    }
    return ImagePair.of(
        Image.ofEncoded(lowImage.bytes(), low.describe(index), low.decodeOptions()),
        Image.ofEncoded(highImage.bytes(), high.describe(index), high.decodeOptions()),
        scale);
  }

  /**
   * Returns the files and the keys of both images; for an index that is out of range, the index in
   * words.
   */
  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : "%s and %s".formatted(low.describe(index), high.describe(index));
  }

  @Override
  public String name() {
    return "LmdbPairs(%s, %s)".formatted(low.path(), high.path());
  }

  @Override
  public String toString() {
    return name();
  }

  /** Returns the scale, and the databases' fingerprints. */
  @Override
  public String fingerprint() {
    return "LmdbPairs:" + scale + ":" + low.fingerprint() + ":" + high.fingerprint();
  }

  /**
   * Closes both databases. May be called twice.
   *
   * @throws IOException if a database cannot be closed
   */
  @Override
  public void close() throws IOException {
    try (low) {
      high.close();
    }
  }
}
