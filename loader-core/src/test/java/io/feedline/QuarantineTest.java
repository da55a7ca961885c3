package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.data.Dataset;
import io.feedline.data.Quarantine;
import io.feedline.data.Quarantine.Entry;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuarantineTest {

  private static final Quarantine THREE =
      new Quarantine(
          List.of(
              new Entry(7, "train/\"odd\"\n\ud83d\ude00.jpg", "java.io.IOException: \\ and \u0000"),
              new Entry(3, "", "null"),
              new Entry(Long.MAX_VALUE, "key", "x")));

  @TempDir private Path directory;

  @Test
  void shouldLoadWhatItSaves() throws IOException {
    Path file = directory.resolve("bad.jsonl");
    THREE.save(file);
    assertThat(Quarantine.load(file)).isEqualTo(THREE);
    assertThat(Files.readAllLines(file)).hasSize(3);
    new Quarantine(List.of()).save(file);
    assertThat(Quarantine.load(file).entries()).isEmpty();
    try (var files = Files.list(directory)) {
      assertThat(files).as("nothing else is left").containsExactly(file);
    }
  }

  @Test
  void shouldListItsIndicesInOrderAndOnce() {
    assertThat(THREE.indices()).containsExactly(3, 7, Long.MAX_VALUE);
    Entry none = new Entry(-1, "row of batch 3", "x");
    Entry twice = new Entry(3, "again", "y");
    assertThat(new Quarantine(List.of(none, twice, twice)).indices()).containsExactly(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[1]",
        "{\"index\":1,\"description\":\"a\"}",
        "{\"index\":\"1\",\"description\":\"a\",\"cause\":\"b\"}",
        "{\"index\":1,\"description\":\"a\",\"cause\":5}",
        "{\"index\":1,\"description\":\"a\",\"cause\":\"b\""
      })
  void shouldNameFileAndLineOfWhatIsNoEntry(String line) throws IOException {
    Path file = directory.resolve("bad.jsonl");
    Files.writeString(file, "{\"index\":1,\"description\":\"a\",\"cause\":\"b\"}\n" + line + "\n");
    Refusals.assertThrown(IOException.class, () -> Quarantine.load(file), "line 2 of " + file);
  }

  @Test
  void shouldSayThatAFileIsMissingOrNoText() throws IOException {
    Path file = directory.resolve("bad.jsonl");
    assertThatThrownBy(() -> Quarantine.load(file)).isInstanceOf(NoSuchFileException.class);
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
    Refusals.assertThrown(
        IOException.class, () -> Quarantine.load(file), file.toString(), "not UTF-8");
    assertThatThrownBy(() -> THREE.save(directory.resolve("missing").resolve("bad.jsonl")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void shouldLeaveOutTheRowsOfASamplerThatFails() {
    Order failing =
        Samples.order(
            8,
            position -> {
              if (position == 2) {
                throw new IllegalStateException("no index");
              }
              return position == 5 ? 5000 : position;
            });
    try (CapturedLog log = new CapturedLog();
        DataLoader<Probes.Probe> loader =
            Samples.loader(Probes.dataset(100), 4, 1)
                .sampler(epoch -> failing)
                .prefetchNextEpoch(false)
                .errorPolicy(ErrorPolicy.skip())
                .build()) {
      assertThat(Probes.flat(Probes.indices(loader))).containsExactly(0, 1, 3, 4, 6, 7);
      assertThat(loader.quarantine().entries()).hasSize(2);
      assertThat(loader.quarantine().indices()).containsExactly(5000);
      assertThat(log.lines("no index")).hasSize(1);
    }
  }

  private static Dataset<Long> failing() {
    return Samples.numbers(
        30, index -> Samples.failIf(index % 10 == 4, "bad \"byte\" in\n" + index));
  }

  @Test
  @ExpectedLog("SKIP")
  void shouldLeaveOutNextTimeWhatFailedThisTime() throws IOException {
    Path file = directory.resolve("quarantine.jsonl");
    try (DataLoader<Long> loader =
        DataLoader.builder(failing())
            .batchSize(7)
            .shuffle(true)
            .errorPolicy(ErrorPolicy.skip())
            .build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        loader.forEach(Batch::close);
      }
      assertThat(loader.stats().tolerated()).isEqualTo(6);
      loader.quarantine().save(file);
    }
    Quarantine quarantine = Quarantine.load(file);
    assertThat(quarantine.indices()).containsExactly(4, 14, 24);
    assertThat(quarantine.entries().get(1))
        .isEqualTo(
            new Quarantine.Entry(14, "index 14", "java.io.IOException: bad \"byte\" in\n14"));
    try (DataLoader<Long> loader =
        DataLoader.builder(failing().without(quarantine)).batchSize(30).build()) {
      assertThat(Samples.next(loader.iterator(), 1))
          .hasSize(27)
          .doesNotContain(4L, 14L, 24L)
          .isSorted();
    }
  }

  @Test
  void shouldRefuseAListOfAnotherDataset() {
    Quarantine quarantine = new Quarantine(List.of(new Quarantine.Entry(7, "a.jpg", "why")));
    Refusals.assertRefused(
        () -> Dataset.of(7, index -> index).without(quarantine), "excludes index 7", "7 samples");
  }

  @Test
  @ExpectedLog("SKIP")
  void shouldRefuseAListWhoseSamplesAreOthersHere() {
    Dataset<Long> part = failing().subset(new long[] {5, 14, 6});
    Quarantine quarantine;
    try (DataLoader<Long> loader =
        DataLoader.builder(part).errorPolicy(ErrorPolicy.skip()).build()) {
      loader.forEach(Batch::close);
      quarantine = loader.quarantine();
    }
    assertThat(part.without(quarantine).size()).isEqualTo(2);
    Refusals.assertRefused(
        () -> failing().without(quarantine),
        "'index 14 of Dataset.of(30)' at index 1",
        "Dataset.of(30) has 'index 1' there");
    // The same file, seen from another directory.
    Dataset<Long> moved = described("/mnt/a.jpg");
    Quarantine list = new Quarantine(List.of(new Quarantine.Entry(0, "data\\a.jpg", "why")));
    assertThat(moved.without(list).size()).isZero();
    Refusals.assertThrown(
        Exception.class, () -> described("/mnt/b.jpg").without(list), "data\\a.jpg", "/mnt/b.jpg");
  }

  private static Dataset<Long> described(String description) {
    return Samples.described(Dataset.of(1, index -> index), index -> description);
  }
}
