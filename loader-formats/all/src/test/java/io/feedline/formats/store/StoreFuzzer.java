package io.feedline.formats.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import io.feedline.LoaderState;
import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.Quarantine;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.formats.coco.CocoDataset;
import io.feedline.formats.hdf5.Hdf5Dataset;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.lmdb.LmdbDataset;
import io.feedline.formats.lmdb.LmdbTensors;
import io.feedline.formats.mds.MdsDataset;
import io.feedline.formats.recordio.RecordIoDataset;
import io.feedline.formats.table.TableDataset;
import io.feedline.formats.text.JsonLines;
import io.feedline.formats.text.MegatronDataset;
import io.feedline.formats.text.TokenFile;
import io.feedline.formats.tfrecord.Example;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.formats.voc.VocDataset;
import io.feedline.formats.webdataset.WebDataset;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Reads damaged stores of all formats: each must give data, or an exception that its reader's
 * documentation names; never another one, an error, an output to the console, much more memory than
 * the file has bytes, or no end.
 *
 * <p>Run in a JVM of its own, with a small heap, from a module below {@code loader-formats}: {@code
 * KIND MUTANTS SEED [KEEP]}, where the kind may be {@code all}. The directory keeps each mutant
 * and, in {@code results.tsv}, what was read of it; {@code compare_mutants.py} compares that with
 * what the formats' own libraries read.
 */
@SuppressWarnings("SystemOut")
final class StoreFuzzer {

  private static final int MOST_SAMPLES = 64;
  private static final int MOST_PIXELS = 1 << 18;

  /** The bytes that reading may allocate beside a multiple of the file's bytes. */
  private static final long FREE_BYTES = 96L << 20;

  private static final long PER_BYTE = 64;
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The result of a reading, comparable with another. */
  static final class Found {
    private final StringBuilder text = new StringBuilder();

    void add(Object what) {
      text.append(text.length() == 0 ? "" : " ").append(what);
    }

    void add(byte[] bytes) {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      add("%d:%08x".formatted(bytes.length, crc.getValue()));
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }

  @FunctionalInterface
  interface Reading {
    void read(Path path, Found found) throws Exception;
  }

  @FunctionalInterface
  private interface Opening<D> {
    D open(Path path) throws Exception;
  }

  /** A part of a reading; what it refuses does not end the rest. */
  @FunctionalInterface
  private interface Part {
    void read() throws Exception;
  }

  /** The files of which any is mutated, and the path that is then read. */
  record Seed(List<Path> mutated, Path opened, Reading reading) {}

  private final Path directory;
  private final Map<String, List<Seed>> kinds = new LinkedHashMap<>();
  private final Map<String, Integer> finds = new TreeMap<>();
  private final Path keep;
  private final PrintStream out;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private volatile long begun = Long.MAX_VALUE;
  private volatile String current = "";
  private int refused;
  private int read;
  private Throwable cause;

  /** Keeps mutants and their results in {@code keep}, if it is not null. */
  StoreFuzzer(Path directory, Path keep, OutputStream out) {
    this.directory = directory;
    this.keep = keep;
    this.out = new PrintStream(out, true, UTF_8);
  }

  private static void part(Found found, Part part) throws Exception {
    try {
      part.read();
    } catch (IOException refusal) {
      found.add("refused");
    }
  }

  private static void store(ImageStore store, Found found) throws Exception {
    try (store) {
      found.add(store.size());
      store.classes();
      store.fingerprint();
      store.shardSizes();
      for (long i = 0; i < Math.min(MOST_SAMPLES, store.size()); i++) {
        long index = i;
        store.describe(index);
        part(
            found,
            () -> {
              EncodedImage image = store.read(index);
              found.add("#" + index);
              found.add(image.key().replaceAll("\\s", "_"));
              found.add(image.label());
              found.add(image.bytes());
            });
        part(found, () -> store.label(index));
        part(found, () -> store.key(index));
        part(
            found,
            () -> {
              try (var image = store.locate(index).orElse(null)) {
                if (image != null) {
                  image.copy();
                }
              }
            });
      }
      part(found, store::checkStructure);
    }
  }

  private static Reading format(String name) {
    return (path, found) -> store(StoreFormat.named(name).open(path, StoreOptions.NONE), found);
  }

  private static <T> void dataset(Dataset<T> dataset, Found found, Sample<T> each)
      throws Exception {
    try {
      found.add(dataset.size());
      for (long i = 0; i < Math.min(MOST_SAMPLES, dataset.size()); i++) {
        long index = i;
        dataset.describe(index);
        found.add("@" + index);
        part(found, () -> each.read(dataset.get(index), found));
      }
    } finally {
      if (dataset instanceof AutoCloseable own) {
        own.close();
      }
    }
  }

  private static <T> Reading dataset(Opening<? extends Dataset<T>> opening, Sample<T> each) {
    return (path, found) -> dataset(opening.open(path), found, each);
  }

  private static <T> Reading stream(Opening<IterableDataset<T>> opening, Sample<T> each) {
    return (path, found) -> stream(opening.open(path), found, each);
  }

  private static <T> void stream(IterableDataset<T> dataset, Found found, Sample<T> each)
      throws Exception {
    for (int shard = 0; shard < dataset.shards(); shard++) {
      try (SampleStream<T> stream = dataset.open(shard, 0)) {
        boolean[] more = {true};
        for (int i = 0; more[0] && i < MOST_SAMPLES; i++) {
          part(
              found,
              () -> {
                var pending = stream.next();
                more[0] = pending != null;
                if (pending != null) {
                  each.read(pending.get(new SampleContext(0, 0, 0)), found);
                }
              });
        }
      }
    }
  }

  @FunctionalInterface
  private interface Sample<T> {
    void read(T sample, Found found) throws Exception;
  }

  private static void fields(WebSample sample, Found found) throws Exception {
    found.add(sample.key().replaceAll("\\s", "_"));
    for (var field : sample.fields().entrySet()) {
      found.add(field.getKey());
      found.add(field.getValue());
      String suffix = field.getKey();
      part(found, () -> sample.text(suffix));
      part(found, () -> sample.integer(suffix));
      part(found, () -> sample.npy(suffix));
    }
  }

  /** Shards are inflated beside their files, where those of the mutant before would be found. */
  private static void deleteInflated(Path store) throws IOException {
    try (Stream<Path> all = Files.list(store)) {
      List<Path> files = all.toList();
      for (Path file : files) {
        if (files.contains(Path.of(file + ".gz")) || files.contains(Path.of(file + ".zstd"))) {
          Files.delete(file);
        }
      }
    }
  }

  /** The names of the features in their order, and the bytes of all their values. */
  private static void example(Example example, Found found) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String name : new TreeSet<>(example.names())) {
      Example.Feature feature = example.feature(name);
      all.writeBytes((name + feature.size() + feature.getClass().getSimpleName()).getBytes(UTF_8));
      if (feature instanceof Example.Feature.Bytes bytes) {
        IntStream.range(0, bytes.size()).forEach(i -> all.writeBytes(bytes.get(i)));
      } else if (feature instanceof Example.Feature.Floats floats) {
        all.writeBytes(Arrays.toString(bits(floats.toArray())).getBytes(UTF_8));
      } else {
        long[] numbers = ((Example.Feature.Int64s) feature).toArray();
        all.writeBytes(Arrays.toString(numbers).getBytes(UTF_8));
      }
    }
    found.add(all.toByteArray());
  }

  /** All that is no number has the same bits. */
  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    Arrays.setAll(bits, i -> Float.floatToIntBits(values[i]));
    return bits;
  }

  private static void values(Map<String, Object> sample, Found found) {
    for (var column : sample.entrySet()) {
      Object value = column.getValue();
      found.add(column.getKey().replaceAll("\\s", "_"));
      if (value instanceof byte[] bytes) {
        found.add(bytes);
      } else if (value instanceof String text) {
        found.add(text.getBytes(UTF_8));
      } else if (value instanceof Tensor tensor) {
        found.add((tensor.dtype() + "" + tensor.shape()).replace(" ", ""));
        found.add(tensor.toByteArray());
      } else if (value instanceof Float || value instanceof Double) {
        double number = ((Number) value).doubleValue();
        found.add("%016x".formatted(Double.doubleToLongBits(number)));
      } else {
        found.add(value instanceof Image ? "image" : value);
      }
    }
  }

  private static void tensors(Map<String, ? extends TensorSource> sample, Found found)
      throws Exception {
    for (var field : sample.entrySet()) {
      TensorSource tensor = field.getValue();
      found.add(field.getKey() + tensor.shape());
      long bytes = Math.multiplyExact(tensor.shape().elements(), tensor.dtype().bytes());
      if (bytes > 1 << 24) {
        throw new IOException("a tensor of %d bytes".formatted(bytes));
      }
      ByteBuffer target = ByteBuffer.allocate((int) bytes).order(ByteOrder.nativeOrder());
      tensor.writeTo(target);
      found.add(target.array());
    }
  }

  /** The pixels in each mode, any of which may be refused by itself. */
  private static void image(Path path, Found found) throws Exception {
    byte[] bytes = Files.readAllBytes(path);
    for (ImageMode mode : ImageMode.values()) {
      DecodeOptions options = DecodeOptions.DEFAULT.withMaxPixels(MOST_PIXELS).withMode(mode);
      part(
          found,
          () ->
              tensors(
                  Map.of(mode.name(), Image.ofEncoded(bytes, path.toString(), options)), found));
    }
  }

  private static Path fixtures(String of) {
    return Path.of("..").resolve(of.replaceFirst("/", "/src/test/resources/io/feedline/formats/"));
  }

  private static void copied(Path file, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(file, to);
  }

  /**
   * Adds the seeds of a line of {@link #SEEDS}: of the copied files, those with some names are
   * mutated; {@code *} opens each copied file by itself.
   */
  private void seeds(
      String kind, String from, String copied, String mutated, String opened, String readings)
      throws IOException {
    boolean each = opened.equals("*");
    Path source = fixtures(from);
    Path target = directory.resolve(kind).resolve(each ? Path.of(from) : source.getFileName());
    List<Path> changed = new ArrayList<>();
    try (Stream<Path> all = Files.walk(source, each ? 1 : Integer.MAX_VALUE)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        String name = source.relativize(file).toString();
        if (name.matches(copied)) {
          Path copy = target.resolve(name);
          if (!Files.exists(copy)) {
            copied(file, copy);
          }
          if (each || name.matches(mutated)) {
            changed.add(copy);
          }
        }
      }
    }
    for (String name : readings.split(",", -1)) {
      Reading reading = reading(name, kind);
      if (each) {
        changed.forEach(file -> add(kind, new Seed(List.of(file), file, reading)));
      } else {
        add(kind, new Seed(changed, target.resolve(opened), reading));
      }
    }
  }

  private void add(String kind, Seed seed) {
    kinds.computeIfAbsent(kind, name -> new ArrayList<>()).add(seed);
  }

  /** Adds a store that our own writer makes, with its indexes and lists. */
  private void written(String name) throws IOException {
    Path path = directory.resolve("own-" + name).resolve("store");
    Files.createDirectories(path.getParent());
    StoreFormat format = StoreFormat.named(name);
    try (StoreWriter<EncodedImage> writer =
        format.create(path, Packing.of(List.of("ant", "bee"), 6))) {
      for (int i = 0; i < 6; i++) {
        byte[] bytes = Fixtures.bytes(i % 2 == 0 ? "jpeg_grey.jpg" : "png_1bit.png");
        String suffix = i % 2 == 0 ? "jpg" : "png";
        writer.write(new EncodedImage((i < 3 ? "ant/" : "bee/") + i, bytes, i / 3, suffix));
      }
      writer.commit();
    }
    format.open(path, StoreOptions.NONE).close();
    try (Stream<Path> all = Files.walk(path)) {
      List<Path> files =
          all.filter(Files::isRegularFile)
              .filter(file -> !file.toString().matches(".*([.]jpg|lock[.]mdb)"))
              .sorted()
              .toList();
      // Each as often as another, and small ones are full of meaning.
      add("own-" + name, new Seed(files, path, format(name)));
    }
  }

  /** Kind, fixtures, files to copy, files to mutate, path to open, readings. */
  private static final String SEEDS =
      """
      table-parquet tables/table (encodings|plain|snappy_v1|gzip_v2|zstd_v2|none_v2)[.]parquet - * rows,streamed-rows
      table-arrow tables/table (file|stream)[.]arrow|(lz4|zstd)[.]feather - * rows,streamed-rows
      table-csv tables/table simple[.]csv - * rows,streamed-rows
      table-csv tables/table simple[.]csv[.].* - * streamed-rows
      parquet tables/parquet .*[.]parquet - * store
      parquet tables/parquet/labels .*[.]parquet - * store
      arrow tables/arrow .*[.](arrow|feather) - * store
      arrow tables/arrow/labels .*[.]arrow - * store
      tfrecord records/tfrecord train-.*1-of.* - * shard-alone
      tfrecord records/tfrecord (features|unpacked|raw)[.]tfrecord - * examples
      tfrecord records/tfrecord raw.*[.]tfrecord - * streamed-records
      recordio records/recordio pictures[.](rec|idx) .* pictures.rec store
      recordio records/recordio (detection[.]rec|raw[.].*) .* detection.rec store
      recordio records/recordio raw.* raw[.](rec|idx) raw.rec records,without-index
      recordio records/recordio pictures.* pictures[.](rec|idx) pictures.rec records,without-index
      recordio records/recordio detection.* detection[.](rec|idx) detection.rec records,without-index
      webdataset records/webdataset .*[.]tar - * store,tar
      webdataset-stream records/webdataset .*[.]tar([.]gz)? - * streamed-tar
      mds records/mds/plain .* .* . mds
      mds records/mds/zstd .* .* . mds
      mds records/mds/gz .* .* . mds
      mds records/mds/pkl .* .* . mds
      zip records/zip .*[.]zip - * store
      lmdb lmdb/lmdb (basicsr_high|caffe|folder2lmdb)[.]mdb - * store,entries
      lmdb lmdb/lmdb feedline_tensors[.]mdb - * tensors
      hdf5 hdf5/hdf5 pictures.h5 .* pictures.h5 store
      hdf5 hdf5/hdf5 groups.h5 .* groups.h5 groups
      voc annotations/voc VOC.* .*[.]xml|.*/(train|trainval)[.]txt VOCdevkit/VOC2012 boxes
      voc annotations/voc VOC.* .*Segmentation/(train|trainval)[.]txt VOCdevkit/VOC2012 segmentation
      coco annotations/coco images/.*|instances.json .*json instances.json instances,coco-boxes
      coco annotations/coco images/.*|outlines.json .*json outlines.json instances
      coco annotations/coco images/.*|keypoints.json .*json keypoints.json key-points
      coco annotations/coco images/.*|captions.json .*json captions.json captions
      idx annotations/pixels .*images-idx3-ubyte - * store
      idx annotations/pixels/gz .*images-idx3-ubyte[.]gz - * store
      idx annotations/pixels t[^/]*ubyte .* . store
      cifar annotations/pixels/cifar10 .* .* . store
      cifar annotations/pixels/cifar100 .* .* . store
      jpeg images/image .*[.]jpg - * image
      png images/image .*[.]png - * image
      tiff images/image .*[.]tif - * image
      bmp images/image .*[.]bmp - * image
      webp images/image .*[.]webp - * image
      pnm images/image .*[.]p[bgp]m - * image
      coefficients images/jpeg/coefficients/internal/coefficients .*[.]flc - * image
      raw images/image/internal/raw .*[.]flr - * image
      lines text/text lines[.].* - * lines,json-lines
      tokens text/text int32[.]bin - * tokens
      tokens text/text gpt2.* .* gpt2_text_document megatron
      """;

  private static Reading reading(String name, String kind) {
    return switch (name) {
      case "store" -> format(kind);
      case "image" -> StoreFuzzer::image;
      case "rows" -> StoreFuzzer::rows;
      case "streamed-rows" ->
          stream(path -> TableDataset.builder(path).missing(0).stream(), StoreFuzzer::values);
      case "shard-alone" ->
          (path, found) -> {
            Path alone = path.resolveSibling("alone.tfrecord");
            Files.copy(path, alone, StandardCopyOption.REPLACE_EXISTING);
            format("tfrecord").read(alone, found);
          };
      case "examples" ->
          dataset(
              TfRecordDataset::of,
              (record, to) -> {
                to.add(record);
                example(Example.parse(record), to);
              });
      case "streamed-records" ->
          stream(path -> TfRecordDataset.builder(path).stream(), (record, to) -> to.add(record));
      case "records" ->
          dataset(
              RecordIoDataset::of,
              (record, to) -> {
                to.add(record);
                RecordIoDataset.ImageRecord.unpack(record);
              });
      case "without-index" ->
          (path, found) -> {
            found.add("without-index");
            dataset(RecordIoDataset.withoutIndex(path), found, (record, to) -> to.add(record));
          };
      case "tar" -> dataset(path -> WebDataset.of(path.toString()), StoreFuzzer::fields);
      case "streamed-tar" ->
          stream(path -> WebDataset.builder(path.toString()).stream(), StoreFuzzer::fields);
      case "mds" ->
          (path, found) -> {
            deleteInflated(path);
            dataset(MdsDataset.of(path), found, StoreFuzzer::values);
          };
      case "entries" ->
          dataset(
              path -> LmdbDataset.of(path, Map::entry),
              (entry, to) -> {
                to.add(entry.getKey());
                to.add(entry.getValue());
              });
      case "tensors" -> dataset(LmdbTensors::of, StoreFuzzer::tensors);
      case "groups" ->
          dataset(
              path -> Hdf5Dataset.builder(path).field("x").groupPerSample("data").build(),
              StoreFuzzer::tensors);
      case "boxes" ->
          dataset(
              path -> VocDataset.detection(path, "trainval"),
              (sample, to) -> {
                to.add(Arrays.toString(sample.boxes().toArray()).replace(" ", ""));
                to.add(Arrays.toString(sample.labels().toArray()).replace(" ", ""));
              });
      case "segmentation" ->
          dataset(
              path -> VocDataset.segmentation(path, "trainval"),
              (sample, to) -> to.add(sample.mask().shape()));
      case "instances" ->
          dataset(
              path -> CocoDataset.instances(path.resolveSibling("images"), path),
              (sample, to) -> {
                to.add(sample.id());
                masks(sample.masks(), to);
              });
      case "coco-boxes" ->
          dataset(
              path -> CocoDataset.detection(path.resolveSibling("images"), path),
              (sample, to) -> to.add(sample.boxes().shape()));
      case "key-points" ->
          dataset(
              path -> CocoDataset.keyPoints(path.resolveSibling("images"), path),
              (sample, to) -> to.add(sample.id()));
      case "captions" ->
          dataset(
              path -> CocoDataset.captions(path.resolveSibling("images"), path),
              (sample, to) -> to.add(sample.id()));
      case "lines" -> stream(IterableDataset::lines, (line, to) -> to.add(line));
      case "json-lines" ->
          stream(
              path -> IterableDataset.lines(path).map(JsonLines.maps()),
              (line, to) -> to.add(line));
      case "tokens" ->
          dataset(
              path -> TokenFile.of(path, TokenFile.Type.INT32, 5), (tokens, to) -> to.add(tokens));
      case "megatron" -> dataset(MegatronDataset::of, (tokens, to) -> to.add(tokens));
      default -> throw new IllegalArgumentException(name);
    };
  }

  void prepare() throws IOException {
    for (String line : SEEDS.lines().toList()) {
      String[] words = line.split(" ", -1);
      seeds(words[0], words[1], words[2], words[3], words[4], words[5]);
    }
    hdf5();
    for (StoreFormat format : StoreFormat.all()) {
      if (format.isWritable()) {
        written(format.name());
      }
    }
    state();
  }

  /**
   * Some rows, all columns as values of Java; a broken block is read again for each of its rows.
   */
  private static void rows(Path path, Found found) throws Exception {
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(path).missing("0").cacheBytes(0).build()) {
      found.add(table.size());
      for (long i = 0; i < Math.min(MOST_SAMPLES, table.size()); i += 9) {
        long index = i;
        table.describe(index);
        part(found, () -> values(table.get(index), found));
      }
    }
  }

  private void hdf5() throws IOException {
    String layouts = "contiguous,sample,tiles,blocks,shuffle samples,fletcher,all,lzf,fill,grown";
    Map<String, String> arrays =
        Map.of(
            "block.h5", "gzip",
            "chunks.h5", "eights,ones,contiguous,labels",
            "latest.h5", layouts,
            "layouts.h5", layouts,
            "opaque.h5", "x",
            "opaque_latest.h5", "x",
            "types.h5", "<u1,<f2,bool,enum,array");
    for (var each : new TreeMap<>(arrays).entrySet()) {
      for (String array : each.getValue().split(",", -1)) {
        // The name tells which array is read.
        Path copy = directory.resolve("hdf5").resolve(array + "@" + each.getKey());
        copied(fixtures("hdf5/hdf5").resolve(each.getKey()), copy);
        Reading reading = dataset(path -> Hdf5Dataset.of(path, array), StoreFuzzer::tensors);
        add("hdf5", new Seed(List.of(copy), copy, reading));
      }
    }
  }

  private void state() throws IOException {
    Path state = directory.resolve("state/state.json");
    Files.createDirectories(state.getParent());
    Files.writeString(state, STATE);
    Reading reading =
        (path, found) -> {
          try {
            found.add(LoaderState.fromJson(Files.readString(path, ISO_8859_1)));
          } catch (IllegalArgumentException documented) {
            throw FormatException.in(path, documented.getMessage(), documented);
          }
        };
    add("state", new Seed(List.of(state), state, reading));
    Path list = directory.resolve("state/quarantine");
    Files.writeString(list, QUARANTINE + QUARANTINE);
    add("state", new Seed(List.of(list), list, (path, found) -> Quarantine.load(path)));
  }

  private static final String STATE =
      "{\"feedline\":1,\"dataset\":\"d\",\"order\":\"o\",\"seed\":0,\"epoch\":1,\"position\":5,"
          + "\"ahead\":[7,8],\"batch_size\":4,\"world_size\":2,\"samples\":5,\"failures\":1,"
          + "\"stream\":[1,2],\"check\":\"d166deb7-9c\"}";

  private static final String QUARANTINE =
      "{\"index\":12,\"description\":\"a.tar\",\"cause\":\"torn\"}\n";

  private static void masks(TensorSource masks, Found found) throws Exception {
    long bytes = masks.shape().elements();
    if (bytes < 1 << 24) {
      ByteBuffer target = ByteBuffer.allocate((int) bytes);
      masks.writeTo(target);
      found.add(target.array());
    }
  }

  record Target(Path file, Seed seed) {}

  Set<String> kinds() {
    return kinds.keySet();
  }

  List<Target> targets(String kind) {
    return kinds.get(kind).stream()
        .flatMap(seed -> seed.mutated().stream().map(file -> new Target(file, seed)))
        .toList();
  }

  /** Throws an {@link AssertionError} if it is neither data nor a documented refusal. */
  void check(Target target, byte[] content) throws IOException {
    byte[] original = Files.readAllBytes(target.file());
    replace(target.file(), content);
    try {
      String outcome = outcome(target.file().toString(), target.seed(), content.length);
      if (!finds.isEmpty()) {
        throw new AssertionError(finds.keySet() + ": " + outcome, cause);
      }
    } finally {
      replace(target.file(), original);
    }
  }

  private void run(String kind, int number, long seed) throws IOException {
    List<Seed> seeds = kinds.get(kind);
    refused = 0;
    read = 0;
    Map<Path, byte[]> originals = new LinkedHashMap<>();
    for (int i = 0; i < number; i++) {
      Seed of = seeds.get(i % seeds.size());
      Random random = new Random(seed * 1_000_003L + i);
      Path file = of.mutated().get(random.nextInt(of.mutated().size()));
      if (!originals.containsKey(file)) {
        originals.put(file, Files.readAllBytes(file));
      }
      byte[] original = originals.get(file);
      byte[] mutant = Mutations.mutant(original, random);
      replace(file, mutant);
      String name = "%s %d of seed %d, %s".formatted(kind, i, seed, file);
      String outcome = outcome(name, of, mutant.length);
      if (keep != null) {
        keep(kind, i, of, file, outcome);
      }
      replace(file, original);
    }
    out.printf(Locale.ROOT, "%s: %d mutants, %d read, %d refused%n", kind, number, read, refused);
  }

  /** As a new file: to cut one off and write it again waits for the disk. */
  private static void replace(Path file, byte[] content) throws IOException {
    Files.delete(file);
    Files.write(file, content);
  }

  /** Keeps a file that is a store by itself, else all that lies beside it too. */
  private void keep(String kind, int number, Seed of, Path mutated, String outcome)
      throws IOException {
    Path opened = of.opened();
    String name = "%s-%06d-%s".formatted(kind, number, opened.getFileName());
    if (of.mutated().equals(List.of(opened))) {
      Files.copy(mutated, keep.resolve(name));
    } else {
      Path whole = Files.isDirectory(opened) ? opened : opened.getParent();
      try (Stream<Path> all = Files.walk(whole)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          copied(file, keep.resolve(name).resolve(whole.relativize(file).toString()));
        }
      }
    }
    Files.writeString(
        keep.resolve("results.tsv"),
        name + "\t" + outcome + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private String outcome(String name, Seed seed, int bytes) {
    Found found = new Found();
    long allocated = allocated();
    current = name;
    begun = System.nanoTime();
    String outcome;
    try {
      seed.reading().read(seed.opened(), found);
      read++;
      outcome = "read\t" + found;
    } catch (IOException refusal) {
      refused++;
      outcome = "refused\t" + refusal;
      if (!String.valueOf(refusal.getMessage()).contains(seed.opened().getFileName().toString())
          && !String.valueOf(refusal.getMessage()).contains(seed.opened().getParent().toString())) {
        find("without a file: " + refusal.getClass() + ": " + at(refusal), name, refusal);
      }
    } catch (Throwable escaped) {
      outcome = "escaped\t" + escaped;
      find(escaped.getClass().getName() + at(escaped), name, escaped);
    } finally {
      begun = Long.MAX_VALUE;
    }
    long taken = allocated() - allocated;
    long most = FREE_BYTES + PER_BYTE * bytes;
    if (taken > most && allocatedAgain(seed) > most) {
      find("memory", name + " took %d bytes for %d: %s".formatted(taken, bytes, outcome), null);
    }
    if (printed.size() > 0) {
      find("printed", name + ": " + printed.toString(UTF_8), null);
      printed.reset();
    }
    return outcome.replace('\n', ' ');
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** Returns what a second reading allocates: the first one may load classes and libraries. */
  private static long allocatedAgain(Seed seed) {
    long before = allocated();
    try {
      seed.reading().read(seed.opened(), new Found());
    } catch (Throwable known) {
      // The first reading has been judged by it.
    }
    return allocated() - before;
  }

  /** The first places in our code. */
  private static String at(Throwable thrown) {
    StringBuilder places = new StringBuilder();
    int ours = 0;
    for (StackTraceElement each : thrown.getStackTrace()) {
      if (each.getClassName().startsWith("io.feedline") && ours++ < 2) {
        places.append(" at ").append(each);
      }
    }
    return places.toString();
  }

  private void find(String what, String name, Throwable thrown) {
    if (finds.merge(what, 1, Integer::sum) == 1) {
      cause = thrown;
      out.println("FOUND " + what + "\n  in " + name);
      if (thrown != null) {
        out.println("  " + thrown);
      }
    }
  }

  private void watch() {
    Thread watch =
        new Thread(
            () -> {
              while (true) {
                if (System.nanoTime() - begun > MOST_NANOS && begun != Long.MAX_VALUE) {
                  out.println("FOUND no end in " + current);
                  Thread.getAllStackTraces()
                      .forEach((thread, trace) -> out.println(thread + " " + List.of(trace)));
                  Runtime.getRuntime().halt(3);
                }
                try {
                  TimeUnit.SECONDS.sleep(1);
                } catch (InterruptedException ended) {
                  return;
                }
              }
            },
            "watch");
    watch.setDaemon(true);
    watch.start();
  }

  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createTempDirectory("fuzz");
    Path keep = arguments.length > 3 ? Files.createDirectories(Path.of(arguments[3])) : null;
    StoreFuzzer fuzzer = new StoreFuzzer(directory, keep, new FileOutputStream(FileDescriptor.out));
    fuzzer.prepare();
    PrintStream printed = new PrintStream(fuzzer.printed, true, UTF_8);
    System.setOut(printed);
    System.setErr(printed);
    fuzzer.watch();
    for (String kind : fuzzer.kinds.keySet()) {
      if (arguments[0].equals("all") || List.of(arguments[0].split(",")).contains(kind)) {
        fuzzer.run(kind, Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
      }
    }
    fuzzer.finds.forEach((find, times) -> fuzzer.out.println(times + " x " + find));
    fuzzer.out.println("done");
    System.exit(fuzzer.finds.isEmpty() ? 0 : 1);
  }
}
