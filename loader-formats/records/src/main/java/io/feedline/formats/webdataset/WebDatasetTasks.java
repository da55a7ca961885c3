package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.internal.jobs.JobFormat;
import io.feedline.formats.store.internal.jobs.TaskSample;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import io.feedline.internal.Json;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * WebDataset shards that tasks write. A field becomes an entry beside the image's: {@code
 * KEY.NAME.txt} for text, {@code KEY.NAME.json} for numbers, {@code KEY.NAME} for bytes; an absent
 * field becomes no entry.
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
    super(WebDatasetFormat.NAME);
  }

  @Override
  protected StagedOutput.Opener<StagedWriter<TaskSample>> opener(
      Path directory, Packing packing, Map<String, FieldType> fields) {
    packing.options().requireKnown(WebDatasetFormat.NAME, Set.of());
    Map<String, String> suffixes = suffixes(fields);
    WebDatasetWriter.Builder options = WebDatasetImageWriter.options(directory, packing);
    ClassList classes = new ClassList(packing.classes(), 0);
    return output ->
        new WebDatasetShardWriter<TaskSample>(output, options) {
          @Override
          protected WebSample stored(TaskSample sample) throws FormatException {
            Map<String, byte[]> entries =
                new HashMap<>(WebDatasetImageWriter.fields(sample.image(), classes));
            for (String name : sample.fields().keySet()) {
              entries.put(suffixes.get(name), bytes(sample, name, fields.get(name)));
            }
            return new WebSample(sample.image().key(), entries);
          }
        };
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

  private static byte[] bytes(TaskSample sample, String name, FieldType type)
      throws FormatException {
    Object value = sample.fields().get(name);
    return switch (type) {
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
