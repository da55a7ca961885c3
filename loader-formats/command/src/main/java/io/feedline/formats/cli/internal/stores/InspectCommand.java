package io.feedline.formats.cli.internal.stores;

import io.feedline.data.FormatException;
import io.feedline.data.StoreException;
import io.feedline.formats.cli.internal.command.Distribution;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.StoreCommand;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableColumn;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.shards.TableFormat;
import io.feedline.internal.Counts;
import io.feedline.progress.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that describes a store and its content. */
@Command(
    name = "inspect",
    description = {
      "Says what a store is: its format, how many images it has of which classes, and how large"
          + " they are. Of a table it lists the columns; of videos and sounds, with loader-media on"
          + " the class path, codec, size and duration.",
      "Sizes are those of up to 1000 images, spread evenly, unless --all is given."
    },
    mixinStandardHelpOptions = true)
public final class InspectCommand extends StoreCommand {

  private static final int LOOKED_AT = 1000;
  private static final int CLASSES_SHOWN = 20;

  @Option(names = "--sample", paramLabel = "N", description = "Shows this sample, counted from 0.")
  private Long sample;

  @Option(names = "--all", description = "Looks at every image's size.")
  private boolean all;

  @Override
  public int run(StoreFormat format, ImageDataset images) throws IOException {
    if (sample != null) {
      showSample(images);
      return ExitCode.OK;
    }
    return showStore(format, images) == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Lists the columns of a table, or the properties of videos and sounds. */
  @Override
  public OptionalInt runWithoutImages(Path read) throws IOException {
    Optional<PreviewFiles> drawable = PreviewFiles.find(read);
    if (drawable.isPresent()) {
      return OptionalInt.of(showFiles(drawable.get()));
    }
    Optional<TableFormat> format = TableFormat.find(read);
    if (format.isEmpty()) {
      return OptionalInt.empty();
    }
    List<Path> paths = format.get().files(read, true);
    long rows = 0;
    List<Object> columns = new ArrayList<>();
    try (OpenFiles files = new OpenFiles(1)) {
      for (Path path : paths) {
        TableFile table = format.get().open(files, path, TableFormat.TextOptions.DEFAULT);
        long known = table.knownRows();
        rows = rows < 0 || known < 0 ? -1 : rows + known;
        if (columns.isEmpty()) {
          for (TableColumn each : table.schema().leaves().values()) {
            columns.add(each.described(each.tableName()));
          }
          table.schema().repeated().forEach(name -> columns.add(name + " (several columns)"));
        }
      }
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("format", format.get().name());
    result.put("path", path().toString());
    result.put("files", paths.size());
    if (rows >= 0) {
      result.put("rows", rows);
    }
    result.put("columns", columns);
    String files = Counts.of(paths.size(), "file");
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: %s, a table without images, %s"
            .formatted(
                path(),
                format.get().name(),
                rows < 0 ? files : Counts.of(rows, "row") + " in " + files));
    columns.forEach(each -> lines.add("  " + each));
    common().print(result, lines);
    return OptionalInt.of(ExitCode.OK);
  }

  private int showFiles(PreviewFiles files) throws IOException {
    List<Object> facts = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    int size = files.paths().size();
    if (size > 1) {
      lines.add(path() + ": " + files.inWords());
    }
    int looks = all ? size : Math.min(size, LOOKED_AT);
    int broken = 0;
    try (Progress progress = common().progress("inspect", looks, 0)) {
      for (int i = 0; i < looks; i++) {
        int file = (int) spread(i, looks, size);
        progress.step(1);
        try {
          Map<String, Object> each = files.inspect(file);
          facts.add(each);
          lines.add(PreviewFiles.line(each));
        } catch (FormatException unusable) {
          broken++;
          facts.add(
              Map.of("path", files.paths().get(file).toString(), "cause", unusable.getMessage()));
          lines.add(unusable.getMessage());
        }
      }
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("path", path().toString());
    result.put("files", facts);
    result.put("broken", broken);
    common().print(result, lines);
    return broken == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private void showSample(ImageDataset images) throws IOException {
    require(
        sample >= 0 && sample < images.size(),
        "--sample must be from 0 to %d, was %d",
        images.size() - 1,
        sample);
    EncodedImage stored = images.encoded(sample);
    Image image = Image.ofEncoded(stored.bytes(), images.describe(sample), images.decodeOptions());
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("index", sample);
    result.put("place", images.describe(sample));
    result.put("key", stored.key());
    result.put("label", stored.label());
    if (stored.label() >= 0 && stored.label() < images.classes().size()) {
      result.put("class", images.classes().get(stored.label()));
    }
    result.put("kind", stored.format().toString());
    result.put("mode", Image.storedMode(stored.bytes()).toString());
    result.put("width", image.width());
    result.put("height", image.height());
    result.put("bytes", stored.bytes().length);
    if (stored.format() == ImageFormat.RAW) {
      RawRecord record = RawRecord.parse(stored.bytes());
      result.put("samples", record.samples());
      result.put("compression", record.isCompressed() ? "lz4" : "none");
    }
    result.put("file", images.path(sample).toString());
    List<String> lines = new ArrayList<>();
    result.forEach((name, value) -> lines.add("%-11s %s".formatted(name, value)));
    common().print(result, lines);
  }

  /** Prints a description of the store; returns the number of broken images that it has found. */
  private long showStore(StoreFormat format, ImageDataset images) throws IOException {
    long size = images.size();
    long looks = all ? size : Math.min(size, LOOKED_AT);
    Distribution bytes = new Distribution();
    Distribution widths = new Distribution();
    Distribution heights = new Distribution();
    Map<Integer, Long> perClass = new TreeMap<>();
    Map<ImageFormat, Long> kinds = new EnumMap<>(ImageFormat.class);
    Map<ImageMode, Long> modes = new EnumMap<>(ImageMode.class);
    long broken = 0;
    try (Progress progress = common().progress("inspect", looks, 0)) {
      for (long i = 0; i < looks; i++) {
        long index = spread(i, looks, size);
        progress.step(1);
        EncodedImage stored;
        Image image;
        try {
          stored = images.encoded(index);
          image = Image.ofEncoded(stored.bytes(), images.describe(index), images.decodeOptions());
          modes.merge(Image.storedMode(stored.bytes()), 1L, Long::sum);
        } catch (IOException unusable) {
          if (StoreException.isBehind(unusable)) {
            throw unusable;
          }
          broken++;
          continue;
        }
        bytes.add(stored.bytes().length);
        widths.add(image.width());
        heights.add(image.height());
        perClass.merge(stored.label(), 1L, Long::sum);
        kinds.merge(stored.format(), 1L, Long::sum);
      }
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("format", format.name());
    result.put("path", path().toString());
    result.put("images", size);
    result.put("classes", images.classes());
    result.put("fingerprint", images.fingerprint());
    result.put("looked_at", looks);
    result.put("broken", broken);
    result.put("kinds", byName(kinds));
    result.put("modes", byName(modes));
    result.put("bytes", bytes.asMap());
    result.put("width", widths.asMap());
    result.put("height", heights.asMap());
    Map<String, Object> counts = new LinkedHashMap<>();
    perClass.forEach((label, count) -> counts.put(label.toString(), count));
    result.put("per_class", counts);

    List<String> lines = new ArrayList<>();
    lines.add("%s: %s, %s".formatted(path(), format.name(), Counts.of(size, "image")));
    int classes = images.classes().size();
    lines.add(classes == 0 ? "classes without names" : Counts.of(classes, "class"));
    lines.add(
        looks == size
            ? "of all images:"
            : "of %s, spread evenly:".formatted(Counts.of(looks, "image")));
    if (broken > 0) {
      lines.add(
          "  broken  %d, which the lines below leave out; verify lists them".formatted(broken));
    }
    lines.add("  labels  " + labelsInWords(images.classes(), perClass));
    lines.add("  kinds   " + inWords(kinds));
    lines.add("  modes   " + inWords(modes));
    lines.add("  width   " + widths);
    lines.add("  height  " + heights);
    lines.add("  bytes   " + bytes);
    lines.addAll(bytes.histogram("  "));
    common().print(result, lines);
    return broken;
  }

  private static Map<String, Object> byName(Map<?, Long> counts) {
    Map<String, Object> named = new LinkedHashMap<>();
    counts.forEach((kind, count) -> named.put(kind.toString(), count));
    return named;
  }

  private static String inWords(Map<?, Long> counts) {
    return counts.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }

  /** Returns the i-th of {@code looks} indices that are spread evenly over {@code size} samples. */
  static long spread(long i, long looks, long size) {
    return looks == size ? i : (long) (i * (double) size / looks);
  }

  private static String labelsInWords(List<String> classes, Map<Integer, Long> perClass) {
    Map<String, Long> counts = new LinkedHashMap<>();
    Map<Integer, Long> all = new TreeMap<>(perClass);
    for (int label = 0; label < classes.size(); label++) {
      all.putIfAbsent(label, 0L);
    }
    for (Map.Entry<Integer, Long> each : all.entrySet()) {
      int label = each.getKey();
      boolean named = label >= 0 && label < classes.size();
      String none = label == EncodedImage.NO_LABEL ? "without a label" : "of class " + label;
      counts.put(named ? classes.get(label) : none, each.getValue());
      if (counts.size() == CLASSES_SHOWN && all.size() > CLASSES_SHOWN) {
        return inWords(counts) + ", ... (all by --json)";
      }
    }
    return inWords(counts);
  }
}
