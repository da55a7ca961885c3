package io.feedline.formats.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.Trees;
import io.feedline.formats.table.TableDataset;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedlineTest extends CommandFixture {
  private static final int IMAGES = 70;

  private Path directory;
  private Path source;

  @BeforeEach
  void makeAFolder(@TempDir Path directory) throws IOException {
    this.directory = directory;
    this.source = directory.resolve("source");
    Random random = new Random(5);
    try (StoreWriter<EncodedImage> writer =
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

    ok("convert", source, there, "--to", format);
    assertThat(StoreFormat.of(there).name()).isEqualTo(format);
    ok("verify", there);
    ok("convert", there, back, "--to imagefolder");

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

  @Test
  void shouldKeepWhatIsNoBaselineJpegAsItIs() throws IOException {
    byte[] png = Fixtures.bytes("png_rgb.png");
    byte[] progressive = Fixtures.bytes("jpeg_progressive.jpg");
    Files.write(source.resolve("cow/070.png"), png);
    Files.write(source.resolve("cow/071.jpg"), progressive);
    Path packed = directory.resolve("packed");

    assertThat(ok("convert", source, packed, "--to lmdb --coefficients"))
        .contains("; 70 coefficient records");
    try (ImageDataset images = ImageDataset.open(packed)) {
      assertThat(images.encoded(IMAGES).bytes()).isEqualTo(png);
      assertThat(images.encoded(IMAGES + 1).bytes()).isEqualTo(progressive);
    }
    assertThat(ok("inspect", packed)).contains("kinds   1 JPEG, 1 PNG, 70 COEFFICIENTS");
    assertThat(json("inspect", packed, "--sample 3")).containsEntry("kind", "COEFFICIENTS");
    assertThat(json("index", packed)).containsEntry("indexed", 0L);

    Path folder = directory.resolve("folder");
    ok("convert", source, folder, "--to imagefolder --coefficients");
    Path broken = folder.resolve("bee/030.flc");
    byte[] record = Files.readAllBytes(broken);
    record[record.length - 5] ^= 4;
    Files.write(broken, record);
    fails(ExitCode.FAILED, "verify", folder);
    assertThat(out()).contains("30  ", broken.toString(), "the checksum of band");
  }

  static Stream<Arguments> writableFormatsAndRecords() {
    return writableFormats().stream()
        .flatMap(
            format ->
                Stream.of(
                    arguments(format, ImageFormat.COEFFICIENTS, ImageFormat.JPEG),
                    arguments(format, ImageFormat.RAW, ImageFormat.PNG)));
  }

  @ParameterizedTest
  @MethodSource("writableFormatsAndRecords")
  void shouldTrainOnTheSameBatchesFromRecords(String format, ImageFormat kind, ImageFormat of)
      throws IOException {
    Path packed = directory.resolve("packed");
    Path back = directory.resolve("back");
    String name = kind == ImageFormat.RAW ? "raw" : "coefficient";
    String option = "--" + kind.name().toLowerCase(Locale.ROOT);

    assertThat(json("convert", source, packed, "--to", format, option))
        .containsEntry(name + "_records", (long) IMAGES);
    assertThat(kinds(packed)).containsOnly(kind);
    assertThat(trainingBatches(packed)).isEqualTo(trainingBatches(source));
    ok("verify", packed);

    String plain = "--" + of.name().toLowerCase(Locale.ROOT);
    assertThat(json("convert", packed, back, "--to", format, plain))
        .containsEntry(name + "_records", 0L);
    assertThat(trainingBatches(back)).isEqualTo(trainingBatches(source));
    assertThat(kinds(back)).containsOnly(of);
  }

  @Test
  void shouldCompressRawRecords() throws IOException {
    Path plain = directory.resolve("plain");
    Path packed = directory.resolve("packed");
    assertThat(ok("convert", source, plain, "--to lmdb --raw")).contains("; 70 raw records");

    ok("convert", source, packed, "--to lmdb --raw --compress lz4");

    assertThat(trainingBatches(packed)).isEqualTo(trainingBatches(source));
    try (ImageDataset before = ImageDataset.open(plain);
        ImageDataset after = ImageDataset.open(packed)) {
      assertThat(after.encoded(5).bytes().length).isLessThan(before.encoded(5).bytes().length);
    }
    assertThat(json("inspect", packed, "--sample 5"))
        .containsEntry("kind", "RAW")
        .containsEntry("samples", 3L)
        .containsEntry("compression", "lz4");
    assertThat(ok("inspect", packed)).contains("kinds   70 RAW");
  }

  @Test
  void shouldListTheColumnsOfATableWithoutImages() throws IOException {
    Path table = Files.writeString(directory.resolve("people.csv"), "age,city\n31,Rome\n");
    assertThat(ok("inspect", table))
        .contains("people.csv: csv, a table without images", "  age (text)", "  city (text)");
    assertThat(json("inspect", table))
        .containsEntry("columns", List.of("age (text)", "city (text)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lists.parquet", "lists.feather"})
  void shouldListColumnsByTheNamesThatABuilderTakes(String name) throws IOException {
    Path table =
        Path.of("..", "tables", "src", "test", "resources")
            .resolve("io/feedline/formats/table")
            .resolve(name);
    json("inspect", table);
    List<String> names =
        ((List<?>) result().get("columns"))
            .stream().map(each -> each.toString().replaceFirst(" .*", "")).toList();
    assertThat(names).containsExactly("tokens", "person.age", "person.codes");
    try (TableDataset<Map<String, Object>> rows =
        TableDataset.builder(table).columns(names.toArray(String[]::new)).build()) {
      assertThat(rows.size()).isEqualTo(60);
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
    ok("convert", one, packed, "--to tfrecord --raw");
    ok("convert", packed, back, "--to imagefolder --png");

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
  void shouldSayInOneTableWhatAStoreCanHold() {
    assertThat(ok("convert --help").lines())
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
    assertThat(json("index", source)).containsEntry("indexed", (long) IMAGES);
    assertThat(source.resolve(".feedline-index")).exists();
    assertThat(ImageFolder.of(source).scanIndexes()).contains(".feedline-index");
    ok("verify", source);

    Path shards = directory.resolve("shards");
    ok("convert", source, shards, "--to webdataset --scan-index");
    assertThat(shards.resolve(".data-000000.tar.scan-index")).exists();
    ok("verify", shards);
  }

  @ParameterizedTest
  @CsvSource({"tfrecord, --shards, 3, 3", "webdataset, --shards, 3, 3", "mds, --shard-size, 9K, 6"})
  void shouldCutAStoreIntoShards(String format, String option, String value, int atLeast)
      throws IOException {
    Path there = directory.resolve("there");

    ok("convert", source, there, "--to", format, option, value);

    try (var files = Files.list(there)) {
      assertThat(files.filter(file -> file.toString().matches(".*(-of-\\d+|tar|mds)")).count())
          .isGreaterThanOrEqualTo(atLeast);
    }
    ok("verify", there);
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
    byte[] whole = Files.readAllBytes(broken);
    Files.write(broken, new byte[0]);
    Path there = directory.resolve("there");
    fails(ExitCode.FAILED, "convert", source, there, "--to mds", first);

    assertThat(fails(ExitCode.FAILED, "convert", source, there, "--to mds", second))
        .contains(expected, "--restart");

    Files.write(broken, whole);
    ok("convert", source, there, "--to mds --restart", second);
  }

  @Test
  void shouldListWhatIsBrokenAndLeaveItOutWhenAsked() throws IOException {
    Files.writeString(source.resolve("cow/069.jpg"), "a note");
    Path broken = source.resolve("ant/007.jpg");
    Files.write(broken, Arrays.copyOf(Files.readAllBytes(broken), 300));
    Path list = directory.resolve("bad.jsonl");

    fails(ExitCode.FAILED, "verify", source, "--quarantine", list, "--json");
    assertThat(result().get("bad").toString())
        .contains("index=7", broken.toString(), "index=69", "a note");
    assertThat(result()).containsEntry("images", (long) IMAGES);

    Path there = directory.resolve("there");
    ok("convert", source, there, "--to imagefolder --exclude", list);
    assertThat(ImageFolder.of(there).size()).isEqualTo(IMAGES - 2);
    ok("verify", there);
  }

  @ParameterizedTest
  @MethodSource("writableFormats")
  void shouldRefuseABrokenImageInEveryFormatUnlessItIsToBeLeftOut(String format)
      throws IOException {
    Files.writeString(source.resolve("ant/007.jpg"), "a note");
    Path cut = source.resolve("cow/069.jpg");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 20));
    Path there = directory.resolve("there");

    assertThat(fails(ExitCode.FAILED, "convert", source, there, "--to", format))
        .contains("ant/007", "not an image");
    assertThat(there).doesNotExist();

    Path list = directory.resolve("left-out.jsonl");
    fails(
        ExitCode.LEFT_OUT,
        "convert",
        source,
        there,
        "--on-error skip --to",
        format,
        "--quarantine",
        list);
    assertThat(out())
        .contains("7  " + source.resolve("ant/007.jpg"), "69  " + cut, "68 images as " + format)
        .contains("; 2 broken images left out");
    assertThat(Quarantine.load(list).indices()).containsExactly(7, 69);
    ok("verify", there);
    Path excluded = directory.resolve("excluded");
    ok("convert", source, excluded, "--to", format, "--exclude", list);
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
    // Those with shards continue behind the last whole one.
    boolean sharded = List.of("mds", "webdataset", "tfrecord").contains(format);
    String options = "--on-error skip --workers 2 --json" + (sharded ? " --shard-size 8K" : "");
    Path once = directory.resolve("once");

    fails(ExitCode.LEFT_OUT, "convert", source, once, "--to", format, options);
    Object leftOut = result().get("left_out");
    // A file that cannot be read does not count as broken.
    Files.delete(ended);
    Files.createSymbolicLink(ended, Path.of("nowhere"));
    Object[] command = {"convert", source, there, "--to", format, options};
    assertThat(fails(ExitCode.FAILED, command)).contains("bee/040");
    assertThat(there).doesNotExist();
    Files.delete(ended);
    Files.write(ended, whole);

    boolean isOneFile = List.of("recordio", "zip").contains(format);
    assertThat(fails(ExitCode.LEFT_OUT, command)).contains("continuing at");
    assertThat((Long) result().get("continued_at")).matches(at -> isOneFile ? at == 0 : at > 0);
    assertThat(result()).containsEntry("images", IMAGES - 5L).containsEntry("left_out", leftOut);
    assertThat(leftOut.toString()).contains("index=0,", "index=3,", "index=9,", "index=41,");
    if (!format.equals("lmdb")) {
      // Where a database has its pages depends on how often it was written to the disk.
      assertThat(Trees.files(there)).isEqualTo(Trees.files(once));
    }
    // Some formats keep an index beside shards that were read.
    assertThat(contents(there, true)).isEqualTo(contents(once, true));
  }

  private Path image(int number) {
    String name = List.of("ant", "bee", "cow").get(number * 3 / IMAGES);
    return source.resolve("%s/%03d.jpg".formatted(name, number));
  }

  @Test
  void shouldSayThatNothingIsLeftWhereAllImagesAreBroken() throws IOException {
    for (int i = 0; i < IMAGES; i++) {
      Files.writeString(image(i), "a note");
    }
    Path there = directory.resolve("there");
    assertThat(fails(ExitCode.FAILED, "convert", source, there, "--to zip --on-error skip"))
        .contains("all images (70) are broken", "ant/000.jpg");
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
    Object[] command = {"convert", source, there, "--to recordio --resize 9 --exclude", list};
    fails(ExitCode.FAILED, command);
    assertThat(fails(ExitCode.FAILED, command)).contains("beginning anew");
    Files.write(broken, whole);

    Files.writeString(list, Files.readString(list).replace("a note", "another note"));
    assertThat(fails(ExitCode.FAILED, command)).contains("exclude was").contains("--restart");
  }

  @ParameterizedTest
  @CsvSource({"tfrecord", "webdataset", "lmdb", "zip", "mds"})
  void shouldWriteTwoImagesOfOneStem(String format) throws IOException {
    Files.copy(source.resolve("ant/003.jpg"), source.resolve("ant/004.JPEG"));
    Path there = directory.resolve("there");

    ok("convert", source, there, "--to", format, "--keys file");

    try (ImageDataset images = ImageDataset.open(there)) {
      assertThat(images.size()).isEqualTo(IMAGES + 1);
      assertThat(images.encoded(4).key()).isEqualTo("ant/004_JPEG");
      assertThat(images.encoded(5).key()).isEqualTo("ant/004_jpg");
    }
    ok("convert", source, directory.resolve("n"), "--to", format, "--keys index");
  }

  @Test
  void shouldKeepTheNamesOfFiles() throws IOException {
    Files.move(source.resolve("ant/003.jpg"), source.resolve("ant/003.JPEG"));
    Path there = directory.resolve("there.zip");
    Path back = directory.resolve("back");
    ok("convert", source, there, "--to zip");
    ok("convert", there, back, "--to imagefolder");
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
      ok("convert", source, there, "--to", format);
      try (ImageDataset images = ImageDataset.open(there)) {
        assertThat(images.encoded(0).bytes()).isEqualTo(png);
        assertThat(images.get(0).image().width()).isEqualTo(4);
      }
    }
  }

  @Test
  void shouldTakeNamesOfFields() {
    Path there = directory.resolve("there");
    String fields = "--to-option image-field=photo --to-option label-field=kind";
    ok("convert", source, there, "--to tfrecord", fields);

    fails(ExitCode.FAILED, "verify", there);
    ok("verify", there, "--image-field photo --label-field kind");
    assertThat(fails(ExitCode.USAGE, "inspect", there, "--option sky=blue"))
        .contains("tfrecord has no option 'sky'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"convert", "inspect", "show", "verify", "index", "plan"})
  void shouldHelpWithoutAWarning(String command) {
    ok(command, "--help");
    assertThat(err()).isEmpty();
    assertThat(out()).contains("feedline " + command).doesNotContain("%%");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux lists the files that are open")
  void shouldLeaveNoDatasetOpen() throws IOException {
    Path there = directory.resolve("there");
    ok("convert", source, there, "--to recordio --scan-index");
    feedline("inspect", there);
    feedline("inspect", there, "--sample 3");
    feedline("verify", there);
    feedline("index", there);
    feedline("convert", there, directory.resolve("back"), "--to lmdb");

    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      assertThat(descriptors.map(FeedlineTest::target)).noneMatch(file -> file.startsWith(there));
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException closedMeanwhile) {
      return descriptor;
    }
  }

  @Test
  void shouldSayWhatAStoreIs() throws IOException {
    assertThat(ok("inspect", source))
        .contains("imagefolder", IMAGES + " images", "3 classes", "width", "#")
        .contains("of all images:", "  labels  24 ant, 23 bee, 23 cow");
    assertThat(out().lines())
        .filteredOn(line -> line.contains("#"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(40));

    assertThat(json("inspect", source))
        .containsEntry("format", "imagefolder")
        .containsEntry("looked_at", 70L);
    assertThat(result().get("classes")).isEqualTo(List.of("ant", "bee", "cow"));
    assertThat(result().get("per_class").toString()).isEqualTo("{0=24, 1=23, 2=23}");
    assertThat(result().get("modes").toString()).isEqualTo("{rgb=70}");

    assertThat(json("inspect", source, "--sample 24"))
        .containsEntry("key", "bee/024")
        .containsEntry("label", 1L)
        .containsEntry("class", "bee")
        .containsEntry("width", (long) ImageFolder.of(source).get(24).image().width());
  }

  @Test
  void shouldSayWhatAStoreIsThatHasBrokenImages() throws IOException {
    Files.writeString(image(7), "a note");
    Files.writeString(image(40), "");
    fails(ExitCode.FAILED, "inspect", source, "--json");
    assertThat(result())
        .containsEntry("images", (long) IMAGES)
        .containsEntry("broken", 2L)
        .containsEntry("kinds", Map.of("JPEG", IMAGES - 2L));
    fails(ExitCode.FAILED, "inspect", source);
    assertThat(out()).contains("broken  2, which");
    for (int i = 0; i < IMAGES; i++) {
      Files.writeString(image(i), "a note");
    }
    fails(ExitCode.FAILED, "inspect", source);
    assertThat(out()).contains("broken  70, which");
  }

  @Test
  void shouldKeepClassesWithoutImagesIfAskedTo() throws IOException {
    Files.createDirectory(source.resolve("dog"));
    assertThat(fails(ExitCode.FAILED, "inspect", source))
        .contains("classes dog", "--option allow-empty=true");

    assertThat(ok("inspect", source, "--option allow-empty=true"))
        .contains("4 classes", "  labels  24 ant, 23 bee, 23 cow, 0 dog");
    assertThat(fails(ExitCode.USAGE, "inspect", source, "--option allow-empty=yes"))
        .contains("true or false", "yes");
  }

  @Test
  void shouldSayWhatAKilledJobHasLeft() throws IOException {
    Path left = source.resolveSibling("left");
    Path attempt = left.resolve("job-20200101T000000Z-abcdefgh/00000-0");
    Files.createDirectories(attempt);
    Files.write(attempt.resolve("data-000000.tar"), new byte[1024]);

    assertThat(fails(ExitCode.FAILED, "inspect", left))
        .contains("no index of a store", "job-20200101T000000Z-abcdefgh", "verify --sweep")
        .doesNotContain("classes");
  }

  @Test
  void shouldFindWhatHasSamplesOf16Bits() throws IOException {
    try (InputStream wide = Image.class.getResourceAsStream("png_grey_16bit.png")) {
      Files.write(source.resolve("bee/wide.png"), wide.readAllBytes());
    }

    assertThat(ok("inspect", source)).contains("modes   70 rgb, 1 gray16");

    ok("verify", source, "--option mode=gray");
    fails(ExitCode.FAILED, "verify", source, "--option mode=gray16 --json");
    assertThat((List<?>) result().get("bad")).hasSize(IMAGES);
    assertThat(fails(ExitCode.USAGE, "verify", source, "--option mode=grey"))
        .contains("mode must be gray, rgb, rgba or gray16, was 'grey'");
    Path there = directory.resolve("there");
    assertThat(fails(ExitCode.USAGE, "convert", source, there, "--to zip --option mode=gray"))
        .contains("--option mode=gray is for decoding");
    assertThat(there).doesNotExist();
  }

  @Test
  void shouldDrawImagesSideBySide() throws IOException {
    Path sheet = directory.resolve("sheet.png");
    json("show", source, "-n 6 -o", sheet, "--cell 20");

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
    String train = "show --first 60 --pipeline train --image-size 24 --cell 24 --seed %d -o";
    assertThat(ok(train.formatted(0), sheet, source))
        .contains("row 3", "  60  cow  24 x 24  ", "  69  cow  24 x 24  ", "Wrote " + sheet)
        .doesNotContain("row 4");
    byte[] first = Files.readAllBytes(sheet);

    ok(train.formatted(0), sheet, source);
    assertThat(Files.readAllBytes(sheet)).as("the same crops").isEqualTo(first);
    ok(train.formatted(1), sheet, source);
    assertThat(Files.readAllBytes(sheet)).as("other crops").isNotEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
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
    String words =
        line.replace("SRC", source.toString())
            .replace("DST", directory.resolve("there").toString());
    assertThat(fails(ExitCode.USAGE, words))
        .containsPattern("See feedline.* --help")
        .doesNotContain("Usage:");
    assertThat(err().lines()).hasSizeLessThan(8);
  }

  @ParameterizedTest
  @CsvSource({
    "imagefolder, 3M, 2, imagefolder has no shards: leave out shardBytes (--shard-size)|3145728",
    "mds, 4G, 2, --shard-size|must be at most 2147483583|4294967296"
  })
  void shouldNameTheOptionAndTheSizeOfAShardThatCannotBe(
      String format, String size, int status, String words) {
    Path target = directory.resolve("there");
    assertThat(fails(status, "convert", source, target, "--to", format, "--shard-size", size))
        .contains(words.split("\\|"));
  }

  @Test
  void shouldNameAPathThatIsNotThereOrOfNoFormat() throws IOException {
    Path nothing = directory.resolve("nothing");
    assertThat(fails(ExitCode.FAILED, "verify", nothing))
        .contains(nothing.toString(), "no such file");

    Path note = Files.writeString(directory.resolve("note.txt"), "a note");
    assertThat(fails(ExitCode.FAILED, "inspect", note))
        .contains(note.toString(), "none of the formats", "imagefolder");

    assertThat(fails(ExitCode.USAGE, "convert", source, nothing, "--to lmbd"))
        .containsPattern("there is no format 'lmbd'; known are .*arrow.*; written are ")
        .doesNotContainPattern("written are .*(arrow|parquet|hdf5)");
  }

  static List<String> contents(Path store, boolean named) throws IOException {
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
    feedline("convert", source.toUri(), shards.toUri(), "--to webdataset --shards 2");
    String archive = "jar:" + directory.resolve("data.zip").toUri();
    try (FileSystem zip =
        FileSystems.newFileSystem(URI.create(archive), Map.of("create", "true"))) {
      Path inside = Files.createDirectories(zip.getPath("/inside"));
      for (int i = 0; i < 2; i++) {
        String name = "data-00000%d.tar".formatted(i);
        Files.copy(shards.resolve(name), inside.resolve(name));
      }
      Files.copy(shards.resolve("classes.json"), inside.resolve("classes.json"));
    }

    String stored = archive + "!/inside/data-{000000..000001}.tar";
    assertThat(json("verify", stored)).containsEntry("images", (long) IMAGES);
    Path back = directory.resolve("back");
    ok("convert", stored, back, "--to imagefolder");
    assertThat(contents(back, true)).isEqualTo(contents(source, true));

    assertThat(fails(ExitCode.FAILED, "convert", source, archive + "!/new", "--to mds"))
        .contains("!/new", "'jar'", "Write to a local path");
    assertThat(fails(ExitCode.USAGE, "inspect ftp://bucket/train"))
        .contains("ftp://bucket/train", "scheme 'ftp'", "file, jar");
  }

  @Test
  void shouldSayThatTheOutputCannotBeWritten() {
    PrintWriter full = new PrintWriter(Writer.nullWriter());
    full.close();
    StringWriter err = new StringWriter();
    int code = Feedline.run(full, new PrintWriter(err, true), "inspect", source.toString());
    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("could not be written to the standard output");
  }

  @Test
  void shouldNameTheOptionsOfTheCommand() throws IOException {
    Path there = directory.resolve("there");
    assertThat(fails(ExitCode.USAGE)).contains("Usage: feedline");
    assertThat(fails(ExitCode.USAGE, "convert --bogus")).contains("Unknown option: '--bogus'");
    fails(ExitCode.USAGE, "convert", source, there, "--to mds --shards", 1_000_000);
    Path broken = image(3);
    Files.writeString(broken, "a note");
    assertThat(fails(ExitCode.FAILED, "convert", source, there, "--to mds"))
        .contains(broken.toString(), "--on-error skip")
        .doesNotContain("ErrorPolicy", "subset", "filterIndices");
    Path nowhere = directory.resolve("no/such.file");
    for (Object[] command :
        new Object[][] {
          {"show", source, "-o", nowhere},
          {"verify", source, "--quarantine", nowhere},
          {"convert", source, there, "--to zip --quarantine", nowhere}
        }) {
      assertThat(fails(ExitCode.FAILED, command))
          .contains(nowhere + " cannot be written: its directory does not exist")
          .doesNotContain(".partial");
    }
  }
}
