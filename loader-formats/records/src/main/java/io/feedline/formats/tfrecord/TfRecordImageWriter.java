package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Packs images into TFRecord files, as TensorFlow's scripts for ImageNet do: each becomes a {@code
 * tf.train.Example} with {@code image/encoded}, {@code image/format}, {@code image/width}, {@code
 * image/height}, {@code image/filename}, {@code image/class/label} and, where the classes have
 * names, {@code image/class/text}. The images' bytes are not touched. An image without a label gets
 * the background's label if there is a background, otherwise -1.
 *
 * <p>The names of the classes, and the label that they begin with, are kept in {@code
 * data.classes.json} beside the shards {@code data-00000-of-00007}.
 */
final class TfRecordImageWriter extends TfRecordFileWriter<EncodedImage>
    implements ImageStoreWriter {

  private final ImageFeatures features;
  private final ClassList classes;

  private TfRecordImageWriter(
      StagedOutput output, Sharding sharding, ImageFeatures features, ClassList classes)
      throws IOException {
    super(output, DEFAULT_NAME, sharding);
    this.features = features;
    this.classes = classes;
  }

  static TfRecordImageWriter open(
      Path directory, Packing packing, ImageFeatures features, int firstLabel) throws IOException {
    ClassList classes = new ClassList(packing.classes(), firstLabel);
    Sharding sharding =
        packing.shardBytes().isPresent()
            ? new Sharding.BySize(packing.shardBytes().getAsLong())
            : new Sharding.ByCount(packing.shards().orElse(1), packing.images());
    requireNames(directory, sharding);
    return StagedOutput.openFor(
        directory,
        StagedOutput.Kind.DIRECTORY,
        TfRecordFormat.NAME,
        packing,
        output -> new TfRecordImageWriter(output, sharding, features, classes));
  }

  @Override
  protected byte[] record(EncodedImage image) throws FormatException {
    return example(image, features, classes).toBytes();
  }

  /**
   * The features of an image and its label.
   *
   * @throws FormatException if its class has no name, or it is not an image
   */
  static Example.Builder example(EncodedImage image, ImageFeatures features, ClassList classes)
      throws FormatException {
    classes.requireClass(image);
    Image header = header(image);
    Example.Builder example =
        Example.builder()
            .int64s("image/height", header.height())
            .int64s("image/width", header.width())
            .text("image/format", image.format().name())
            .text(features.filename(), image.fileName())
            .int64s(features.label(), stored(image.label(), classes));
    if (image.label() >= 0 && !classes.names().isEmpty()) {
      example.text("image/class/text", classes.names().get(image.label()));
    }
    return example.bytes(features.encoded(), image.bytes());
  }

  private static Image header(EncodedImage image) throws FormatException {
    String place = "image " + image.key();
    try {
      return Image.ofEncoded(image.bytes(), place);
    } catch (FormatException broken) {
      throw new FormatException(broken.getMessage(), broken);
    }
  }

  private static long stored(int label, ClassList classes) {
    if (label == EncodedImage.NO_LABEL) {
      return classes.firstLabel() > 0 ? 0 : EncodedImage.NO_LABEL;
    }
    return (long) label + classes.firstLabel();
  }

  @Override
  protected void finish() throws IOException {
    super.finish();
    if (!classes.names().isEmpty() || classes.firstLabel() > 0) {
      classes.write(output(), output().path().resolve(DEFAULT_NAME + ClassList.SUFFIX));
    }
  }
}
