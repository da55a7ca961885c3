package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.internal.jobs.JobFormat;
import io.feedline.formats.store.internal.jobs.TaskSample;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * TFRecord files that tasks write: {@code data-00000.tfrecord} and so on. A field becomes a feature
 * of its name: bytes; UTF-8 for text; int64 for whole numbers; float, which has 32 bits, for other
 * numbers. An absent field becomes no feature.
 */
final class TfRecordTasks extends JobFormat {

  /** The features that an image always has, without the features whose names are options. */
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
    long bytes = packing.shardBytes().orElse(TfRecordWriter.DEFAULT_SHARD_BYTES);
    Sharding sharding = new Sharding.OfTask(new Sharding.BySize(bytes));
    return output ->
        new TfRecordFileWriter<TaskSample>(output, TfRecordFileWriter.DEFAULT_NAME, sharding) {
          @Override
          protected byte[] record(TaskSample sample) throws FormatException {
            Example.Builder example =
                TfRecordImageWriter.example(sample.image(), features, classes);
            // Features are in the order of their names.
            fields.forEach((name, type) -> put(example, name, type, sample.fields().get(name)));
            return example.toBytes();
          }
        };
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
