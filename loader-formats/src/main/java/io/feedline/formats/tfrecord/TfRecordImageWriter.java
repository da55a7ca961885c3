package io.feedline.formats.tfrecord;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.ImageStoreWriter;
import io.feedline.formats.support.ClassList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Packs images into TFRecord files, as TensorFlow's scripts for ImageNet do: each becomes a
 * {@code tf.train.Example} with {@code image/encoded}, {@code image/format}, {@code image/width},
 * {@code image/height}, {@code image/filename}, {@code image/class/label} and, where the classes
 * have names, {@code image/class/text}. The images' bytes are not touched.
 *
 * <p>The names of the classes, and with which label they begin, are kept in {@code
 * train.classes.json} beside the shards {@code train-00000-of-00007}.
 *
 * <p>Not thread-safe. Whoever opened it closes it; closing twice is allowed.
 *
 * @see TfRecordWriter what the files are called, and how an interrupted run is continued
 */
public final class TfRecordImageWriter implements ImageStoreWriter {

  private final TfRecordWriter writer;
  private final Path classList;
  private final ImageFeatures features;
  private final ClassList classes;

  private TfRecordImageWriter(Builder builder, TfRecordWriter writer) {
    this.writer = writer;
    Path base = builder.files.base();
    this.classList = base.resolveSibling(base.getFileName() + ShardSet.CLASSES_SUFFIX);
    this.features = builder.features;
    this.classes = new ClassList(builder.classes, builder.firstLabel);
  }

  /**
   * Options for packing images.
   *
   * @param base the shards' common path: {@code out/train} for {@code out/train-00000-of-00007};
   *     its directory is made if need be
   */
  public static Builder builder(Path base) {
    return new Builder(base);
  }

  @Override
  public long written() {
    return writer.written();
  }

  /**
   * Adds an image. Its file name is its key with the extension of its format; without a label, it
   * gets that of the background where there is one, and -1 otherwise.
   *
   * @throws IOException if its bytes are no image, its label has no class, or it cannot be
   *     written; nothing is then added
   * @throws IllegalStateException if the sink is committed or closed
   */
  @Override
  public void write(EncodedImage image) throws IOException {
    Image header = Image.ofEncoded(image.bytes(), "image " + image.key());
    StoredFormat format = StoredFormat.of(image.bytes());
    Example.Builder example =
        Example.builder()
            .int64s("image/height", header.height())
            .int64s("image/width", header.width())
            .text("image/format", format.name())
            .text(features.filename(), image.key() + format.extension());
    if (features.label() != null) {
      example.int64s(features.label(), stored(image));
    }
    if (image.label() >= 0 && !classes.names().isEmpty()) {
      example.text("image/class/text", classes.names().get(image.label()));
    }
    writer.write(example.bytes(features.encoded(), image.bytes()).toBytes());
  }

  private long stored(EncodedImage image) throws IOException {
    int label = image.label();
    if (label == EncodedImage.NO_LABEL) {
      return classes.firstLabel() > 0 ? 0 : EncodedImage.NO_LABEL;
    }
    if (!classes.names().isEmpty() && label >= classes.names().size()) {
      throw new IOException(
          "image %s has label %d, but there are %d classes"
              .formatted(image.key(), label, classes.names().size()));
    }
    return (long) label + classes.firstLabel();
  }

  /**
   * Writes the list of classes and gives the shards their final names.
   *
   * @throws IOException if that fails; the output is then as after an interruption
   * @throws IllegalStateException if the sink is committed or closed
   */
  @Override
  public void commit() throws IOException {
    writer.prepareCommit();
    if (classes.names().isEmpty() && classes.firstLabel() == 0) {
      // What an earlier dataset of this name may have left would be taken for this one's.
      Files.deleteIfExists(classList);
    } else {
      classes.write(classList);
    }
    writer.commit();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  /** Options; see {@link TfRecordImageWriter#builder}. Not thread-safe. */
  public static final class Builder {
    private final TfRecordWriter.Builder files;
    private ImageFeatures features = ImageFeatures.IMAGENET;
    private List<String> classes = List.of();
    private int firstLabel;

    private Builder(Path base) {
      this.files = TfRecordWriter.builder(base);
    }

    /**
     * As many shards as asked for; see {@link TfRecordWriter.Builder#shards}.
     *
     * @throws IllegalArgumentException if a number is impossible, or another division was chosen
     */
    public Builder shards(int shards, long images) {
      files.shards(shards, images);
      return this;
    }

    /**
     * Shards of a size; see {@link TfRecordWriter.Builder#shardBytes}.
     *
     * @throws IllegalArgumentException if {@code bytes} is below 1, or another division was chosen
     */
    public Builder shardBytes(long bytes) {
      files.shardBytes(bytes);
      return this;
    }

    /**
     * One file, which is called as the base path is.
     *
     * @throws IllegalArgumentException if another division was chosen
     */
    public Builder oneFile() {
      files.oneFile();
      return this;
    }

    /** What the features are called; {@link ImageFeatures#IMAGENET} by default. */
    public Builder features(ImageFeatures features) {
      this.features = Objects.requireNonNull(features, "features");
      return this;
    }

    /** The names of the classes by index; none by default. */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /**
     * The label that is written for class 0; 0 by default. With 1, as for ImageNet, 0 is a
     * background.
     *
     * @param firstLabel 0 or more
     */
    public Builder firstLabel(int firstLabel) {
      this.firstLabel = firstLabel;
      return this;
    }

    /**
     * Begins to write, or continues what was interrupted.
     *
     * @throws IllegalArgumentException if {@code firstLabel} is negative
     * @throws java.nio.file.FileAlreadyExistsException if the dataset is there already
     * @throws IOException if a file cannot be made, is being written by another, or is not as these
     *     options would have made it
     */
    public TfRecordImageWriter build() throws IOException {
      if (firstLabel < 0) {
        throw new IllegalArgumentException("firstLabel must be 0 or more, was " + firstLabel);
      }
      return new TfRecordImageWriter(this, files.build());
    }
  }
}
