package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.internal.jobs.JobFormat;
import io.feedline.formats.store.internal.jobs.TaskSample;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import io.feedline.internal.Json;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes WebDataset shards by the tasks of a job. An image becomes two entries: {@code KEY.cls}
 * with the label in decimal (-1 for none), and {@code KEY.jpg}, or the suffix of another encoding.
 */
final class WebDatasetTasks extends JobFormat {

  private static final String PATTERN = "data-%06d.tar";

  /** The suffixes that no field may have: those of images and of the class. */
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
    WebDataset.WriterBuilder options = options(directory, packing);
    ClassList classes = new ClassList(packing.classes(), 0);
    return output ->
        new WebDatasetShardWriter<TaskSample>(output, options) {
          @Override
          protected WebSample stored(TaskSample sample) throws FormatException {
            classes.requireClass(sample.image());
            Map<String, byte[]> entries = new HashMap<>();
            entries.put("cls", Integer.toString(sample.image().label()).getBytes(US_ASCII));
            entries.put(suffix(sample.image()), sample.image().bytes());
            for (String name : sample.fields().keySet()) {
              entries.put(suffixes.get(name), bytes(sample, name, fields.get(name)));
            }
            return new WebSample(sample.image().key(), entries);
          }
        };
  }

  private static WebDataset.WriterBuilder options(Path directory, Packing packing) {
    WebDataset.WriterBuilder options =
        WebDataset.writer(directory, PATTERN)
            .classes(packing.classes())
            .keys(WebDatasetTasks::withoutDots);
    if (packing.shardBytes().isPresent()) {
      options.shardBytes(packing.shardBytes().getAsLong());
    } else if (packing.shards().isPresent()) {
      options.shardBytes(Long.MAX_VALUE).maxSamples(packing.imagesPerShard());
    }
    return options;
  }

  /** Replaces dots behind the last slash, at which a reader would cut the key. */
  private static String withoutDots(String key) {
    int name = key.lastIndexOf('/') + 1;
    return key.substring(0, name) + key.substring(name).replace('.', '_');
  }

  /** Returns the suffix of an image's encoding, since readers choose the decoder by the suffix. */
  private static String suffix(EncodedImage image) throws FormatException {
    ImageFormat format = image.format();
    return switch (format) {
      case PNM ->
          switch (image.bytes()[1]) {
            case '1', '4' -> "pbm";
            case '2', '5' -> "pgm";
            default -> "ppm";
          };
      case UNKNOWN ->
          throw new FormatException(
              "'%s' has %d bytes that are no known kind of image, so it has no suffix"
                  .formatted(Names.shown(image.key()), image.bytes().length));
      default -> format.suffix();
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
