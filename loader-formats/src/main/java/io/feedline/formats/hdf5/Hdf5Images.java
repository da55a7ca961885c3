package io.feedline.formats.hdf5;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.ScanIndexStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Encoded images in an HDF5 file: an array of byte strings (h5py's {@code vlen_dtype(np.uint8)})
 * with an array of labels; or a group for each sample, with the image's bytes as an array of
 * uint8 and its label.
 *
 * <pre>{@code
 * try (Hdf5Images train =
 *     Hdf5Images.builder(Path.of("train.h5")).images("jpegs").labels("y").build()) { ... }
 * }</pre>
 *
 * <p>An image's key is its index in decimal, or the name of its group. Arrays of decoded pixels
 * are for {@link Hdf5Dataset}.
 *
 * <p>Thread-safe. Whoever made it closes it; closing twice is allowed, reading afterwards is an
 * {@link IllegalStateException}.
 */
public final class Hdf5Images implements ImageDataset, AutoCloseable {

  private final JhdfFile file;
  private final Images images;
  private final List<String> classes;
  private final DecodeOptions decodeOptions;
  private final ScanIndexStore scanIndexes;

  private Hdf5Images(JhdfFile file, Images images, Builder builder) {
    this.file = file;
    this.images = images;
    this.classes = builder.classes;
    this.decodeOptions = builder.decodeOptions;
    this.scanIndexes = ScanIndexStore.beside(path(), this::fingerprint, size());
  }

  /** Where images come from. */
  private sealed interface Images {
    long size();

    String key(long index);

    byte[] bytes(long index) throws IOException;

    /** The stored label; null where images have none. */
    Long label(long index) throws IOException;

    String describe(long index);
  }

  private static byte[] row(StoredArray array, long row) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(array.shape().elements() * array.dtype().bytes())];
    array.write(row, ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()));
    return bytes;
  }

  private static long label(StoredArray array, long row) throws IOException {
    if (array.shape().elements() != 1) {
      throw new Hdf5Exception(
          "%s has labels of shape %s; one number is expected"
              .formatted(array.path(), array.shape()));
    }
    return ByteBuffer.wrap(row(array, row)).order(ByteOrder.nativeOrder()).getLong();
  }

  /** Byte strings and labels side by side. */
  private record Columns(StoredBytes images, StoredArray labels) implements Images {
    @Override
    public long size() {
      return images.length();
    }

    @Override
    public String key(long index) {
      return Long.toString(index);
    }

    @Override
    public byte[] bytes(long index) throws IOException {
      return images.get(index);
    }

    @Override
    public Long label(long index) throws IOException {
      return labels == null ? null : Long.valueOf(Hdf5Images.label(labels, index));
    }

    @Override
    public String describe(long index) {
      return "%s[%d]".formatted(images.path(), index);
    }
  }

  /** Each image in a group. */
  private record Groups(JhdfFile file, List<JhdfFile.Sample> groups, String image, String label)
      implements Images {
    @Override
    public long size() {
      return groups.size();
    }

    @Override
    public String key(long index) {
      return groups.get((int) index).name();
    }

    @Override
    public byte[] bytes(long index) throws IOException {
      StoredArray array = file.array(groups.get((int) index), image);
      if (array.shape().rank() != 1 || array.type().bytes() != 1) {
        throw new Hdf5Exception(
            "%s has %s of shape %s; encoded images are bytes along one axis"
                .formatted(array.path(), array.dtype(), array.shape()));
      }
      return row(array, 0);
    }

    @Override
    public Long label(long index) throws IOException {
      return label == null
          ? null
          : Long.valueOf(
              Hdf5Images.label(file.array(groups.get((int) index), label).asInt64(), 0));
    }

    @Override
    public String describe(long index) {
      return "%s, group %s".formatted(file.path(), key(index));
    }
  }

  /** Options for images in a file. */
  public static Builder builder(Path file) {
    return new Builder(file);
  }

  @Override
  public long size() {
    return images.size();
  }

  /**
   * Reads an image's bytes and its label.
   *
   * @throws IndexOutOfBoundsException if there is no such image
   * @throws Hdf5Exception if it is damaged, or its label is no class
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public EncodedImage encoded(long index) throws IOException {
    Objects.checkIndex(index, size());
    Long stored = images.label(index);
    long label = stored == null ? EncodedImage.NO_LABEL : stored;
    long end = classes.isEmpty() ? 1L << 31 : classes.size();
    if (label < EncodedImage.NO_LABEL || label >= end) {
      throw new Hdf5Exception(
          "%s: the label is %d; classes are numbers from 0 to %d"
              .formatted(describe(index), label, end - 1));
    }
    return new EncodedImage(images.key(index), images.bytes(index), (int) label);
  }

  /** The names of the classes, where they were given. */
  @Override
  public List<String> classes() {
    return classes;
  }

  /** The file. */
  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public ScanIndexStore scanIndexes() {
    return scanIndexes;
  }

  @Override
  public DecodeOptions decodeOptions() {
    return decodeOptions;
  }

  /** The file, and the place in it. */
  @Override
  public String describe(long index) {
    return index < 0 || index >= size() ? "index " + index : images.describe(index);
  }

  @Override
  public String name() {
    return "Hdf5Images(" + file.path() + ")";
  }

  @Override
  public String fingerprint() {
    return "Hdf5Pictures:" + size();
  }

  /**
   * Closes the file.
   *
   * @throws IOException if that fails
   */
  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Options; see {@link Hdf5Images#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path file;
    private String images = "images";
    private String labels = "labels";
    private String parent;
    private List<String> classes = List.of();
    private DecodeOptions decodeOptions = DecodeOptions.DEFAULT;

    private Builder(Path file) {
      this.file = Objects.requireNonNull(file, "file");
    }

    /** Where the images' bytes are, in the file or in each group; {@code images} by default. */
    public Builder images(String path) {
      this.images = Objects.requireNonNull(path, "path");
      return this;
    }

    /** Where the labels are, in the file or in each group; {@code labels} by default. */
    public Builder labels(String path) {
      this.labels = Objects.requireNonNull(path, "path");
      return this;
    }

    /** Images without labels. */
    public Builder withoutLabels() {
      this.labels = null;
      return this;
    }

    /**
     * Takes each group in a group for an image. Groups whose names are numbers come first, by
     * their value, and then the others by name.
     *
     * @param parent the group that has the images' groups; {@code /} for the file's root
     */
    public Builder groupPerSample(String parent) {
      this.parent = Objects.requireNonNull(parent, "parent");
      return this;
    }

    /** The names of the classes by index; none by default. */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /** How images are decoded; {@link DecodeOptions#DEFAULT} by default. */
    public Builder decode(DecodeOptions options) {
      this.decodeOptions = Objects.requireNonNull(options, "options");
      return this;
    }

    /**
     * Opens the file.
     *
     * @throws IllegalStateException if jHDF is absent
     * @throws IOException if the file is none, or an array is missing, not supported or of another
     *     length
     */
    public Hdf5Images build() throws IOException {
      JhdfFile opened = Hdf5Library.open(file, Hdf5Dataset.DEFAULT_CACHE_BYTES);
      try {
        return new Hdf5Images(opened, parent == null ? columns(opened) : groups(opened), this);
      } catch (IOException | RuntimeException failed) {
        opened.close();
        throw failed;
      }
    }

    private Images columns(JhdfFile opened) throws IOException {
      StoredBytes bytes = opened.bytes(images);
      StoredArray numbers = labels == null ? null : opened.array(labels).asInt64();
      if (numbers != null && numbers.length() != bytes.length()) {
        throw new Hdf5Exception(
            "%s has %d images, but %s has %d labels"
                .formatted(bytes.path(), bytes.length(), numbers.path(), numbers.length()));
      }
      return new Columns(bytes, numbers);
    }

    private Images groups(JhdfFile opened) throws IOException {
      List<JhdfFile.Sample> groups = opened.samples(parent);
      if (groups.isEmpty()) {
        throw new Hdf5Exception("%s, %s has no groups in it".formatted(file, parent));
      }
      return new Groups(opened, groups, images, labels);
    }
  }
}
