package io.feedline.formats.mds;

import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.TaskFormat;
import io.feedline.formats.store.internal.ClassList;
import io.feedline.internal.Json;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A reader of the images of an MDS dataset (MosaicML's streaming) and their classes: two of its
 * columns, and perhaps a third with their keys. MDS does not record the names of classes; they are
 * in the index, as member {@code classes}, which streaming ignores, or lie beside it, in {@code
 * classes.json}, which streaming leaves alone.
 *
 * <p>This class is also the format's entry in the registry of {@link StoreFormat}s, {@code mds}. It
 * opens the directory that has {@code index.json}; options {@code image-field}, {@code label-field}
 * (nothing where there are no labels) and {@code key-field} name columns. It writes columns {@code
 * image}, {@code key} and {@code label}; options
 *
 * <ul>
 *   <li>{@code image-encoding}: {@code bytes} by default, which holds images of any kind, or {@code
 *       jpeg} or {@code png}, which streaming decodes by itself, and which hold no others;
 *   <li>{@code compression}: {@code gz}, {@code zstd}, {@code zstd:7}, ...; none by default;
 *   <li>{@code hashes}: names of checksums, separated by commas; none by default.
 * </ul>
 */
public final class MdsImages implements StoreFormat {

  static final String NAME = "mds";

  static final String IMAGE_ENCODING = "image-encoding";
  static final String COMPRESSION = "compression";
  static final String HASHES = "hashes";

  private static final String KEY_FIELD = "key-field";

  /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
  public MdsImages() {}

  /**
   * Returns the images of a dataset, with the defaults of {@link #builder}.
   *
   * @param directory where {@code index.json} is
   * @throws IOException if the index cannot be read
   */
  public static ImageDataset of(Path directory) throws IOException {
    return builder(directory).build();
  }

  /**
   * Returns a builder for the images of a dataset.
   *
   * @param directory where {@code index.json} is
   */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path path) {
    return Files.isRegularFile(directory(path).resolve(MdsIndex.NAME));
  }

  /** The directory, also of its index. */
  private static Path directory(Path path) {
    return path.endsWith(MdsIndex.NAME) ? path.resolveSibling("") : path;
  }

  @Override
  public Set<String> openOptions() {
    return Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD, KEY_FIELD);
  }

  @Override
  public ImageStore open(Path path, StoreOptions options) throws IOException {
    return builder(directory(path), options).store();
  }

  private Builder builder(Path directory, StoreOptions options) {
    options.requireKnown(NAME, openOptions());
    Builder builder = builder(directory);
    options.text(StoreOptions.IMAGE_FIELD).ifPresent(builder::imageColumn);
    options.text(KEY_FIELD).ifPresent(builder::keyColumn);
    if (options.text(StoreOptions.LABEL_FIELD).filter(String::isEmpty).isPresent()) {
      builder.withoutLabels();
    } else {
      options.text(StoreOptions.LABEL_FIELD).ifPresent(builder::labelColumn);
    }
    return builder;
  }

  @Override
  public List<String> shards(Path path, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    return MdsIndex.read(directory(path)).shards().stream()
        .map(shard -> Json.write(shard.toJson()))
        .toList();
  }

  @Override
  public ImageStore openShard(Path path, String shard, StoreOptions options) throws IOException {
    MdsShard only = MdsShard.parse(Json.read(shard));
    return builder(directory(path), options).store(new MdsIndex(List.of(only), List.of()));
  }

  @Override
  public Set<String> createOptions() {
    return Set.of(IMAGE_ENCODING, COMPRESSION, HASHES);
  }

  @Override
  public ImageStoreWriter create(Path path, Packing packing) throws IOException {
    packing.options().requireKnown(NAME, createOptions());
    return MdsImageWriter.open(path, packing);
  }

  @Override
  public Optional<TaskFormat> tasks() {
    return Optional.of(new MdsTasks());
  }

  /** Options; see {@link MdsImages#builder}. Not thread-safe. */
  public static final class Builder {
    private static final List<String> LABELS = List.of("label", "class", "cls", "y");

    private final Path directory;
    private final MdsDataset.Builder samples;
    private String image;
    private String label;
    private boolean unlabeled;
    private String key;
    private List<String> classes;

    private Builder(Path directory) {
      this.directory = directory;
      this.samples = MdsDataset.builder(directory);
    }

    /**
     * Sets which column has the images, of encoding {@code jpeg}, {@code png} or {@code bytes}; by
     * default the only one of encoding {@code jpeg} or {@code png}, or else the one called {@code
     * image}.
     */
    public Builder imageColumn(String image) {
      this.image = Objects.requireNonNull(image, "image");
      return this;
    }

    /**
     * Sets which column has the classes, an integer; by default the first that there is of {@code
     * label}, {@code class}, {@code cls}, {@code y}.
     */
    public Builder labelColumn(String label) {
      this.label = Objects.requireNonNull(label, "label");
      return this;
    }

    /** Leaves classes out: every label is {@link EncodedImage#NO_LABEL}. */
    public Builder withoutLabels() {
      this.unlabeled = true;
      return this;
    }

    /**
     * Sets which column has the keys, of encoding {@code str}; by default {@code key} if it is one,
     * and otherwise keys are the samples' numbers.
     */
    public Builder keyColumn(String key) {
      this.key = Objects.requireNonNull(key, "key");
      return this;
    }

    /**
     * Sets the names of the classes, by index; by default those in the index, or else in {@code
     * classes.json}, if it is there.
     */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /** Sets what {@link MdsDataset.Builder#cache} sets. */
    public Builder cache(Path cache) {
      samples.cache(cache);
      return this;
    }

    /** Sets what {@link MdsDataset.Builder#maxCacheBytes} sets. */
    public Builder maxCacheBytes(long maxCacheBytes) {
      samples.maxCacheBytes(maxCacheBytes);
      return this;
    }

    /** Sets what {@link MdsDataset.Builder#verify} sets. */
    public Builder verify(boolean verify) {
      samples.verify(verify);
      return this;
    }

    /** Sets what {@link MdsDataset.Builder#openFiles} sets. */
    public Builder openFiles(int openFiles) {
      samples.openFiles(openFiles);
      return this;
    }

    /**
     * Builds the dataset, which the caller closes; reads the index. Shards are opened when they are
     * needed.
     *
     * @throws IllegalArgumentException if an option has an impossible value, or there is no column
     *     for images, classes or keys
     * @throws FileNotFoundException if there is no index
     * @throws IOException if the index cannot be read or is damaged
     */
    public ImageDataset build() throws IOException {
      return ImageDataset.of(store());
    }

    private MdsStore store() throws IOException {
      return store(MdsIndex.read(directory));
    }

    private MdsStore store(MdsIndex index) throws IOException {
      Map<String, String> columns = index.columns();
      if (columns.isEmpty()) {
        // Without a shard nothing says which columns there are, and no sample needs them.
        return store(index, new MdsStore.Columns("image", null, null, null));
      }
      String imageColumn = image == null ? imageOf(columns) : image;
      String labelColumn = unlabeled ? null : label == null ? labelOf(columns) : label;
      String keyColumn = key == null && "str".equals(columns.get("key")) ? "key" : key;
      require(columns, imageColumn, "jpeg|jpeg:.*|png|bytes", "images; imageColumn(...)");
      if (labelColumn != null) {
        require(columns, labelColumn, "int|u?int[0-9]+|str_int", "classes; labelColumn(...)");
      }
      if (keyColumn != null) {
        require(columns, keyColumn, "str", "keys; keyColumn(...)");
      }
      MdsEncoding labels = labelColumn == null ? null : MdsEncoding.of(columns.get(labelColumn));
      return store(index, new MdsStore.Columns(imageColumn, labelColumn, labels, keyColumn));
    }

    private MdsStore store(MdsIndex index, MdsStore.Columns used) throws IOException {
      ClassList kept =
          index.classes().isEmpty()
              ? ClassList.readIfPresent(directory.resolve(ClassList.FILE_NAME))
              : new ClassList(index.classes(), 0);
      return new MdsStore(
          samples.columns(used.names().toArray(String[]::new)).build(index),
          directory,
          used,
          classes == null ? kept : new ClassList(classes, kept.firstLabel()));
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
