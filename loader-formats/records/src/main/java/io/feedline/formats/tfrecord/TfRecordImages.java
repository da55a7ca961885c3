package io.feedline.formats.tfrecord;

import io.feedline.data.IterableDataset;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.formats.store.internal.shards.ShardSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A reader of encoded images and their labels in the {@code tf.train.Example}s of TFRecord files,
 * such as ImageNet's.
 *
 * <pre>{@code
 * try (ImageDataset train =
 *     TfRecordImages.builder(Path.of("imagenet/train-*")).firstLabel(1).build()) {
 *   Dataset<LabeledImage> samples = train.withTransform(augment);
 * }
 * }</pre>
 *
 * <p>An image's label is the label in its record minus the first label. The first label is 0,
 * unless {@link Builder#firstLabel}, or the list of classes beside shards that Feedline wrote, sets
 * another. A label below the first label, and -1, are read as {@link EncodedImage#NO_LABEL}.
 *
 * <p>An image's key is its file name without the extension; without a file name, its index.
 *
 * <p>{@link StoreFormat#named} returns the format for the name {@code tfrecord}. The format opens a
 * file, a pattern of files, a directory of files, or a directory with {@code shards.json}, which
 * then sets the shards, classes and options. The options {@code image-field}, {@code label-field}
 * and {@code first-label} are for reading and for writing. The format writes a directory with
 * {@code data-00000-of-00007} and so on, and {@code data.classes.json}; features have ImageNet's
 * names. By default it writes one shard.
 *
 * @see TfRecordDataset how random access works, and its limits
 */
public final class TfRecordImages {

  private TfRecordImages() {}

  /**
   * Returns the images of the files that {@link TfRecordFiles#builder(Path)} chooses.
   *
   * @throws IOException if no file matches, or a shard is missing, damaged or compressed
   */
  public static ImageDataset of(Path pattern) throws IOException {
    return builder(pattern).build();
  }

  /**
   * Returns a builder for the images of the files that {@link TfRecordFiles#builder(Path)} chooses.
   *
   * @throws IOException if no file matches, or a shard is missing
   */
  public static Builder builder(Path pattern) throws IOException {
    return builder(TfRecordFiles.of(pattern));
  }

  /** Returns a builder for the images of chosen files. */
  public static Builder builder(TfRecordFiles files) {
    return new Builder(files);
  }

  /**
   * Options; see {@link TfRecordImages#builder}. Not thread-safe.
   *
   * <p>A field is the name of a feature. The image field has the encoded image, one value of bytes;
   * {@code image/encoded} by default. The label field has one integer; {@code image/class/label} by
   * default. The key field has the image's file name and may be absent from records; {@code
   * image/filename} by default. TensorFlow Datasets calls these features {@code image}, {@code
   * label} and {@code file_name}. By default the names of the classes are read from the list beside
   * the shards.
   */
  public static final class Builder extends ImageStoreBuilder.WithKeys<Builder> {
    private final TfRecordFiles files;
    private Integer firstLabel;

    private Builder(TfRecordFiles files) {
      this.files = Objects.requireNonNull(files, "files");
      if (files.chosen().isListed()) {
        StoreOptions listed = StoreOptions.of(files.chosen().list().options());
        listed.requireKnown(files.chosen().path() + ", " + ShardList.NAME, TfRecordFormat.OPTIONS);
        options(listed);
      }
    }

    Builder options(StoreOptions options) {
      options.integer(TfRecordFormat.FIRST_LABEL).ifPresent(this::firstLabel);
      return fields(options);
    }

    /**
     * Sets the label of class 0 in the records; by default the first label in the list of classes
     * beside the shards, or else 0. For ImageNet set 1, since label 0 is a background there.
     *
     * @param firstLabel 0 or more
     */
    public Builder firstLabel(int firstLabel) {
      this.firstLabel = firstLabel;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      ImageReader reader = reader();
      return new TfRecordStore(TfRecordDataset.open(files), reader, name("TfRecordImages"));
    }

    /**
     * Returns the images as a stream, in which each file is a shard that is read from front to
     * back. The stream needs no index, and reads compressed files too. It keeps a file open only
     * while the shard is read.
     *
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws IOException if the list of classes is damaged
     */
    public IterableDataset<LabeledImage> stream() throws IOException {
      return stream(DecodeOptions.DEFAULT);
    }

    /** Returns the images of {@link #stream()}, decoded with other options. */
    public IterableDataset<LabeledImage> stream(DecodeOptions options) throws IOException {
      Objects.requireNonNull(options, "options");
      ImageReader reader = reader();
      return new TfRecordStream<>(
          files,
          (record, place) -> reader.labeled(record, place, options),
          name("TfRecordImages.stream"),
          TfRecordStore.fingerprint(reader, files.fingerprint()));
    }

    private String name(String type) {
      return "%s(%s)".formatted(type, files.name());
    }

    private ClassList keptClasses() throws IOException {
      if (files.chosen().isListed()) {
        return new ClassList(files.chosen().list().classes(), 0);
      }
      Path base = ShardSet.base(files.files().get(0));
      return ClassList.readIfPresent(base.resolveSibling(base.getFileName() + ClassList.SUFFIX));
    }

    private ImageReader reader() throws IOException {
      ClassList kept = keptClasses();
      ImageFeatures features = ImageFeatures.IMAGENET;
      String label = labelOr(features.label());
      return new ImageReader(
          new ImageFeatures(
              imageOr(features.encoded()),
              label == null || label.isEmpty() ? null : label,
              keyOr(features.filename())),
          new ClassList(
              classesOr(kept.names()), firstLabel == null ? kept.firstLabel() : firstLabel));
    }
  }
}
