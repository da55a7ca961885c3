package io.feedline.spark;

import io.feedline.data.FormatException;
import io.feedline.formats.image.recode.internal.Recoding;
import io.feedline.formats.jpeg.index.internal.ScanIndexedTask;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.values.ByteCount;
import io.feedline.internal.Json;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * The plan of a write, for the driver and the executors: the checked options and columns.
 *
 * @param classes the names of the classes by label; empty if they are unnamed
 * @param shardBytes the largest size of a shard in bytes; 0: the format's default
 * @param scanIndex whether tasks make the scan indexes of their shards
 * @param skipBroken whether broken images are left out; otherwise a broken image ends the job
 */
record PackPlan(
    Location target,
    String format,
    List<String> classes,
    long shardBytes,
    Map<String, String> options,
    Recoding recoding,
    KeyKind keys,
    boolean scanIndex,
    boolean skipBroken,
    SampleColumns rows)
    implements Serializable {

  private static final long serialVersionUID = 1;

  static final String CLASSES = "classes";

  private static final String TO = "to";
  private static final String SHARD_SIZE = "shardSize";
  private static final String SCAN_INDEX = "scanIndex";
  private static final String ROOT = "root";
  private static final String KEYS = "keys";
  private static final String ON_ERROR = "onError";

  private static final List<String> OPTIONS =
      List.of(
          TO,
          SHARD_SIZE,
          SCAN_INDEX,
          CLASSES,
          ROOT,
          KEYS,
          ON_ERROR,
          SampleColumns.KEY_COLUMN,
          SampleColumns.BYTES_COLUMN,
          SampleColumns.LABEL_COLUMN);

  /** The kinds of keys that stored images get, as in {@code feedline convert --keys}. */
  enum KeyKind {
    STEM,
    FILE
  }

  /** Makes the plan; fails if an option is missing, unknown or impossible, or a column is unfit. */
  static PackPlan of(SparkSession session, StructType schema, SourceOptions options) {
    StoreFormat format = format(options);
    List<String> known = new ArrayList<>(OPTIONS);
    known.addAll(Recoding.OPTIONS.stream().sorted().toList());
    known.addAll(format.createOptions().stream().sorted().toList());
    options
        .without(FeedlineSource.MODE)
        .requireKnown("writing %s with feedline".formatted(format.name()), known);
    try {
      ImageRoot root = root(session, schema, options);
      List<String> classes =
          classes(options).orElseGet(() -> root == null ? List.of() : root.directories());
      return new PackPlan(
          Location.of(session, options.path()),
          format.name(),
          classes,
          shardBytes(options).orElse(0L),
          options.of(format.createOptions()),
          Recoding.of(StoreOptions.of(options.of(Recoding.OPTIONS))),
          keys(options),
          options.flag(SCAN_INDEX),
          options.choice(ON_ERROR, List.of("fail", "skip")).equals("skip"),
          SampleColumns.of(schema, options, classes, root));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static StoreFormat format(SourceOptions options) {
    String writable =
        StoreFormat.all().stream()
            .filter(StoreFormat::isWritableByTasks)
            .map(StoreFormat::name)
            .collect(Collectors.joining(", "));
    String name =
        options
            .text(TO)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "option to is missing: it names the format to write, one of " + writable));
    return StoreFormat.all().stream()
        .filter(each -> each.isWritableByTasks() && each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "option to must be a format that many tasks can write, one of %s; was '%s'"
                        .formatted(writable, name)));
  }

  private static ImageRoot root(SparkSession session, StructType schema, SourceOptions options)
      throws IOException {
    Optional<String> root = options.text(ROOT);
    if (!SampleColumns.areFiles(schema, options)) {
      if (root.isPresent()) {
        throw new IllegalArgumentException(
            "option root is for rows of files, with columns path and content and no key; these are "
                + Arrays.toString(schema.fieldNames()));
      }
      return null;
    }
    if (root.isEmpty()) {
      throw new IllegalArgumentException(
          "these are rows of files, whose keys and classes are their paths below a directory: name"
              + " that directory by option root, such as the one that binaryFile has loaded. Or"
              + " name a column of keys by option "
              + SampleColumns.KEY_COLUMN);
    }
    return ImageRoot.of(root.get(), Location.hadoop(session));
  }

  /** Returns the class names in an option: separated by commas, or a JSON list. */
  private static Optional<List<String>> classes(SourceOptions options) {
    Optional<String> text = options.text(CLASSES).map(String::strip);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    if (text.get().startsWith("[")) {
      try {
        for (Object name : (List<?>) Json.readValue(text.get())) {
          names.add((String) name);
        }
      } catch (IllegalArgumentException | ClassCastException invalid) {
        throw new IllegalArgumentException(
            "option classes must be names with commas between them, or a list of strings in JSON,"
                + " was "
                + text.get(),
            invalid);
      }
    } else {
      Arrays.stream(text.get().split(",", -1)).map(String::strip).forEach(names::add);
    }
    if (names.contains("") || names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException(
          "option classes must have each name once, and none that is empty; was " + names);
    }
    return Optional.of(List.copyOf(names));
  }

  private static Optional<Long> shardBytes(SourceOptions options) {
    try {
      return options.text(SHARD_SIZE).map(ByteCount::parse);
    } catch (IllegalArgumentException invalid) {
      throw new IllegalArgumentException("option shardSize: " + invalid.getMessage(), invalid);
    }
  }

  private static KeyKind keys(SourceOptions options) {
    String text = options.text(KEYS).orElse("stem");
    return switch (text) {
      case "stem" -> KeyKind.STEM;
      case "file" -> KeyKind.FILE;
      case "index" ->
          throw new IllegalArgumentException(
              "option keys cannot be index: tasks that run at once do not know the numbers of their"
                  + " first rows. Make a column of numbers, and name it by option "
                  + SampleColumns.KEY_COLUMN);
      default ->
          throw new IllegalArgumentException(
              "option keys must be stem or file, was '%s'".formatted(text));
    };
  }

  PackingJob begin(PackingJob.Mode mode) throws IOException {
    return PackingJob.begin(target.path(), storeFormat(), packing(), rows.fieldTypes(), mode);
  }

  /** Opens the writer of one attempt of a task, on the executor. The caller closes the writer. */
  TaskWriter openTask(String job, int task, long attempt) throws IOException {
    Path directory = target.path();
    TaskWriter writer =
        PackingJob.openTask(
            directory, storeFormat(), packing(), rows.fieldTypes(), job, task, attempt);
    return scanIndex
        ? new ScanIndexedTask(writer, JobNames.directory(directory, job, task, attempt))
        : writer;
  }

  /** Returns the image in the form to store; fails if its header, or data to decode, is broken. */
  EncodedImage stored(EncodedImage image) throws FormatException {
    return recoding.apply(keys == KeyKind.FILE ? image.withFileNameAsKey() : image);
  }

  private StoreFormat storeFormat() {
    return StoreFormat.named(format);
  }

  private Packing packing() {
    Packing packing = Packing.of(classes, 0).withOptions(StoreOptions.of(options));
    return shardBytes == 0 ? packing : packing.withShardBytes(shardBytes);
  }

  @Override
  public String toString() {
    return "feedline %s to %s, %s %s".formatted(format, target, recoding, options);
  }
}
