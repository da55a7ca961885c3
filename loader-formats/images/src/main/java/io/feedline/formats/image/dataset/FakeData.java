package io.feedline.formats.image.dataset;

import io.feedline.formats.image.Image;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.transform.SampleRandom;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * A maker of datasets of random pixels with random labels, like torchvision's {@code FakeData}, for
 * testing a training without data.
 *
 * <pre>{@code
 * ImageDataset images = FakeData.of(1000).withTransform(RandomResizedCrop.of(64));
 * }</pre>
 *
 * <p>An image depends only on the seed and its index, on any machine. The image is made when it is
 * read, as the bytes of a PPM file, so that transforms, splits and conversion treat it like a
 * stored image. No image is kept.
 */
public final class FakeData {

  /** The largest number of classes; each class has a name in memory. */
  private static final int MAX_CLASSES = 1_000_000;

  private FakeData() {}

  /** Returns a dataset of {@code size} images, 0 or more, with the defaults of {@link #builder}. */
  public static ImageDataset of(long size) {
    return builder(size).build();
  }

  /** Returns a builder for a dataset of {@code size} images, 0 or more. */
  public static Builder builder(long size) {
    return new Builder(size);
  }

  /** The options of {@link FakeData#builder}. Not thread-safe. */
  public static final class Builder {
    private final long size;
    private int width = 224;
    private int height = 224;
    private int classes = 10;
    private long seed;

    private Builder(long size) {
      this.size = size;
    }

    /**
     * Sets the columns and rows of each image, 1 to {@link Image#MAX_SIDE}; 224 and 224 by default.
     */
    public Builder imageSize(int width, int height) {
      this.width = width;
      this.height = height;
      return this;
    }

    /** Sets the number of classes, 1 to a million; 10 by default. Classes are named by label. */
    public Builder classes(int classes) {
      this.classes = classes;
      return this;
    }

    /** Sets the seed; equal seeds give equal images. 0 by default. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Makes the dataset.
     *
     * @throws IllegalArgumentException if an option is out of its range, or an image would have
     *     2<sup>31</sup> bytes
     */
    public ImageDataset build() {
      if (size < 0) {
        throw new IllegalArgumentException("size must be 0 or more, was " + size);
      }
      if (classes < 1 || classes > MAX_CLASSES) {
        throw new IllegalArgumentException(
            "classes must be from 1 to %d, was %d".formatted(MAX_CLASSES, classes));
      }
      if (width < 1
          || width > Image.MAX_SIDE
          || height < 1
          || height > Image.MAX_SIDE
          || 3L * width * height > Integer.MAX_VALUE - 64) {
        throw new IllegalArgumentException(
            "imageSize must be from 1 x 1, with sides up to %d and less than 2^31 bytes, was %d x %d"
                .formatted(Image.MAX_SIDE, width, height));
      }
      List<String> names = IntStream.range(0, classes).mapToObj(Integer::toString).toList();
      return ImageDataset.of(new Store(size, width, height, seed, names, new AtomicBoolean()));
    }
  }

  private record Store(
      long size, int width, int height, long seed, List<String> classes, AtomicBoolean closed)
      implements ImageStore {

    /** Returns the random numbers of an image: first its label, then its pixels. */
    private SampleRandom random(long index) {
      return new SampleRandom(seed, 0, Objects.checkIndex(index, size), 0);
    }

    private int label(SampleRandom random) {
      return (int) Long.remainderUnsigned(random.nextLong(), classes.size());
    }

    @Override
    public EncodedImage read(long index) {
      SampleRandom random = random(index);
      if (closed.get()) {
        throw new IllegalStateException(describe(index) + " is read after it was closed");
      }
      int label = label(random);
      byte[] header = ("P6 " + width + " " + height + " 255\n").getBytes(StandardCharsets.US_ASCII);
      int pixels = 3 * width * height;
      ByteBuffer file =
          ByteBuffer.allocate(header.length + pixels).order(ByteOrder.LITTLE_ENDIAN).put(header);
      while (file.remaining() >= Long.BYTES) {
        file.putLong(random.nextLong());
      }
      for (long last = random.nextLong(); file.hasRemaining(); last >>>= Byte.SIZE) {
        file.put((byte) last);
      }
      return new EncodedImage(Long.toString(index), file.array(), label, "ppm");
    }

    @Override
    public int label(long index) {
      return label(random(index));
    }

    @Override
    public Path path() {
      return Path.of("FakeData");
    }

    @Override
    public String describe(long index) {
      return index < 0 || index >= size ? "index " + index : "FakeData, image " + index;
    }

    @Override
    public String name() {
      return String.format(Locale.ROOT, "FakeData(%d of %d x %d)", size, width, height);
    }

    @Override
    public String fingerprint() {
      return name() + ":" + classes.size() + ":" + seed;
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }
}
