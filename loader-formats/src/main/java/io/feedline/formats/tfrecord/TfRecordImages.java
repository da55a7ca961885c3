package io.feedline.formats.tfrecord;

import io.feedline.IterableDataset;
import io.feedline.SampleStream;
import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.LabeledImage;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.ScanIndexStore;
import io.feedline.formats.support.ClassList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Encoded images and their labels in the {@code tf.train.Example}s of TFRecord files, such as
 * ImageNet's.
 *
 * <pre>{@code
 * try (TfRecordImages train =
 *     TfRecordImages.builder(Path.of("imagenet/train-*")).firstLabel(1).build()) {
 *   Dataset<LabeledImage> samples = train.withTransform(augment);
 * }
 * }</pre>
 *
 * <p>Labels are as the records have them, unless {@link Builder#firstLabel} says that the classes
 * begin with another than 0, or the list of classes does that {@link TfRecordImageWriter} leaves
 * beside the shards. A label below the first, and -1, is {@link EncodedImage#NO_LABEL}.
 *
 * <p>An image's key is its file name without the extension; where it has none, its index.
 *
 * <p>Thread-safe. Whoever made it closes it; closing twice is allowed, reading afterwards is an
 * {@link IllegalStateException}.
 *
 * @see TfRecordDataset how random access works, and its limits
 */
public final class TfRecordImages implements ImageDataset, AutoCloseable {

  private final TfRecordDataset records;
  private final ImageReader reader;
  private final DecodeOptions decodeOptions;
  private final ScanIndexStore scanIndexes;
  private final Path path;
  private final String name;

  private TfRecordImages(
      TfRecordDataset records,
      ImageReader reader,
      DecodeOptions decodeOptions,
      String name,
      Path path) {
    this.records = records;
    this.reader = reader;
    this.decodeOptions = decodeOptions;
    this.name = name;
    this.path = path;
    this.scanIndexes = ScanIndexStore.beside(path, this::fingerprint, size());
  }

  /**
   * The images of one file, or of those that match a pattern, with the defaults of {@link
   * #builder(Path)}.
   *
   * @param pattern a file, or a path whose last name is a pattern: {@code train-*}
   * @throws IOException if there is none, a shard is missing, or one is damaged or compressed
   */
  public static TfRecordImages of(Path pattern) throws IOException {
    return builder(pattern).build();
  }

  /**
   * Options for the images of one file, or of those that match a pattern.
   *
   * @param pattern a file, or a path whose last name is a pattern: {@code train-*}
   * @throws IOException if there is none, or a shard is missing
   */
  public static Builder builder(Path pattern) throws IOException {
    return builder(TfRecordFiles.of(pattern));
  }

  /** Options for the images of chosen files. */
  public static Builder builder(TfRecordFiles files) {
    return new Builder(files);
  }

  @Override
  public long size() {
    return records.size();
  }

  /**
   * Reads a record.
   *
   * @throws IndexOutOfBoundsException if there is no such record
   * @throws TfRecordException if it is damaged, or lacks a feature or has it in another kind
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public EncodedImage encoded(long index) throws IOException {
    Example example = records.example(index);
    try {
      return reader.read(example, index);
    } catch (TfRecordException broken) {
      throw new TfRecordException(describe(index) + ": " + broken.getMessage(), broken);
    }
  }

  /** The names of the classes, where they were given or lie beside the shards. */
  @Override
  public List<String> classes() {
    return reader.classes().names();
  }

  /** What the records say for class 0. */
  public int firstLabel() {
    return reader.classes().firstLabel();
  }

  /** The first shard. */
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

  /** The records as they are; closed with this. */
  public TfRecordDataset records() {
    return records;
  }

  /** The file, the record's number in it, and where in the file it begins. */
  @Override
  public String describe(long index) {
    return records.describe(index);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String fingerprint() {
    return "TfRecordPictures:%d:%s".formatted(firstLabel(), records.fingerprint());
  }

  /**
   * Closes the files.
   *
   * @throws IOException if one cannot be closed
   */
  @Override
  public void close() throws IOException {
    records.close();
  }

  /** The same images from front to back. */
  private record Stream(
      TfRecordFiles files, ImageReader reader, DecodeOptions decodeOptions, String name)
      implements IterableDataset<LabeledImage> {

    @Override
    public int shards() {
      return files.files().size();
    }

    @Override
    public SampleStream<LabeledImage> open(int shard, long epoch) throws IOException {
      return TfRecordStream.open(files, shard, this::make);
    }

    private LabeledImage make(byte[] record, long number, String where) throws IOException {
      EncodedImage image;
      try {
        image = reader.read(Example.parse(record), number);
      } catch (TfRecordException broken) {
        throw new TfRecordException(where + ": " + broken.getMessage(), broken);
      }
      return new LabeledImage(
          Image.ofEncoded(image.bytes(), where, decodeOptions), image.label());
    }

    @Override
    public String fingerprint() {
      return "TfRecordPictures:%d:%s".formatted(reader.classes().firstLabel(), files.fingerprint());
    }
  }

  /** Options; see {@link TfRecordImages#builder}. Not thread-safe. */
  public static final class Builder {
    private final TfRecordFiles files;
    private ImageFeatures features = ImageFeatures.IMAGENET;
    private DecodeOptions decodeOptions = DecodeOptions.DEFAULT;
    private List<String> classes;
    private Integer firstLabel;

    private Builder(TfRecordFiles files) {
      this.files = Objects.requireNonNull(files, "files");
    }

    /** What the features are called; {@link ImageFeatures#IMAGENET} by default. */
    public Builder features(ImageFeatures features) {
      this.features = Objects.requireNonNull(features, "features");
      return this;
    }

    /** How images are decoded; {@link DecodeOptions#DEFAULT} by default. */
    public Builder decode(DecodeOptions options) {
      this.decodeOptions = Objects.requireNonNull(options, "options");
      return this;
    }

    /** The names of the classes, by default those of the list beside the shards, or none. */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /**
     * Which label the records have for class 0, by default what the list of classes beside the
     * shards says, or 0. It is 1 for ImageNet, where 0 is a background.
     *
     * @param firstLabel 0 or more
     */
    public Builder firstLabel(int firstLabel) {
      this.firstLabel = firstLabel;
      return this;
    }

    /**
     * Opens the files for reading in any order.
     *
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws IOException if a shard or the list of classes is damaged, or a shard is compressed
     */
    public TfRecordImages build() throws IOException {
      ImageReader reader = reader();
      return new TfRecordImages(
          TfRecordDataset.open(files),
          reader,
          decodeOptions,
          name("TfRecordImages"),
          files.files().get(0));
    }

    /**
     * The same images, each file a shard that is read from front to back. It needs no index, and
     * reads compressed files too. It holds nothing open but its streams.
     *
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws IOException if the list of classes is damaged
     */
    public IterableDataset<LabeledImage> stream() throws IOException {
      return new Stream(files, reader(), decodeOptions, name("TfRecordImages.stream"));
    }

    private String name(String type) {
      return "%s(%s)".formatted(type, files.name());
    }

    private ImageReader reader() throws IOException {
      Path base = ShardSet.base(files.files().get(0));
      Path list = base.resolveSibling(base.getFileName() + ShardSet.CLASSES_SUFFIX);
      ClassList kept = ClassList.readIfPresent(list);
      return new ImageReader(
          features,
          new ClassList(
              classes == null ? kept.names() : classes,
              firstLabel == null ? kept.firstLabel() : firstLabel));
    }
  }
}
