package io.feedline.formats.store.internal.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.mds.MdsDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.PackingJob.CommittedTask;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.PackingJob.Mode;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.tfrecord.Example;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.formats.webdataset.WebDataset;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskFieldsTest {

  private static final Map<String, FieldType> FIELDS =
      Map.of(
          "caption", FieldType.TEXT,
          "width", FieldType.INTEGER,
          "score", FieldType.REAL,
          "mask.npy", FieldType.BYTES);

  private static final Map<String, Object> VALUES =
      Map.of(
          "caption", "Grüße, 🐜", "width", 1L << 40, "score", 0.1, "mask.npy", new byte[] {0, -1});

  @TempDir private Path disk;
  private Path target;

  @BeforeEach
  void chooseATarget() {
    target = disk.resolve("target");
  }

  private static EncodedImage image(String key) {
    return new EncodedImage(key, Fixtures.bytes("jpeg_444.jpg"), 1, "jpg");
  }

  private TaskWriter open(PackingJob job, String format, Packing packing) throws IOException {
    return PackingJob.openTask(target, StoreFormat.named(format), packing, FIELDS, job.id(), 0, 0);
  }

  private PackingJob begin(String format, Packing packing) throws IOException {
    return PackingJob.begin(target, StoreFormat.named(format), packing, FIELDS, Mode.CREATE);
  }

  /** Writes a store of samples with the keys 0, 1 and so on, and returns its one shard. */
  @SafeVarargs
  private Path write(String format, Packing packing, Map<String, Object>... samples)
      throws IOException {
    PackingJob job = begin(format, packing);
    try (TaskWriter writer = open(job, format, packing)) {
      for (int i = 0; i < samples.length; i++) {
        writer.write(image(Integer.toString(i)), samples[i]);
      }
      List<PackedShard> shards = writer.commit();
      assertThat(shards).hasSize(1);
      job.commit(List.of(new CommittedTask(0, 0, shards)));
      return target.resolve(job.id()).resolve("00000-0").resolve(shards.get(0).path());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "mds", "tfrecord"})
  void shouldLeaveTheImageAsItIs(String format) throws IOException {
    Path shard = write(format, Packing.of(List.of("ant", "bee"), 0), VALUES, VALUES);

    assertThat(shard).exists();
    try (ImageStore store = StoreFormat.of(target).open(target, StoreOptions.NONE)) {
      assertThat(store.size()).isEqualTo(2);
      assertThat(store.read(1).key()).isEqualTo("1");
      assertThat(store.read(1).label()).isEqualTo(1);
      assertThat(store.read(1).bytes()).isEqualTo(image("1").bytes());
    }
  }

  @Test
  void shouldBeEntriesOfWebDataset() throws IOException {
    Path shard = write("webdataset", Packing.of(List.of(), 0), VALUES, Map.of("caption", ""));

    try (WebDataset samples = WebDataset.builder(List.of(shard)).build()) {
      WebSample first = samples.get(0);
      assertThat(first.fields().keySet())
          .containsExactlyInAnyOrder(
              "jpg", "cls", "caption.txt", "width.json", "score.json", "mask.npy");
      assertThat(first.text("caption.txt")).isEqualTo("Grüße, 🐜");
      assertThat(first.text("width.json")).isEqualTo("1099511627776");
      assertThat(first.text("score.json")).isEqualTo("0.1");
      assertThat(first.bytes("mask.npy")).isEqualTo(new byte[] {0, -1});
      assertThat(samples.get(1).fields().keySet())
          .as("absent")
          .containsExactlyInAnyOrder("jpg", "cls", "caption.txt");
    }
  }

  @Test
  void shouldBeColumnsOfMds() throws IOException {
    assertThat(write("mds", Packing.of(List.of(), 0), VALUES)).exists();

    try (MdsDataset samples = MdsDataset.builder(target).build()) {
      Map<String, Object> sample = samples.get(0);
      assertThat(sample.keySet())
          .containsExactlyInAnyOrder(
              "image", "key", "label", "caption", "width", "score", "mask.npy");
      assertThat(sample.get("caption")).isEqualTo("Grüße, 🐜");
      assertThat(sample.get("width")).isEqualTo(1L << 40);
      assertThat(sample.get("score")).isEqualTo(0.1);
      assertThat(sample.get("mask.npy")).isEqualTo(new byte[] {0, -1});
    }
  }

  @Test
  void shouldBeThereInEverySampleOfMds() throws IOException {
    Packing packing = Packing.of(List.of(), 0);
    PackingJob job = begin("mds", packing);
    try (TaskWriter writer = open(job, "mds", packing)) {
      assertThatThrownBy(() -> writer.write(image("odd"), Map.of("caption", "x")))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("image odd", "'mask.npy'", "absent", "webdataset");
      writer.write(image("whole"), VALUES);
      assertThat(writer.commit()).extracting(PackedShard::samples).containsExactly(1L);
    }
  }

  @Test
  void shouldBeFeaturesOfTfRecord() throws IOException {
    Path shard = write("tfrecord", Packing.of(List.of(), 0), VALUES, Map.of());

    try (TfRecordDataset records = TfRecordDataset.of(shard)) {
      Example first = Example.parse(records.get(0));
      assertThat(first.text("caption")).isEqualTo("Grüße, 🐜");
      assertThat(first.int64("width")).isEqualTo(1L << 40);
      assertThat(first.float32("score")).isEqualTo(0.1f);
      assertThat(first.bytes("mask.npy")).isEqualTo(new byte[] {0, -1});
      assertThat(Example.parse(records.get(1)).names())
          .as("absent")
          .doesNotContainAnyElementsOf(FIELDS.keySet())
          .contains("image/encoded");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "webdataset, cls, BYTES, class",
    "webdataset, jpg, BYTES, image",
    "webdataset, flr, BYTES, image",
    "webdataset, Caption, TEXT, lower case",
    "webdataset, a/b, TEXT, lower case",
    "webdataset, a b, TEXT, lower case",
    "webdataset, .a, TEXT, lower case",
    "tfrecord, image/encoded, BYTES, every image",
    "tfrecord, image/class/label, INTEGER, every image",
    "tfrecord, image/class/text, TEXT, every image",
    "tfrecord, image/filename, TEXT, every image",
    "tfrecord, image/width, INTEGER, every image"
  })
  void shouldHaveNamesThatTheFormatHasNotTaken(
      String format, String name, FieldType type, String words) {
    requireRefused(format, Map.of(name, type), "'" + name + "'", words);
  }

  @Test
  void shouldNotBecomeOneEntryOfWebDataset() {
    requireRefused(
        "webdataset", Map.of("a", FieldType.TEXT, "a.txt", FieldType.BYTES), "'a'", "a.txt");
  }

  private void requireRefused(String format, Map<String, FieldType> fields, String... words) {
    StoreFormat of = StoreFormat.named(format);
    Packing packing = Packing.of(List.of(), 0);
    assertThatThrownBy(() -> PackingJob.begin(target, of, packing, fields, Mode.CREATE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(format)
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldRefuseANumberThatJsonDoesNotHave() throws IOException {
    Packing packing = Packing.of(List.of(), 0);
    PackingJob job = begin("webdataset", packing);
    try (TaskWriter writer = open(job, "webdataset", packing)) {
      assertThatThrownBy(() -> writer.write(image("odd"), Map.of("score", Double.NaN)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("image odd", "'score'", "NaN");
    }
  }

  /** So that streaming reads a shard as if its own writer had written it. */
  @ParameterizedTest
  @CsvSource({"'',''", "zstd,''", "gz,sha1", "'','sha1,sha256'"})
  void shouldPutTheHashOfAnMdsShardIntoTheIndexAndNotIntoTheShard(String compression, String hashes)
      throws IOException {
    StoreOptions options = StoreOptions.NONE;
    options = compression.isEmpty() ? options : options.with("compression", compression);
    options = hashes.isEmpty() ? options : options.with("hashes", hashes);
    Packing packing = Packing.of(List.of(), 0).withOptions(options);
    Path shard = write("mds", packing, VALUES);

    String index = Files.readString(target.resolve("index.json"), UTF_8);
    assertThat(index).contains("\"sha256\":\"").contains("\"" + target.relativize(shard) + "\"");
    try (MdsDataset samples = MdsDataset.builder(target).verifyChecksums(true).build()) {
      assertThat(samples.get(0).get("caption")).isEqualTo("Grüße, 🐜");
    }
    if (compression.isEmpty()) {
      String header = new String(Files.readAllBytes(shard), UTF_8);
      List<String> told = hashes.isEmpty() ? List.of() : List.of(hashes.split(",", -1));
      String expected =
          told.isEmpty() ? "\"hashes\":[]" : "\"hashes\":[\"" + String.join("\",\"", told) + "\"]";
      assertThat(header).contains(expected);
    }
  }
}
