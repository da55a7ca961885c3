package io.feedline.formats.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Quarantine;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.table.TableDataset;
import io.feedline.internal.Json;
import io.feedline.transform.RandomTransform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedlineTest {
  private static final int IMAGES = 70;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path directory;
  private Path source;

  @BeforeEach
  void makeAFolder(@TempDir Path directory) throws IOException {
    this.directory = directory;
    this.source = directory.resolve("source");
    Random random = new Random(5);
    try (ImageStoreWriter writer =
        StoreFormat.named("imagefolder")
            .create(source, Packing.of(List.of("ant", "bee", "cow"), IMAGES))) {
      for (int i = 0; i < IMAGES; i++) {
        byte[] bytes = image(20 + random.nextInt(40), 20 + random.nextInt(40), random);
        writer.write(new EncodedImage("%03d".formatted(i), bytes, i * 3 / IMAGES));
      }
      writer.commit();
    }
  }

  static List<String> writableFormats() {
    return StoreFormat.all().stream()
        .filter(StoreFormat::isWritable)
        .map(StoreFormat::name)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("writableFormats")
  void shouldCarryBytesOrderAndLabelsThroughEveryFormat(String format) throws IOException {
    Path there = directory.resolve("there");
    Path back = directory.resolve("back");

    assertThat(feedline("convert", source, there, "--to", format)).as(err.toString()).isZero();
    assertThat(StoreFormat.of(there).name()).isEqualTo(format);
    assertThat(feedline("verify", there)).as(out.toString() + err).isZero();
    assertThat(feedline("convert", there, back, "--to", "imagefolder")).as(err.toString()).isZero();

    // RecordIO numbers its records and keeps no names.
    boolean named = !format.equals("recordio");
    List<String> before = contents(source, named);
    assertThat(contents(there, named)).isEqualTo(before);
    assertThat(contents(back, named)).isEqualTo(before);
    assertThat(trainingBatches(there)).isEqualTo(trainingBatches(source));
    assertThat(ImageFolder.of(back).classes()).containsExactly("ant", "bee", "cow");
    try (var left = Files.list(directory)) {
      assertThat(left).as("nothing is left beside the outputs").hasSize(3);
    }
  }

  @ParameterizedTest
  @MethodSource("writableFormats")
  void shouldGoOnWhereAConversionWasInterrupted(String format) throws IOException {
    Path broken = source.resolve("bee/040.jpg");
    byte[] whole = Files.readAllBytes(broken);
    Files.write(broken, Arrays.copyOf(whole, whole.length / 2));
    Path there = directory.resolve("there");
    List<Object> command =
        new ArrayList<>(
            List.of("convert", source, there, "--to", format, "--resize", 16, "--json"));
    if (List.of("mds", "webdataset", "tfrecord").contains(format)) {
      // They continue behind the last whole shard.
      command.addAll(List.of("--shard-size", "8K"));
    }

    assertThat(feedline(command.toArray())).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("bee/040");
    assertThat(there).doesNotExist();
    Files.write(broken, whole);
    assertThat(feedline(command.toArray())).as(err.toString()).isZero();

    boolean isOneFile = List.of("recordio", "zip").contains(format);
    assertThat((Long) result().get("continued_at")).matches(at -> isOneFile ? at == 0 : at > 0);
    assertThat(err.toString()).contains(isOneFile ? "beginning anew" : "continuing at");
    assertThat(result()).containsEntry("images", (long) IMAGES);
    Path atOnce = directory.resolve("at-once");
    assertThat(feedline("convert", source, atOnce, "--to", format, "--resize", 16)).isZero();
    assertThat(contents(there, true)).isEqualTo(contents(atOnce, true));
  }

  @ParameterizedTest
  @MethodSource("writableFormats")
  void shouldTrainOnTheSameBatchesFromCoefficientRecords(String format) throws IOException {
    Path packed = directory.resolve("packed");
    Path back = directory.resolve("back");

    assertThat(feedline("convert", source, packed, "--to", format, "--coefficients", "--json"))
        .as(err.toString())
        .isZero();
    assertThat(result()).containsEntry("coefficient_records", (long) IMAGES);
    assertThat(trainingBatches(packed)).isEqualTo(trainingBatches(source));
    assertThat(feedline("verify", packed)).as(out.toString()).isZero();

    assertThat(feedline("convert", packed, back, "--to", format, "--jpeg", "--json"))
        .as(err.toString())
        .isZero();
    assertThat(result()).containsEntry("coefficient_records", 0L);
    assertThat(trainingBatches(back)).isEqualTo(trainingBatches(source));
    assertThat(kinds(back)).containsOnly(ImageFormat.JPEG);
  }

  @Test
  void shouldKeepWhatIsNoBaselineJpegAsItIs() throws IOException {
    byte[] png = Fixtures.bytes("png_rgb.png");
    byte[] progressive = Fixtures.bytes("jpeg_progressive.jpg");
    Files.write(source.resolve("cow/070.png"), png);
    Files.write(source.resolve("cow/071.jpg"), progressive);
    Path packed = directory.resolve("packed");

    assertThat(feedline("convert", source, packed, "--to", "lmdb", "--coefficients")).isZero();

    assertThat(out.toString()).contains("; 70 coefficient records");
    try (ImageDataset images = ImageDataset.open(packed)) {
      assertThat(images.encoded(IMAGES).bytes()).isEqualTo(png);
      assertThat(images.encoded(IMAGES + 1).bytes()).isEqualTo(progressive);
    }
    assertThat(feedline("inspect", packed)).isZero();
    assertThat(out.toString()).contains("kinds   1 JPEG, 1 PNG, 70 COEFFICIENTS");
    assertThat(feedline("inspect", packed, "--sample", 3, "--json")).isZero();
    assertThat(result()).containsEntry("kind", "COEFFICIENTS");
    assertThat(feedline("index", packed, "--json")).isZero();
    assertThat(result()).containsEntry("indexed", 0L);
  }

  @Test
  void shouldVerifyCoefficientRecords() throws IOException {
    Path packed = directory.resolve("packed");
    assertThat(feedline("convert", source, packed, "--to", "imagefolder", "--coefficients"))
        .isZero();
    Path broken = packed.resolve("bee/030.flc");
    byte[] record = Files.readAllBytes(broken);
    record[record.length - 5] ^= 4;
    Files.write(broken, record);

    assertThat(feedline("verify", packed)).isEqualTo(ExitCode.FAILED);

    assertThat(out.toString()).contains("30  ", broken.toString(), "the checksum of band");
  }

  @ParameterizedTest
  @MethodSource("writableFormats")
  void shouldTrainOnTheSameBatchesFromRawRecords(String format) throws IOException {
    Path packed = directory.resolve("packed");
    Path back = directory.resolve("back");

    assertThat(feedline("convert", source, packed, "--to", format, "--raw", "--json"))
        .as(err.toString())
        .isZero();
    assertThat(result()).containsEntry("raw_records", (long) IMAGES);
    assertThat(kinds(packed)).containsOnly(ImageFormat.RAW);
    assertThat(trainingBatches(packed)).isEqualTo(trainingBatches(source));
    assertThat(feedline("verify", packed)).as(out.toString()).isZero();

    assertThat(feedline("convert", packed, back, "--to", format, "--png", "--json"))
        .as(err.toString())
        .isZero();
    assertThat(result()).containsEntry("raw_records", 0L);
    assertThat(trainingBatches(back)).isEqualTo(trainingBatches(source));
    assertThat(kinds(back)).containsOnly(ImageFormat.PNG);
  }

  @Test
  void shouldCompressRawRecords() throws IOException {
    Path plain = directory.resolve("plain");
    Path packed = directory.resolve("packed");
    assertThat(feedline("convert", source, plain, "--to", "lmdb", "--raw")).isZero();
    assertThat(out.toString()).contains("; 70 raw records");

    assertThat(feedline("convert", source, packed, "--to", "lmdb", "--raw", "--compress", "lz4"))
        .isZero();

    assertThat(trainingBatches(packed)).isEqualTo(trainingBatches(source));
    try (ImageDataset before = ImageDataset.open(plain);
        ImageDataset after = ImageDataset.open(packed)) {
      assertThat(after.encoded(5).bytes().length).isLessThan(before.encoded(5).bytes().length);
    }
    assertThat(feedline("inspect", packed, "--sample", 5, "--json")).isZero();
    assertThat(result())
        .containsEntry("kind", "RAW")
        .containsEntry("samples", 3L)
        .containsEntry("compression", "lz4");
    assertThat(feedline("inspect", packed)).isZero();
    assertThat(out.toString()).contains("kinds   70 RAW");
  }

  @Test
  void shouldListTheColumnsOfATableWithoutImages() throws IOException {
    Path table = Files.writeString(directory.resolve("people.csv"), "age,city\n31,Rome\n");
    assertThat(feedline("inspect", table)).isZero();
    assertThat(out.toString())
        .contains("people.csv: csv, a table without images", "  age (text)", "  city (text)");
    assertThat(feedline("inspect", table, "--json")).isZero();
    assertThat(result()).containsEntry("columns", List.of("age (text)", "city (text)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lists.parquet", "lists.feather"})
  void shouldListColumnsByTheNamesThatABuilderTakes(String name) throws IOException {
    Path table =
        Path.of("..", "tables", "src", "test", "resources")
            .resolve("io/feedline/formats/table")
            .resolve(name);
    assertThat(feedline("inspect", table, "--json")).as(err.toString()).isZero();
    List<String> names =
        ((List<?>) result().get("columns"))
            .stream().map(each -> each.toString().replaceFirst(" .*", "")).toList();
    assertThat(names).containsExactly("tokens", "person.age", "person.codes");
    try (TableDataset<Map<String, Object>> rows =
        TableDataset.builder(table).columns(names.toArray(String[]::new)).build()) {
      assertThat(rows.size()).isEqualTo(60);
    }
  }

  @Test
  void shouldStoreScaledPixelsRawAsNoJpegHasTouchedThem() throws IOException {
    Path packed = directory.resolve("packed");
    assertThat(feedline("convert", source, packed, "--to", "webdataset", "--raw", "--resize", 30))
        .as(err.toString())
        .isZero();
    try (ImageDataset images = ImageDataset.open(packed);
        ImageDataset originals = ImageDataset.open(source)) {
      int scaled = 0;
      for (long i = 0; i < IMAGES; i++) {
        Image original = originals.get(i).image();
        boolean large = Math.min(original.width(), original.height()) > 30;
        scaled += large ? 1 : 0;
        Image expected = large ? Resize.of(30).apply(original) : original;
        assertThat(images.get(i).image().pixels().rgb()).isEqualTo(expected.pixels().rgb());
      }
      assertThat(scaled).isBetween(10, IMAGES - 10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exif_6.jpg", "exif_3.jpg", "png_grey.png", "png_rgba.png"})
  void shouldKeepOrientationAndGraysInRawRecordsAndTheirPngs(String name) throws IOException {
    Path one = directory.resolve("one");
    Files.createDirectories(one.resolve("cow"));
    Files.write(one.resolve("cow").resolve(name), Fixtures.bytes(name));
    Path packed = directory.resolve("packed");
    Path back = directory.resolve("back");
    assertThat(feedline("convert", one, packed, "--to", "tfrecord", "--raw")).isZero();
    assertThat(feedline("convert", packed, back, "--to", "imagefolder", "--png")).isZero();

    for (Path path : List.of(packed, back)) {
      for (boolean turned : new boolean[] {false, true}) {
        DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(turned);
        Image expected = Image.ofEncoded(Fixtures.bytes(name), name, options);
        try (ImageDataset images = ImageDataset.open(path).withDecodeOptions(options)) {
          Image image = images.get(0).image();
          assertThat(image.width()).isEqualTo(expected.width());
          assertThat(image.pixels().rgb()).isEqualTo(expected.pixels().rgb());
        }
      }
    }
    try (ImageDataset images = ImageDataset.open(back)) {
      // The type of color of IHDR: gray, or red, green and blue.
      assertThat(images.encoded(0).bytes()[25]).isEqualTo((byte) (name.contains("grey") ? 0 : 2));
    }
  }

  @Test
  void shouldNameAnImageThatCannotBecomeARawRecord() throws IOException {
    Files.write(source.resolve("cow/070.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 1, 2, 3});
    Path packed = directory.resolve("packed");
    assertThat(feedline("convert", source, packed, "--to", "lmdb", "--raw"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("cow/070");
    assertThat(packed).doesNotExist();
  }

  @Test
  void shouldSayInOneTableWhatAStoreCanHold() {
    assertThat(feedline("convert", "--help")).isZero();
    assertThat(out.toString().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .anyMatch(line -> line.matches("  kind +size +speed +lossless +who can read it"))
        .anyMatch(
            line -> line.matches("  --coefficients +1\\.. - 2\\.. +1\\.. - 1\\.. +yes +Feedline"));
  }

  private static Set<ImageFormat> kinds(Path store) throws IOException {
    Set<ImageFormat> kinds = new HashSet<>();
    try (ImageDataset images = ImageDataset.open(store)) {
      for (long i = 0; i < images.size(); i++) {
        kinds.add(images.encoded(i).format());
      }
    }
    return kinds;
  }

  @Test
  void shouldIndexAStoreThatIsThenReadWithIt() throws IOException {
    assertThat(feedline("index", source, "--json")).as(err.toString()).isZero();

    assertThat(result()).containsEntry("indexed", (long) IMAGES);
    assertThat(source.resolve(".feedline-index")).exists();
    assertThat(ImageFolder.of(source).scanIndexes()).contains(".feedline-index");
    assertThat(feedline("verify", source)).isZero();

    Path shards = directory.resolve("shards");
    assertThat(feedline("convert", source, shards, "--to", "webdataset", "--scan-index")).isZero();
    assertThat(shards.resolve(".data-000000.tar.scan-index")).exists();
    assertThat(feedline("verify", shards)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"tfrecord, --shards, 3, 3", "webdataset, --shards, 3, 3", "mds, --shard-size, 9K, 6"})
  void shouldCutAStoreIntoShards(String format, String option, String value, int atLeast)
      throws IOException {
    Path there = directory.resolve("there");

    assertThat(feedline("convert", source, there, "--to", format, option, value))
        .as(err.toString())
        .isZero();

    try (var files = Files.list(there)) {
      assertThat(files.filter(file -> file.toString().matches(".*(-of-\\d+|tar|mds)")).count())
          .isGreaterThanOrEqualTo(atLeast);
    }
    assertThat(feedline("verify", there)).as(out.toString()).isZero();
  }

  @Test
  void shouldNotContinueSomethingElse() throws IOException {
    Path broken = source.resolve("bee/040.jpg");
    byte[] whole = Files.readAllBytes(broken);
    Files.write(broken, Arrays.copyOf(whole, whole.length / 2));
    Path there = directory.resolve("there");
    feedline("convert", source, there, "--to", "imagefolder", "--resize", 16);
    Files.write(broken, whole);

    assertThat(feedline("convert", source, there, "--to", "imagefolder", "--resize", 18))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("resize was 16").contains("--restart");
    assertThat(
            feedline("convert", source, there, "--to", "imagefolder", "--resize", 18, "--restart"))
        .as(err.toString())
        .isZero();
    assertThat(ImageFolder.of(there).get(0).image().width()).isGreaterThanOrEqualTo(18);
  }

  @ParameterizedTest
  @CsvSource({
    "--raw --compress lz4, --raw, 'stored as was raw, compression LZ4'",
    "--resize 16 --coefficients, --resize 16, 'stored as was coefficients, compression NONE'",
    "--resize 16, --resize 16 --jpeg, 'stored as was as it is, compression NONE'",
    "--resize 16 --quality 80, --resize 16, resize was 16 at quality 80",
    "--raw, --raw --resize 16, resize was no",
    "--raw --keys file, --raw, keys was file",
  })
  void shouldIdentifyAConversionByItsOptions(String first, String second, String expected)
      throws IOException {
    Path broken = source.resolve("bee/040.jpg");
    Files.write(broken, new byte[0]);
    Path there = directory.resolve("there");
    List<Object> convert = List.of("convert", source, there, "--to", "mds");
    assertThat(feedline(with(convert, first))).isEqualTo(ExitCode.FAILED);

    assertThat(feedline(with(convert, second))).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains(expected);
  }

  private static Object[] with(List<Object> command, String options) {
    List<Object> all = new ArrayList<>(command);
    all.addAll(Arrays.stream(options.split(" ")).filter(word -> !word.isBlank()).toList());
    return all.toArray();
  }

  @Test
  void shouldNotOverwriteWhatIsThere() throws IOException {
    Path there = Files.writeString(directory.resolve("mine.txt"), "mine");

    assertThat(feedline("convert", source, there, "--to", "imagefolder"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(there.toString()).contains("already");
    assertThat(there).hasContent("mine");
  }

  @Test
  void shouldScaleOnlyWhatIsLargerAndKeepTheRestAsItIs() throws IOException {
    Path there = directory.resolve("there");

    feedline("convert", source, there, "--to", "imagefolder", "--resize", 30, "--quality", 80);

    ImageDataset before = ImageFolder.of(source);
    ImageDataset after = ImageFolder.of(there);
    int scaled = 0;
    for (int i = 0; i < IMAGES; i++) {
      Image old = before.get(i).image();
      Image now = after.get(i).image();
      if (Math.min(old.width(), old.height()) > 30) {
        assertThat(Math.min(now.width(), now.height())).isEqualTo(30);
        scaled++;
      } else {
        assertThat(after.encoded(i).bytes()).isEqualTo(before.encoded(i).bytes());
      }
    }
    assertThat(scaled).isBetween(5, IMAGES - 5);
  }

  @Test
  void shouldListWhatIsBrokenAndLeaveItOutWhenAsked() throws IOException {
    Files.writeString(source.resolve("cow/069.jpg"), "a note");
    Path broken = source.resolve("ant/007.jpg");
    Files.write(broken, Arrays.copyOf(Files.readAllBytes(broken), 300));
    Path list = directory.resolve("bad.jsonl");

    assertThat(feedline("verify", source, "--quarantine", list, "--json"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(result().get("bad").toString())
        .contains("index=7", broken.toString(), "index=69", "a note");
    assertThat(result()).containsEntry("images", (long) IMAGES);

    Path there = directory.resolve("there");
    assertThat(feedline("convert", source, there, "--to", "imagefolder", "--exclude", list))
        .as(err.toString())
        .isZero();
    assertThat(ImageFolder.of(there).size()).isEqualTo(IMAGES - 2);
    assertThat(feedline("verify", there)).isZero();
  }

  @ParameterizedTest
  @MethodSource("writableFormats")
  void shouldRefuseABrokenImageInEveryFormatUnlessItIsToBeLeftOut(String format)
      throws IOException {
    Files.writeString(source.resolve("ant/007.jpg"), "a note");
    Path cut = source.resolve("cow/069.jpg");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 20));
    Path there = directory.resolve("there");

    assertThat(feedline("convert", source, there, "--to", format)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("ant/007", "not an image");
    assertThat(there).doesNotExist();

    Path list = directory.resolve("left-out.jsonl");
    Object[] command = {
      "convert", source, there, "--to", format, "--on-error", "skip", "--quarantine", list
    };
    assertThat(feedline(command)).as(err.toString()).isEqualTo(ExitCode.LEFT_OUT);
    assertThat(out.toString())
        .contains("7  " + source.resolve("ant/007.jpg"), "69  " + cut, "68 images as " + format)
        .contains("; 2 broken images left out");
    assertThat(Quarantine.load(list).indices()).containsExactly(7, 69);
    assertThat(feedline("verify", there)).isZero();
    Path excluded = directory.resolve("excluded");
    assertThat(feedline("convert", source, excluded, "--to", format, "--exclude", list)).isZero();
    assertThat(contents(there, true)).isEqualTo(contents(excluded, true));
  }

  @ParameterizedTest
  @MethodSource("writableFormats")
  void shouldGoOnBehindWhatAnInterruptedConversionHasLeftOut(String format) throws IOException {
    for (int i : new int[] {0, 3, 9, 41, 60}) {
      Files.writeString(image(i), "a note");
    }
    Path ended = image(40);
    byte[] whole = Files.readAllBytes(ended);
    Path there = directory.resolve("there");
    List<Object> command =
        new ArrayList<>(
            List.of(
                "convert", source, there, "--to", format, "--on-error", "skip", "--workers", 2));
    if (List.of("mds", "webdataset", "tfrecord").contains(format)) {
      // They continue behind the last whole shard.
      command.addAll(List.of("--shard-size", "8K"));
    }
    Path once = directory.resolve("once");
    command.set(2, once);
    command.add("--json");

    assertThat(feedline(command.toArray())).as(err.toString()).isEqualTo(ExitCode.LEFT_OUT);
    Object leftOut = result().get("left_out");
    // A file that cannot be read does not count as broken.
    Files.delete(ended);
    Files.createSymbolicLink(ended, Path.of("nowhere"));
    command.set(2, there);
    assertThat(feedline(command.toArray())).isEqualTo(ExitCode.FAILED);
    Files.delete(ended);
    Files.write(ended, whole);
    assertThat(feedline(command.toArray())).as(err.toString()).isEqualTo(ExitCode.LEFT_OUT);

    boolean isOneFile = List.of("recordio", "zip").contains(format);
    assertThat((Long) result().get("continued_at")).matches(at -> isOneFile ? at == 0 : at > 0);
    assertThat(result()).containsEntry("images", IMAGES - 5L).containsEntry("left_out", leftOut);
    assertThat(leftOut.toString()).contains("index=0,", "index=3,", "index=9,", "index=41,");
    if (!format.equals("lmdb")) {
      // Where a database has its pages depends on how often it was written to the disk.
      assertThat(files(there)).isEqualTo(files(once));
    }
    // Some formats keep an index beside shards that were read.
    assertThat(contents(there, true)).isEqualTo(contents(once, true));
  }

  private Path image(int number) {
    String name = List.of("ant", "bee", "cow").get(number * 3 / IMAGES);
    return source.resolve("%s/%03d.jpg".formatted(name, number));
  }

  /** The files of a store by name, with their bytes. */
  private static Map<String, String> files(Path store) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (var all = Files.walk(store)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String bytes = HexFormat.of().formatHex(Files.readAllBytes(file));
        files.put(store.relativize(file).toString(), bytes);
      }
    }
    return files;
  }

  @Test
  void shouldSayThatNothingIsLeftWhereAllImagesAreBroken() throws IOException {
    for (int i = 0; i < IMAGES; i++) {
      Files.writeString(image(i), "a note");
    }
    Path there = directory.resolve("there");
    assertThat(feedline("convert", source, there, "--to", "zip", "--on-error", "skip"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("all images (70) are broken", "ant/000.jpg");
    assertThat(there).doesNotExist();
  }

  @Test
  void shouldNotContinueWithAnotherListOfWhatIsLeftOut() throws IOException {
    Path broken = source.resolve("bee/040.jpg");
    byte[] whole = Files.readAllBytes(broken);
    Files.writeString(source.resolve("cow/069.jpg"), "a note");
    Path list = directory.resolve("bad.jsonl");
    feedline("verify", source, "--quarantine", list);
    Path there = directory.resolve("there");
    Files.write(broken, Arrays.copyOf(whole, 100));
    List<Object> command =
        List.of("convert", source, there, "--to", "recordio", "--resize", 9, "--exclude", list);
    assertThat(feedline(command.toArray())).isEqualTo(ExitCode.FAILED);
    Files.write(broken, whole);

    Files.writeString(list, Files.readString(list).replace("a note", "another note"));
    assertThat(feedline(command.toArray())).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("exclude was").contains("--restart");
  }

  @ParameterizedTest
  @CsvSource({"tfrecord", "webdataset", "lmdb", "zip", "mds"})
  void shouldWriteTwoImagesOfOneStem(String format) throws IOException {
    Files.copy(source.resolve("ant/003.jpg"), source.resolve("ant/004.JPEG"));
    Path there = directory.resolve("there");

    assertThat(feedline("convert", source, there, "--to", format, "--keys", "file"))
        .as(err.toString())
        .isZero();

    try (ImageDataset images = ImageDataset.open(there)) {
      assertThat(images.size()).isEqualTo(IMAGES + 1);
      assertThat(images.encoded(4).key()).isEqualTo("ant/004_JPEG");
      assertThat(images.encoded(5).key()).isEqualTo("ant/004_jpg");
    }
    assertThat(
            feedline("convert", source, directory.resolve("n"), "--to", format, "--keys", "index"))
        .as(err.toString())
        .isZero();
  }

  @Test
  void shouldKeepTheNamesOfFiles() throws IOException {
    Files.move(source.resolve("ant/003.jpg"), source.resolve("ant/003.JPEG"));
    Path there = directory.resolve("there.zip");
    Path back = directory.resolve("back");

    assertThat(feedline("convert", source, there, "--to", "zip")).isZero();
    assertThat(feedline("convert", there, back, "--to", "imagefolder")).isZero();

    assertThat(back.resolve("ant/003.JPEG")).exists();
    assertThat(back.resolve("ant/002.jpg")).exists();
  }

  @Test
  void shouldHoldAnImageThatIsNamedForAnother() throws IOException {
    BufferedImage black = new BufferedImage(4, 4, BufferedImage.TYPE_3BYTE_BGR);
    ImageIO.write(black, "png", source.resolve("ant/000.jpg").toFile());
    byte[] png = Files.readAllBytes(source.resolve("ant/000.jpg"));

    for (String format : writableFormats()) {
      Path there = directory.resolve(format);
      assertThat(feedline("convert", source, there, "--to", format)).as(err.toString()).isZero();
      try (ImageDataset images = ImageDataset.open(there)) {
        assertThat(images.encoded(0).bytes()).isEqualTo(png);
        assertThat(images.get(0).image().width()).isEqualTo(4);
      }
    }
  }

  @Test
  void shouldTakeNamesOfFields() {
    Path there = directory.resolve("there");
    String[] made = {"--to-option", "image-field=photo", "--to-option", "label-field=kind"};

    assertThat(
            feedline(
                "convert", source, there, "--to", "tfrecord", made[0], made[1], made[2], made[3]))
        .as(err.toString())
        .isZero();

    assertThat(feedline("verify", there)).isEqualTo(ExitCode.FAILED);
    assertThat(feedline("verify", there, "--image-field", "photo", "--label-field", "kind"))
        .as(out.toString() + err)
        .isZero();
    assertThat(feedline("inspect", there, "--option", "sky=blue")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("tfrecord has no option 'sky'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"convert", "inspect", "show", "verify", "index", "plan"})
  void shouldHelpWithoutAWarning(String command) {
    assertThat(feedline(command, "--help")).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).contains("feedline " + command).doesNotContain("%%");
  }

  @Test
  void shouldLeaveNoDatasetOpen() throws IOException {
    Path there = directory.resolve("there");
    assertThat(feedline("convert", source, there, "--to", "recordio", "--scan-index")).isZero();
    feedline("inspect", there);
    feedline("inspect", there, "--sample", 3);
    feedline("verify", there);
    feedline("index", there);
    feedline("convert", there, directory.resolve("back"), "--to", "lmdb");

    assertThat(openBelow(there)).isEmpty();
  }

  /** The files below a directory that this process has open, where the system tells. */
  private static List<Path> openBelow(Path directory) throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    List<Path> open = new ArrayList<>();
    if (Files.isDirectory(descriptors)) {
      try (var all = Files.list(descriptors)) {
        for (Path each : all.toList()) {
          try {
            Path file = Files.readSymbolicLink(each);
            if (file.startsWith(directory)) {
              open.add(file);
            }
          } catch (NoSuchFileException closedMeanwhile) {
            assertThat(each).doesNotExist();
          }
        }
      }
    }
    return open;
  }

  @Test
  void shouldSayWhatAStoreIs() {
    assertThat(feedline("inspect", source)).isZero();
    assertThat(out.toString())
        .contains("imagefolder", IMAGES + " images", "3 classes", "width", "#")
        .contains("of all images:", "  labels  24 ant, 23 bee, 23 cow");

    assertThat(feedline("inspect", source, "--json")).isZero();
    assertThat(result()).containsEntry("format", "imagefolder").containsEntry("looked_at", 70L);
    assertThat(result().get("classes")).isEqualTo(List.of("ant", "bee", "cow"));
    assertThat(result().get("per_class").toString()).isEqualTo("{0=24, 1=23, 2=23}");
    assertThat(result().get("modes").toString()).isEqualTo("{rgb=70}");
  }

  @Test
  void shouldSayWhatAStoreIsThatHasBrokenImages() throws IOException {
    Files.writeString(image(7), "a note");
    Files.writeString(image(40), "");
    assertThat(feedline("inspect", source, "--json")).isEqualTo(ExitCode.FAILED);
    assertThat(result())
        .containsEntry("images", (long) IMAGES)
        .containsEntry("broken", 2L)
        .containsEntry("kinds", Map.of("JPEG", IMAGES - 2L));
    assertThat(feedline("inspect", source)).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("broken  2, which");
    for (int i = 0; i < IMAGES; i++) {
      Files.writeString(image(i), "a note");
    }
    assertThat(feedline("inspect", source)).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("broken  70, which");
  }

  @Test
  void shouldListTheFormatsThatAreWritten() {
    assertThat(feedline("convert", source, source.resolveSibling("out"), "--to", "lmbd"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .containsPattern("there is no format 'lmbd'; known are .*arrow.*; written are ")
        .doesNotContainPattern("written are .*(arrow|parquet|hdf5)");
  }

  @Test
  void shouldKeepClassesWithoutImagesIfAskedTo() throws IOException {
    Files.createDirectory(source.resolve("dog"));
    assertThat(feedline("inspect", source)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("classes dog", "--option allow-empty=true");

    assertThat(feedline("inspect", source, "--option", "allow-empty=true")).isZero();
    assertThat(out.toString()).contains("4 classes", "  labels  24 ant, 23 bee, 23 cow, 0 dog");
    assertThat(feedline("inspect", source, "--option", "allow-empty=yes"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("true or false", "yes");
  }

  @Test
  void shouldSayWhatAKilledJobHasLeft() throws IOException {
    Path left = source.resolveSibling("left");
    Path attempt = left.resolve("job-20200101T000000Z-abcdefgh/00000-0");
    Files.createDirectories(attempt);
    Files.write(attempt.resolve("data-000000.tar"), new byte[1024]);

    assertThat(feedline("inspect", left)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("no index of a store", "job-20200101T000000Z-abcdefgh", "verify --sweep")
        .doesNotContain("classes");
  }

  @Test
  void shouldFindWhatHasSamplesOf16Bits() throws IOException {
    try (InputStream wide = Image.class.getResourceAsStream("png_grey_16bit.png")) {
      Files.write(source.resolve("bee/wide.png"), wide.readAllBytes());
    }

    assertThat(feedline("inspect", source)).isZero();
    assertThat(out.toString()).contains("modes   70 rgb, 1 gray16");

    assertThat(feedline("verify", source, "--option", "mode=gray")).isZero();
    assertThat(feedline("verify", source, "--option", "mode=gray16", "--json"))
        .isEqualTo(ExitCode.FAILED);
    assertThat((List<?>) result().get("bad")).hasSize(IMAGES);
    assertThat(feedline("verify", source, "--option", "mode=grey")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("mode must be gray, rgb, rgba or gray16, was 'grey'");
  }

  @Test
  void shouldRefuseToPackInAnotherMode() {
    Path there = directory.resolve("there");

    assertThat(feedline("convert", source, there, "--to", "zip", "--option", "mode=gray"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--option mode=gray is for decoding");
    assertThat(there).doesNotExist();
  }

  @Test
  void shouldDrawImagesSideBySide() throws IOException {
    Path sheet = directory.resolve("sheet.png");
    assertThat(feedline("show", source, "-n", 6, "-o", sheet, "--cell", 20, "--json")).isZero();

    BufferedImage drawn = ImageIO.read(sheet.toFile());
    assertThat(drawn.getWidth()).isEqualTo(4 + 3 * 24);
    assertThat(drawn.getHeight()).as("with captions").isEqualTo(4 + 2 * (24 + 16));
    assertThat(result()).containsEntry("columns", 3L);
    assertThat(result().get("images").toString())
        .contains("{index=0, label=0, class=ant,", "{index=58, label=2, class=cow,");
  }

  @Test
  void shouldDrawWhatATrainingSees() throws IOException {
    Path sheet = directory.resolve("sheet.png");
    Object[] train = {
      "show",
      source,
      "--first",
      60,
      "-o",
      sheet,
      "--pipeline",
      "train",
      "--image-size",
      24,
      "--cell",
      24
    };
    assertThat(feedline(train)).isZero();
    assertThat(out.toString())
        .contains("row 3", "  60  cow  24 x 24  ", "  69  cow  24 x 24  ", "Wrote " + sheet)
        .doesNotContain("row 4");
    byte[] first = Files.readAllBytes(sheet);

    assertThat(feedline(train)).isZero();
    assertThat(Files.readAllBytes(sheet)).as("the same crops").isEqualTo(first);

    Object[] other = Arrays.copyOf(train, train.length + 2);
    other[train.length] = "--seed";
    other[train.length + 1] = 1;
    assertThat(feedline(other)).isZero();
    assertThat(Files.readAllBytes(sheet)).as("other crops").isNotEqualTo(first);
  }

  @Test
  void shouldShowASample() throws IOException {
    assertThat(feedline("inspect", source, "--sample", 24, "--json")).isZero();
    Image image = ImageFolder.of(source).get(24).image();
    assertThat(result())
        .containsEntry("key", "bee/024")
        .containsEntry("label", 1L)
        .containsEntry("class", "bee")
        .containsEntry("width", (long) image.width());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "frobnicate",
        "convert SRC",
        "convert SRC DST",
        "convert SRC DST --to floppy",
        "convert SRC DST --to imagefolder --resize 0",
        "convert SRC DST --to imagefolder --resize 9 --quality 101",
        "convert SRC DST --to imagefolder --shards 2 --shard-size 3M",
        "convert SRC DST --to imagefolder --coefficients --jpeg",
        "convert SRC DST --to imagefolder --coefficients --raw",
        "convert SRC DST --to imagefolder --compress lz4",
        "convert SRC DST --to imagefolder --raw --compress gzip",
        "convert SRC DST --to imagefolder --shard-size 3X",
        "inspect SRC --sample 70",
        "show SRC",
        "show SRC -o DST -n 0",
        "show SRC -o DST --first 70",
        "show SRC -o DST --pipeline train --image-size 0",
        "show SRC -o DST --cell 15",
        "show SRC -o DST --columns 0",
        "show SRC -o DST --pipeline sharp",
      })
  void shouldSayWhatIsWrongWithACommandLine(String line) {
    Object[] words =
        line.isEmpty()
            ? new Object[0]
            : line.replace("SRC", source.toString())
                .replace("DST", directory.resolve("there").toString())
                .split(" ");
    assertThat(feedline(words)).isEqualTo(ExitCode.USAGE);
    if (line.isEmpty()) {
      assertThat(err.toString()).contains("Usage: feedline");
    } else {
      assertThat(err.toString()).containsPattern("See feedline.* --help").doesNotContain("Usage:");
      assertThat(err.toString().lines()).hasSizeLessThan(8);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "imagefolder, 3X, 2, --shard-size|'3X' is not a size",
    "imagefolder, 0, 2, --shard-size|was '0'",
    "imagefolder, 3M, 2, imagefolder has no shards: leave out shardBytes (--shard-size)|3145728",
    "mds, 4G, 2, --shard-size|must be at most 2147483583|4294967296"
  })
  void shouldNameTheOptionAndTheSizeOfAShardThatCannotBe(
      String format, String size, int status, String words) {
    Path target = directory.resolve("there");
    assertThat(feedline("convert", source, target, "--to", format, "--shard-size", size))
        .isEqualTo(status);
    assertThat(err.toString()).contains(words.split("\\|"));
  }

  @Test
  void shouldNameAPathThatIsNotThereOrOfNoFormat() throws IOException {
    Path nothing = directory.resolve("nothing");
    assertThat(feedline("verify", nothing)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(nothing.toString(), "no such file");

    Path note = Files.writeString(directory.resolve("note.txt"), "a note");
    assertThat(feedline("inspect", note)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(note.toString(), "none of the formats", "imagefolder");
  }

  private Map<String, Object> result() {
    String text = out.toString().strip();
    return Json.read(text.substring(text.lastIndexOf('\n') + 1));
  }

  private int feedline(Object... arguments) {
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    return Feedline.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
  }

  private static List<String> contents(Path store, boolean named) throws IOException {
    List<String> contents = new ArrayList<>();
    try (ImageDataset images = ImageDataset.open(store)) {
      for (long i = 0; i < images.size(); i++) {
        EncodedImage image = images.encoded(i);
        contents.add(
            "%s %d %08x"
                .formatted(
                    named ? image.key() : "", image.label(), Arrays.hashCode(image.bytes())));
      }
    }
    return contents;
  }

  private static List<String> trainingBatches(Path store) throws IOException {
    RandomTransform<Image, Image> train =
        RandomResizedCrop.of(16).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());
    List<String> batches = new ArrayList<>();
    try (ImageDataset images = ImageDataset.open(store);
        DataLoader<LabeledImage> loader =
            DataLoader.builder(images.withTransform(train))
                .batchSize(16)
                .shuffle(true)
                .seed(3)
                .numWorkers(2)
                .build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            batches.add(
                Arrays.toString(batch.tensor("label").toLongArray())
                    + Arrays.hashCode(batch.tensor("image").toFloatArray()));
          }
        }
      }
    }
    return batches;
  }

  private static byte[] image(int width, int height, Random random) throws IOException {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_3BYTE_BGR);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        image.setRGB(x, y, 0x050301 * (x + y) + random.nextInt(16));
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "jpeg", bytes);
    return bytes.toByteArray();
  }

  @Test
  void shouldTakeUrisInPlaceOfPaths() throws IOException {
    Path shards = directory.resolve("shards");
    feedline("convert", source.toUri(), shards.toUri(), "--to", "webdataset", "--shards", 2);
    String archive = "jar:" + directory.resolve("data.zip").toUri();
    try (FileSystem zip =
        FileSystems.newFileSystem(URI.create(archive), Map.of("create", "true"))) {
      Path inside = Files.createDirectories(zip.getPath("/in here"));
      for (int i = 0; i < 2; i++) {
        String name = "data-00000%d.tar".formatted(i);
        Files.copy(shards.resolve(name), inside.resolve(name));
      }
      Files.copy(shards.resolve("classes.json"), inside.resolve("classes.json"));
    }

    String stored = archive + "!/in here/data-{000000..000001}.tar";
    assertThat(feedline("verify", stored, "--json")).as(err.toString()).isZero();
    assertThat(result()).containsEntry("images", (long) IMAGES);
    Path back = directory.resolve("back");
    assertThat(feedline("convert", stored, back, "--to", "imagefolder"))
        .as(err.toString())
        .isZero();
    assertThat(contents(back, true)).isEqualTo(contents(source, true));

    assertThat(feedline("convert", source, archive + "!/new", "--to", "mds"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("!/new", "'jar'", "Write to a local path");
    assertThat(feedline("inspect", "ftp://bucket/train")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("ftp://bucket/train", "scheme 'ftp'", "file, jar");
  }

  @Test
  void shouldSayThatTheOutputCannotBeWritten() {
    PrintWriter full =
        new PrintWriter(
            new Writer() {
              @Override
              public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("No space left on device");
              }

              @Override
              public void flush() {}

              @Override
              public void close() {}
            });
    int code = Feedline.run(full, new PrintWriter(err, true), "inspect", source.toString());
    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("could not be written to the standard output");
  }

  @Test
  void shouldNameTheOptionsOfTheCommand() throws IOException {
    Path there = directory.resolve("there");
    assertThat(feedline("convert", "--bogus")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Unknown option: '--bogus'");
    assertThat(feedline("convert", source, there, "--to", "mds", "--shards", 1_000_000))
        .isEqualTo(ExitCode.USAGE);
    Path broken = image(3);
    Files.writeString(broken, "a note");
    assertThat(feedline("convert", source, there, "--to", "mds")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains(broken.toString(), "--on-error skip")
        .doesNotContain("ErrorPolicy", "subset", "filterIndices");
    Path nowhere = directory.resolve("no/such.file");
    for (List<?> command :
        List.of(
            List.of("show", source, "-o", nowhere),
            List.of("verify", source, "--quarantine", nowhere),
            List.of("convert", source, there, "--to", "zip", "--quarantine", nowhere))) {
      assertThat(feedline(command.toArray())).isEqualTo(ExitCode.FAILED);
      assertThat(err.toString())
          .contains(nowhere + " cannot be written: its directory does not exist")
          .doesNotContain(".partial");
    }
  }
}
