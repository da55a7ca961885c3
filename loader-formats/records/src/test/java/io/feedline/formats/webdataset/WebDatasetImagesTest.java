package io.feedline.formats.webdataset;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Python;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebDatasetImagesTest extends DatasetContract<LabeledImage> {

  @TempDir Path root;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    for (int shard = 0; shard < 3; shard++) {
      Fixtures.copy("pictures-00000%d.tar".formatted(shard), root);
    }
    Fixtures.copy("classes.json", root);
    return WebDataset.images(root + "/pictures-{000000..000002}.tar").build();
  }

  @Test
  void shouldGiveTheImagesTheirClassesAndTheirBytes() throws Exception {
    try (ImageDataset images = WebDataset.images(root + "/pictures-{000000..000002}.tar").build()) {
      assertThat(images.classes()).containsExactly("cat", "dog");
      EncodedImage image = images.encoded(2);
      assertThat(image.key()).isEqualTo("000002");
      assertThat(image.label()).isZero();
      assertThat(image.bytes()).isEqualTo(Fixtures.image("png_rgb.png"));
      assertThat(images.get(3).label()).isEqualTo(1);
      assertThat(images.get(3).image().width()).isEqualTo(1);
      assertThat(images.store().shardSizes()).containsExactly(3, 0, 2);
      assertThat(images.labels()).containsExactly(0, 1, 0, 1, 0);
      assertThat(images.path(3)).isEqualTo(root.resolve("pictures-000002.tar"));
      // Checkpoints and scan indexes are bound to it.
      assertThat(images.fingerprint()).isEqualTo("WebDataset:5:f9b65e10");
    }
  }

  @Test
  void shouldOpenWhatItRecognizes() throws Exception {
    StoreFormat format = new WebDatasetFormat();
    for (Path path :
        List.of(
            root,
            root.resolve("pictures-000000.tar"),
            root.resolve("pictures-{000000..000002}.tar"))) {
      assertThat(format.recognizes(path)).as(path.toString()).isTrue();
      try (ImageStore store = format.open(path, StoreOptions.NONE)) {
        assertThat(store.size()).isEqualTo(path.endsWith("pictures-000000.tar") ? 3 : 5);
      }
    }
    for (String other : List.of("classes.json", "none.tar", "none-{0..3}.tar", "bad{.tar")) {
      assertThat(format.recognizes(root.resolve(other))).as(other).isFalse();
    }
  }

  @Test
  void shouldReadAsAWholeWhatIsNoRecord() throws Exception {
    byte[] record = RawWriter.write(new byte[3 * 320 * 320], 320, 320, 1, false);
    byte[] png = Fixtures.image("png_rgb.png");
    Path shard = root.resolve("records.tar");
    Files.write(shard, Fixtures.tar("a.flr", record, "a.cls", "1", "b.cls", "0", "b.png", png));
    try (ImageDataset images = WebDataset.images(shard.toString()).build()) {
      images.get(0);

      assertThat(images.store().view(0).map(StoredImage::label)).contains(1);
      assertThat(images.store().view(1)).isEmpty();
    }
  }

  @Test
  void shouldSayWhatIsWrongWithARecordThatIsLookedAt() throws Exception {
    byte[] record = RawWriter.write(new byte[3 * 320 * 320], 320, 320, 1, false);
    Path shard = root.resolve("wrong.tar");
    Files.write(shard, Fixtures.tar("a.flr", record, "a.cls", "1", "b.flr", record));
    try (ImageDataset images = WebDataset.images(shard.toString()).build()) {
      images.get(0);
      assertThatThrownBy(() -> images.get(1))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(shard.toString(), "sample 'b'", "no field 'cls'");
    }
  }

  @Test
  void shouldNameTheFieldsOfASampleWithoutImageOrClass() throws Exception {
    Path shard = root.resolve("other.tar");
    Files.write(shard, Fixtures.tar("a.txt", "x", "a.npy", "y"));
    try (ImageDataset images = WebDataset.images(shard.toString()).build()) {
      refused(FormatException.class, () -> images.get(0), "'a' with fields [npy, txt]: none of");
      refused(FormatException.class, images::labels, "'a' with fields [npy, txt]: no field 'cls'");
    }
  }

  @Test
  void shouldReadADirectoryAsAllItsShards() throws Exception {
    Path directory = writeAll(root.resolve("packed.webdataset"));
    Files.write(directory.resolve("data-000002.tar.gz"), new byte[9]);
    try (ImageDataset images = WebDataset.images(directory.toString()).build();
        WebDataset samples = WebDataset.builder(List.of(directory, directory)).build()) {
      assertThat(images.classes()).isEqualTo(CLASSES);
      assertThat(images.store().shardSizes()).containsExactly(3, 3, 1);
      assertThat(samples.shardSizes()).containsExactly(3, 3, 1, 3, 3, 1);
    }
    assertThat(WebDataset.builder(directory.toString()).stream().shards()).isEqualTo(3);
    Path empty = Files.createDirectory(root.resolve("empty"));
    refused(
        FormatException.class,
        () -> WebDataset.of(empty.toString()),
        "there is no file whose name");
  }

  @Test
  void shouldTakeFieldsFromOptions() throws Exception {
    Path shard = root.resolve("own.tar");
    byte[] png = Fixtures.image("png_rgb.png");
    Files.write(shard, Fixtures.tar("a.jpg", "x", "a.left.png", png, "a.y", "1"));
    StoreOptions image = StoreOptions.NONE.with(StoreOptions.IMAGE_FIELD, "right.png,left.png");
    StoreFormat format = new WebDatasetFormat();

    try (ImageStore store = format.open(shard, image.with(StoreOptions.LABEL_FIELD, "y"))) {
      assertThat(store.read(0).bytes()).isEqualTo(png);
      assertThat(store.label(0)).isEqualTo(1);
    }
    try (ImageStore store = format.open(shard, image.with(StoreOptions.LABEL_FIELD, ""))) {
      assertThat(store.label(0)).isEqualTo(EncodedImage.NO_LABEL);
    }
  }

  @Test
  void shouldSayWhatToDoWithCompressedShards() throws Exception {
    Path directory = Files.createDirectory(root.resolve("packed"));
    StoreFormat format = new WebDatasetFormat();
    for (String name : List.of("a.tar.gz", "b.tgz")) {
      Path packed = Files.write(directory.resolve(name), new byte[9]);
      assertThat(format.recognizes(directory)).isTrue();
      assertThatThrownBy(() -> format.open(directory, StoreOptions.NONE))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(packed.toString(), "unpack", "stream()");
      // Unpacked beside it, it is not in the way.
      Files.write(
          directory.resolve(name.charAt(0) + ".tar"), Fixtures.tar(name.charAt(0) + ".txt", "1"));
      try (ImageStore store = format.open(directory, StoreOptions.NONE)) {
        assertThat(store.size()).isEqualTo(name.charAt(0) - 'a' + 1);
      }
    }
  }

  @Test
  void shouldCountLabelsFromTheFirstLabelOfTheClasses() throws Exception {
    Files.writeString(root.resolve("classes.json"), "{\"classes\": [\"dog\"], \"firstLabel\": 1}");

    try (ImageDataset images = WebDataset.images(root + "/pictures-000000.tar").build()) {
      assertThat(images.labels()).containsExactly(-1, 0, -1);
    }
  }

  private static WebSample sample(Object... suffixesAndTexts) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    for (int i = 0; i < suffixesAndTexts.length; i += 2) {
      fields.put(
          suffixesAndTexts[i].toString(), suffixesAndTexts[i + 1].toString().getBytes(UTF_8));
    }
    return new WebSample("key", "x.tar", fields);
  }

  @Test
  void shouldPreferTheSuffixThatIsNamedFirst() throws Exception {
    WebSample sample = sample("png", "p", "jpg", "j", "left.png", "l", "cls", "3");

    assertThat(ImageFields.DEFAULT.image(sample).bytes()).isEqualTo("j".getBytes(UTF_8));
    assertThat(ImageFields.DEFAULT.withSuffixes("LEFT.png", "jpg").image(sample).bytes())
        .isEqualTo("l".getBytes(UTF_8));
    assertThat(ImageFields.DEFAULT.image(sample).label()).isEqualTo(3);
  }

  @Test
  void shouldTakeTheClassFromWhereItIsToldTo() throws Exception {
    WebSample sample =
        sample("jpg", "j", "cls2", " 9 ", "json", "{\"a\":{\"b\":[5,{\"c\":7,\"d\":\"dog\"}]}}");

    assertThat(ImageFields.DEFAULT.withLabel("cls2").image(sample).label()).isEqualTo(9);
    assertThat(
            ImageFields.DEFAULT.withLabelFromJson("json", "a", "b", "1", "c").image(sample).label())
        .isEqualTo(7);
    assertThat(
            ImageFields.DEFAULT
                .withLabelFromJson("json", "a", "b", "1", "d")
                .withClasses(List.of("cat", "dog"))
                .image(sample)
                .label())
        .isEqualTo(1);
    assertThat(ImageFields.DEFAULT.withoutLabels().image(sample).label())
        .isEqualTo(EncodedImage.NO_LABEL);
  }

  @Test
  void shouldSayWhatIsMissingOrNoClass() {
    ImageFields json = ImageFields.DEFAULT.withLabelFromJson("json", "a", "b");
    Map<WebSample, String> failures =
        Map.of(
            sample("txt", "t"), "none of the fields",
            sample("jpg", "j"), "withoutLabels()",
            sample("jpg", "j", "cls", "x"), "integer",
            sample("jpg", "j", "cls", "-2"), "-2",
            sample("jpg", "j", "cls", "2"), "there are 2 classes");
    failures.forEach(
        (sample, reason) ->
            assertThatThrownBy(
                    () -> ImageFields.DEFAULT.withClasses(List.of("cat", "dog")).image(sample))
                .isInstanceOf(FormatException.class)
                .hasMessageContainingAll("x.tar", "'key'", reason));
    for (String document : new String[] {"{}", "{\"a\":1}", "{\"a\":{\"b\":1.5}}", "[1]", "{"}) {
      assertThatThrownBy(() -> json.image(sample("jpg", "j", "json", document)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("x.tar", "'key'", "json");
    }
  }

  @Test
  void shouldExpandBracesInTheFileSystemOfThePath() throws Exception {
    byte[] image = Fixtures.image("jpeg_444.jpg");
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path directory = Files.createDirectories(files.getPath("/data"));
      for (int i = 0; i < 3; i++) {
        Files.write(directory.resolve(i + ".tar"), Fixtures.tar(i + ".jpg", image, i + ".cls", i));
      }
      try (ImageDataset images = ImageDataset.open(directory.resolve("{0..2}.tar"))) {
        assertThat(images.size()).isEqualTo(3);
        assertThat(images.encoded(2).label()).isEqualTo(2);
        assertThat(images.path(2)).isEqualTo(directory.resolve("2.tar"));
      }
    }
  }

  /** The rule of all formats; a pattern chooses. */
  @Test
  void shouldRefuseADirectoryWithSeveralSplits(@TempDir Path splits) throws Exception {
    byte[] shard = Files.readAllBytes(Fixtures.copy("pictures-000000.tar", root));
    for (String name : List.of("train-000000.tar", "train-000001.tar", "val-000000.tar")) {
      Files.write(splits.resolve(name), shard);
      Files.write(splits.resolve("._" + name), new byte[] {0, 5, 22, 7});
    }
    assertThatThrownBy(() -> ImageDataset.open(splits))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("[train, val]", splits + "/train-*.tar");
    try (ImageDataset train = ImageDataset.open(splits.resolve("train-*.tar"));
        ImageDataset same = WebDataset.images(splits + "/t*.tar").build()) {
      assertThat(train.size()).isEqualTo(6).isEqualTo(same.size());
    }
  }

  private static final List<String> CLASSES = List.of("cat", "dog");

  private static List<EncodedImage> images() throws IOException {
    byte[] jpeg = Fixtures.image("jpeg_1x1.jpg");
    List<EncodedImage> images = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      images.add(
          new EncodedImage(
              (i == 2 ? "\u732b" : i == 3 ? "d/".repeat(70) : i == 4 ? "x".repeat(200) : "cat/")
                  + i,
              i == 5 ? Fixtures.image("png_grey.png") : jpeg,
              i == 6 ? EncodedImage.NO_LABEL : i % 2));
    }
    return images;
  }

  private static StoreWriter<EncodedImage> open(Path directory) throws IOException {
    return new WebDatasetFormat().create(directory, Packing.of(CLASSES, 7).withShards(3));
  }

  private static Path writeAll(Path directory) throws IOException {
    FixtureFiles.write(open(directory), images());
    return directory;
  }

  @Test
  void shouldBeReadAsItWasWritten() throws Exception {
    Path data = writeAll(root.resolve("data"));

    try (ImageDataset read = ImageDataset.open(data)) {
      assertThat(read.store().shardSizes()).containsExactly(3, 3, 1);
      assertThat(read.classes()).containsExactly("cat", "dog");
      for (int i = 0; i < read.size(); i++) {
        assertThat(read.encoded(i)).usingRecursiveComparison().isEqualTo(images().get(i));
      }
    }
  }

  @Test
  void shouldBeReadByPythonsTarfile() throws Exception {
    Path data = writeAll(root.resolve("data"));
    Object[] shards = new Object[3];
    Arrays.setAll(shards, shard -> data.resolve("data-00000%d.tar".formatted(shard)));
    List<String> listing = Python.runPlain(getClass(), "read_shards.py", shards);

    List<String> expected = new ArrayList<>();
    for (EncodedImage image : images()) {
      byte[] label = Integer.toString(image.label()).getBytes(UTF_8);
      boolean png = image.bytes()[0] == (byte) 0x89;
      String cls = line(image.key() + ".cls", label);
      String data0 = line(image.key() + (png ? ".png" : ".jpg"), image.bytes());
      expected.addAll(List.of(cls, data0));
    }
    assertThat(listing).containsExactlyElementsOf(expected);
  }

  private static String line(String name, byte[] data) {
    return "%s\t0\t%d\t0\t0\t%d\t%s".formatted(name, 0444, data.length, FixtureFiles.crc(data));
  }

  @ParameterizedTest
  @CsvSource({
    "P1, pbm", "P2, pgm", "P3, ppm", "BM, bmp",
    "P4, pbm", "P5, pgm", "P6, ppm", "GIF8, gif"
  })
  void shouldNameAnEntryByWhatItsBytesAre(String signature, String suffix) throws Exception {
    byte[] bytes = (signature + " 1 1 255 ...").getBytes(UTF_8);
    Path data = root.resolve("data");
    FixtureFiles.write(
        new WebDatasetFormat().create(data, Packing.of(CLASSES, 1)),
        List.of(new EncodedImage("v1.0/a.b", bytes, 0, "JPEG")));
    try (WebDataset samples = WebDataset.of(data + "/data-000000.tar")) {
      assertThat(samples.get(0).key()).as("only the last part is cut").isEqualTo("v1.0/a_b");
      assertThat(samples.get(0).fields()).containsOnlyKeys("cls", suffix);
    }
  }

  @Test
  void shouldRefuseWhatIsNoImage() throws Exception {
    try (StoreWriter<EncodedImage> writer = open(root.resolve("data"))) {
      writer.write(images().get(0));
      assertThatThrownBy(() -> writer.write(new EncodedImage("c", new byte[9], 0)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("data-000000.tar, sample 1", "'c'", "9 bytes", "no known kind");
      assertThat(writer.written()).isEqualTo(1);
    }
  }
}
