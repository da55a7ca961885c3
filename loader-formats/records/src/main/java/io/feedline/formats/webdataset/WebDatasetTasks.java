package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.internal.jobs.JobFormat;
import io.feedline.formats.store.internal.jobs.TaskSample;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * WebDataset shards that tasks write. A field becomes an entry beside the image's: {@code
 * KEY.NAME.txt} for text, {@code KEY.NAME.json} for numbers, {@code KEY.NAME} for bytes; one that
 * is absent becomes none.
 */
final class WebDatasetTasks extends JobFormat {

  /** The suffixes that something else has, or is read as an image by. */
  private static final Set<String> TAKEN =
      Arrays.stream(ImageFormat.values()).map(ImageFormat::suffix).collect(Collectors.toSet());

  static {
    TAKEN.addAll(ImageFields.SUFFIXES);
    TAKEN.add("cls");
  }

  WebDatasetTasks() {
    super(WebDatasetImages.NAME);
  }

  @Override
  protected StagedOutput.Opener<StagedWriter<TaskSample>> opener(
      Path directory, Packing packing, Map<String, FieldType> fields) {
    packing.options().requireKnown(WebDatasetImages.NAME, Set.of());
    Map<String, String> suffixes = suffixes(fields);
    WebDatasetWriter.Builder options = WebDatasetImageWriter.options(directory, packing);
    return output -> new Writer(output, options, fields, suffixes);
  }

  private Map<String, String> suffixes(Map<String, FieldType> fields) {
    Map<String, String> suffixes = new HashMap<>();
    Map<String, String> names = new HashMap<>();
    fields.forEach(
        (name, type) -> {
          if (!name.matches("[a-z0-9_-]+([.][a-z0-9_-]+)*")) {
            throw refused(
                name,
                "it becomes a part of a file's name, which readers write in lower case, and may"
                    + " have a to z, 0 to 9, '_', '-', and dots between them");
          }
          String suffix =
              switch (type) {
                case TEXT -> name + ".txt";
                case INTEGER, REAL -> name + ".json";
                case BYTES -> name;
              };
          if (TAKEN.contains(suffix)) {
            throw refused(
                name, "the suffix '%s' is that of an image or its class".formatted(suffix));
          }
          String other = names.putIfAbsent(suffix, name);
          if (other != null) {
            throw refused(
                name, "the field '%s' has the suffix '%s' already".formatted(other, suffix));
          }
          suffixes.put(name, suffix);
        });
    return suffixes;
  }

  private static final class Writer extends WebDatasetShardWriter<TaskSample> {
    private final ClassList classes;
    private final Map<String, FieldType> fields;
    private final Map<String, String> suffixes;

    Writer(
        StagedOutput output,
        WebDatasetWriter.Builder options,
        Map<String, FieldType> fields,
        Map<String, String> suffixes)
        throws IOException {
      super(output, options);
      this.classes = new ClassList(options.classes, 0);
      this.fields = fields;
      this.suffixes = suffixes;
    }

    @Override
    protected WebSample stored(TaskSample sample) throws FormatException {
      Map<String, byte[]> entries =
          new HashMap<>(WebDatasetImageWriter.fields(sample.image(), classes));
      for (Map.Entry<String, Object> field : sample.fields().entrySet()) {
        entries.put(suffixes.get(field.getKey()), bytes(sample, field.getKey(), field.getValue()));
      }
      return new WebSample(sample.image().key(), entries);
    }

    private byte[] bytes(TaskSample sample, String name, Object value) throws FormatException {
      return switch (fields.get(name)) {
        case TEXT -> ((String) value).getBytes(UTF_8);
        case BYTES -> (byte[]) value;
        case INTEGER, REAL -> {
          try {
            yield Json.write(value).getBytes(US_ASCII);
          } catch (IllegalArgumentException infinite) {
            throw sample.refused(name, "is %s, which JSON has no form for".formatted(value));
          }
        }
      };
    }
  }
}
