package io.feedline.formats.mds;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.ScanIndexStore;
import io.feedline.formats.support.ClassList;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The images of an MDS dataset and their classes: two of its columns, and perhaps a third with
 * their keys. MDS does not record the names of classes; {@link MdsWriter} puts them beside the
 * index, in {@code classes.json}.
 *
 * <p>Thread-safe. Whoever made it closes it; {@code close()} may be called twice, {@code get}
 * afterwards throws {@link IllegalStateException}.
 */
public final class MdsImages implements ImageDataset, Closeable {

  private final MdsDataset samples;

  /** That of the images, that of the classes if there is one, and that of the keys if any. */
  private final List<String> columns;

  /** Of the classes, or null. */
  private final MdsEncoding label;

  private final boolean hasKeys;
  private final List<String> classes;
  private final DecodeOptions decodeOptions;
  private final ScanIndexStore scanIndexes;
  private final Path path;

  private MdsImages(
      Builder builder,
      MdsDataset samples,
      List<String> columns,
      MdsEncoding label,
      boolean hasKeys,
      List<String> classes) {
    this.samples = samples;
    this.columns = columns;
    this.label = label;
    this.hasKeys = hasKeys;
    this.classes = classes;
    this.decodeOptions = builder.decodeOptions;
    this.path = builder.directory;
    this.scanIndexes = ScanIndexStore.beside(path, this::fingerprint, size());
  }

  /**
   * The images of a dataset, with the defaults of {@link #builder}.
   *
   * @param directory where {@code index.json} is
   * @throws IOException if the index cannot be read
   */
  public static MdsImages of(Path directory) throws IOException {
    return builder(directory).build();
  }

  /**
   * Options for the images of a dataset.
   *
   * @param directory where {@code index.json} is
   */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  @Override
  public long size() {
    return samples.size();
  }

  @Override
  public EncodedImage encoded(long index) throws IOException {
    List<byte[]> values = samples.stored(index, columns);
    int classValue = label == null ? EncodedImage.NO_LABEL : label(index, values.get(1));
    return new EncodedImage(
        hasKeys ? new String(values.get(values.size() - 1), StandardCharsets.UTF_8) : key(index),
        values.get(0),
        classValue);
  }

  /** A sample's number, with as many digits as the last one's, so that keys sort as numbers do. */
  private String key(long index) {
    int digits = Long.toString(Math.max(0, size() - 1)).length();
    return ("%0" + digits + "d").formatted(index);
  }

  private int label(long index, byte[] value) throws IOException {
    String reason;
    try {
      ByteBuffer stored = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
      long number = (Long) label.decode(stored, describe(index));
      if (number >= EncodedImage.NO_LABEL && number <= Integer.MAX_VALUE) {
        return (int) number;
      }
      reason = "a class must be 0 or more, or -1 for none, was " + number;
    } catch (IllegalArgumentException e) {
      reason = e.getMessage();
    }
    throw new MdsException(
        "%s, column '%s': %s".formatted(describe(index), columns.get(1), reason));
  }

  /** The names that were given to the builder, or lie beside the index. */
  @Override
  public List<String> classes() {
    return classes;
  }

  /** The directory. */
  @Override
  public Path path() {
    return path;
  }

  @Override
  public ScanIndexStore scanIndexes() {
    return scanIndexes;
  }

  @Override
  public DecodeOptions decodeOptions() {
    return decodeOptions;
  }

  @Override
  public String describe(long index) {
    return samples.describe(index);
  }

  @Override
  public String name() {
    return samples.name().replaceFirst("MdsDataset", "MdsImages");
  }

  @Override
  public String fingerprint() {
    return samples.fingerprint();
  }

  /** The number of images of each shard, newly made: for orders that keep a shard together. */
  public long[] shardSizes() {
    return samples.shardSizes();
  }

  @Override
  public void close() throws IOException {
    samples.close();
  }

  /** Options; see {@link MdsImages#builder}. Not thread-safe. */
  public static final class Builder {
    private static final List<String> LABELS = List.of("label", "class", "cls", "y");

    private final Path directory;
    private final MdsDataset.Builder samples;
    private String image;
    private String label;
    private boolean unlabeled;
    private List<String> classes;
    private DecodeOptions decodeOptions = DecodeOptions.DEFAULT;

    private Builder(Path directory) {
      this.directory = directory;
      this.samples = MdsDataset.builder(directory);
    }

    /**
     * Which column has the images, of encoding {@code jpeg}, {@code png} or {@code bytes}; by
     * default the only one of encoding {@code jpeg} or {@code png}, or else the one called {@code
     * image}.
     */
    public Builder imageColumn(String image) {
      this.image = Objects.requireNonNull(image, "image");
      return this;
    }

    /**
     * Which column has the classes, an integer; by default the first that there is of {@code
     * label}, {@code class}, {@code cls}, {@code y}.
     */
    public Builder labelColumn(String label) {
      this.label = Objects.requireNonNull(label, "label");
      return this;
    }

    /** No classes: every label is {@link EncodedImage#NO_LABEL}. */
    public Builder withoutLabels() {
      this.unlabeled = true;
      return this;
    }

    /**
     * The names of the classes, by index; by default those in {@code classes.json}, if it is there.
     */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /** How images are decoded; {@link DecodeOptions#DEFAULT} by default. */
    public Builder decode(DecodeOptions options) {
      this.decodeOptions = Objects.requireNonNull(options, "options");
      return this;
    }

    /** See {@link MdsDataset.Builder#cache}. */
    public Builder cache(Path cache) {
      samples.cache(cache);
      return this;
    }

    /** See {@link MdsDataset.Builder#maxCacheBytes}. */
    public Builder maxCacheBytes(long maxCacheBytes) {
      samples.maxCacheBytes(maxCacheBytes);
      return this;
    }

    /** See {@link MdsDataset.Builder#verify}. */
    public Builder verify(boolean verify) {
      samples.verify(verify);
      return this;
    }

    /** See {@link MdsDataset.Builder#openFiles}. */
    public Builder openFiles(int openFiles) {
      samples.openFiles(openFiles);
      return this;
    }

    /**
     * Reads the index; shards are opened when they are needed.
     *
     * @throws IllegalArgumentException if an option has an impossible value, or there is no column
     *     for images or classes
     * @throws FileNotFoundException if there is no index
     * @throws IOException if the index cannot be read or is damaged
     */
    public MdsImages build() throws IOException {
      Map<String, String> columns = MdsIndex.columns(directory);
      String imageColumn = image == null ? imageOf(columns) : image;
      String labelColumn = unlabeled ? null : label == null ? labelOf(columns) : label;
      require(columns, imageColumn, "jpeg|jpeg:.*|png|bytes", "images; imageColumn(...)");
      if (labelColumn != null) {
        require(columns, labelColumn, "int|u?int[0-9]+|str_int", "classes; labelColumn(...)");
      }
      boolean hasKeys = "str".equals(columns.get("key"));
      List<String> used = new ArrayList<>(List.of(imageColumn));
      if (labelColumn != null) {
        used.add(labelColumn);
      }
      if (hasKeys) {
        used.add("key");
      }
      return new MdsImages(
          this,
          samples.columns(used.toArray(String[]::new)).build(),
          used,
          labelColumn == null ? null : MdsEncoding.of(columns.get(labelColumn)),
          hasKeys,
          classes == null
              ? ClassList.readIfPresent(directory.resolve(ClassList.FILE_NAME)).names()
              : classes);
    }

    private static String imageOf(Map<String, String> columns) {
      List<String> images =
          columns.keySet().stream()
              .filter(name -> columns.get(name).matches("jpeg|jpeg:.*|png"))
              .toList();
      return images.size() == 1 ? images.get(0) : "image";
    }

    private static String labelOf(Map<String, String> columns) {
      return LABELS.stream().filter(columns::containsKey).findFirst().orElse("label");
    }

    private void require(
        Map<String, String> columns, String column, String encodings, String what) {
      if (!columns.getOrDefault(column, "").matches(encodings)) {
        throw new IllegalArgumentException(
            "%s has no column '%s' for %s names another, of %s"
                .formatted(directory, column, what, columns));
      }
    }
  }
}
