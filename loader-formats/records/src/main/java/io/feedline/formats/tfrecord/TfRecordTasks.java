package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.internal.jobs.JobFormat;
import io.feedline.formats.store.internal.jobs.TaskSample;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes TFRecord files by the tasks of a job. An image is written as a {@code tf.train.Example},
 * as in TensorFlow's scripts for ImageNet: {@code image/encoded}, {@code image/format}, {@code
 * image/width}, {@code image/height}, {@code image/filename}, {@code image/class/label} and, where
 * the classes have names, {@code image/class/text}. An image without a label gets the background's
 * label 0 if classes begin with a later label, and -1 otherwise.
 */
final class TfRecordTasks extends JobFormat {

  private static final Set<String> TAKEN =
      Set.of("image/height", "image/width", "image/format", "image/class/text");

  TfRecordTasks() {
    super(TfRecordFormat.NAME);
  }

  @Override
  protected StagedOutput.Opener<StagedWriter<TaskSample>> opener(
      Path directory, Packing packing, Map<String, FieldType> fields) {
    packing.options().requireKnown(TfRecordFormat.NAME, TfRecordFormat.OPTIONS);
    ImageFeatures features = TfRecordFormat.features(packing.options());
    int firstLabel = packing.options().integer(TfRecordFormat.FIRST_LABEL).orElse(0);
    ClassList classes = new ClassList(packing.classes(), firstLabel);
    for (String field : fields.keySet()) {
      if (TAKEN.contains(field)
          || field.equals(features.encoded())
          || field.equals(features.label())
          || field.equals(features.filename())) {
        throw refused(field, "it is a feature of every image");
      }
    }
    return output ->
        new TfRecordFileWriter<TaskSample>(
            output, TfRecordFileWriter.DEFAULT_NAME, sharding(packing, output.isOfTask())) {
          @Override
          protected List<byte[]> record(TaskSample sample) throws FormatException {
            Example.Builder example = example(sample.image(), features, classes);
            // Fields are written in the order of their names, not in the sample's order.
            fields.forEach((name, type) -> put(example, name, type, sample.fields().get(name)));
            return example.toPieces();
          }

          @Override
          protected void finish() throws IOException {
            super.finish();
            boolean isDefault = classes.names().isEmpty() && classes.firstLabel() == 0;
            if (!isDefault && !output.isOfTask()) {
              classes.write(output, output.path().resolve(DEFAULT_NAME + ClassList.SUFFIX));
            }
          }
        };
  }

  private static Sharding sharding(Packing packing, boolean isOfTask) {
    if (isOfTask) {
      long bytes = packing.shardBytes().orElse(TfRecordDataset.WriterBuilder.DEFAULT_SHARD_BYTES);
      return new Sharding.OfTask(new Sharding.BySize(bytes));
    }
    return packing.shardBytes().isPresent()
        ? new Sharding.BySize(packing.shardBytes().getAsLong())
        : new Sharding.ByCount(packing.shards().orElse(1), packing.images());
  }

  private static Example.Builder example(
      EncodedImage image, ImageFeatures features, ClassList classes) throws FormatException {
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

  private static void put(
      Example.Builder example, String name, FieldType type, @Nullable Object value) {
    if (value != null) {
      switch (type) {
        case TEXT -> example.text(name, (String) value);
        case INTEGER -> example.int64s(name, (Long) value);
        case REAL -> example.floats(name, ((Double) value).floatValue());
        case BYTES -> example.bytes(name, (byte[]) value);
      }
    }
  }
}
