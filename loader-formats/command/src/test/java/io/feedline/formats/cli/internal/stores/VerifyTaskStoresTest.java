package io.feedline.formats.cli.internal.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.cli.CommandFixture;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ListedStores;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.PackingJob.CommittedTask;
import io.feedline.formats.store.PackingJob.Mode;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.files.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code verify} over stores that many tasks have written, and what they have left. */
class VerifyTaskStoresTest extends CommandFixture {

  @SuppressWarnings("unused") // by FieldSource
  static final List<String> FORMATS = ListedStores.FORMATS;

  private Path store;

  @BeforeEach
  void nameStore(@TempDir Path directory) {
    store = directory.resolve("store");
  }

  private static Packing packing() {
    return Packing.of(ListedStores.CLASSES, 0).withShardBytes(4500);
  }

  private static PackingJob begin(Path target, StoreFormat format) throws IOException {
    return PackingJob.begin(target, format, packing(), Map.of(), Mode.CREATE);
  }

  private static List<PackedShard> write(Path target, StoreFormat format, PackingJob job, int task)
      throws IOException {
    try (TaskWriter writer =
        PackingJob.openTask(target, format, packing(), Map.of(), job.id(), task, 7 + task)) {
      for (int i = 0; i < 3; i++) {
        EncodedImage image = ListedStores.image(3 * task + i);
        writer.write(image, Map.of());
      }
      return writer.commit();
    }
  }

  private static void make(Path target, String name) throws IOException {
    StoreFormat format = StoreFormat.named(name);
    PackingJob job = begin(target, format);
    List<CommittedTask> tasks = new ArrayList<>();
    for (int task = 0; task < 3; task++) {
      tasks.add(new CommittedTask(task, 7 + task, write(target, format, job, task)));
    }
    job.commit(tasks);
  }

  /** Makes the leftovers of a killed job, and returns the path of its directory below the store. */
  private static String leave(Path target) throws IOException {
    StoreFormat format = StoreFormat.named("webdataset");
    PackingJob job = begin(target, format);
    assertThat(write(target, format, job, 0)).isNotEmpty();
    return job.id();
  }

  private List<Path> shards() throws IOException {
    try (var files = Files.walk(store)) {
      return files
          .filter(file -> file.getParent().getFileName().toString().contains("-"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldNameAllShardsThatAreNotAsTheIndexSays(String format) throws IOException {
    Path sound = store.resolveSibling("sound");
    make(sound, format);
    assertThat(ok("verify", sound)).contains(format, "9 images", "all can be read and decoded");

    make(store, format);
    List<Path> shards = shards();
    byte[] first = Files.readAllBytes(shards.get(0));
    first[first.length / 2] ^= 1;
    Files.write(shards.get(0), first);
    long size = Files.size(shards.get(1));
    Files.write(shards.get(1), new byte[(int) size - 1]);
    Path last = shards.get(shards.size() - 1);
    Files.delete(last);

    assertThat(fails(ExitCode.FAILED, "verify", store))
        .contains("3 of %d shards are not as the index says".formatted(shards.size()))
        .containsIgnoringCase(shards.get(0) + ": its sha")
        .contains(" is " + Sha256.of(first) + ", the ")
        .contains(shards.get(1).toString(), (size - 1) + " bytes", "says " + size)
        .contains(last + ": there is no such file");
  }

  @Test
  void shouldSweepWhatAKilledJobHasLeftBesideAStore() throws IOException {
    String left = leave(store);
    make(store.resolveSibling("made"), "tfrecord");
    try (var files = Files.list(store.resolveSibling("made"))) {
      for (Path each : files.toList()) {
        Files.move(each, store.resolve(each.getFileName().toString()));
      }
    }

    assertThat(ok("verify", store, "--sweep"))
        .contains("left " + left + ", which was written to in the last 24 h", "--older-than 0s")
        .contains("tfrecord, 9 images");
    assertThat(store.resolve(left)).isDirectory();

    assertThat(json("verify", store, "--sweep --older-than 0s"))
        .containsEntry("images", 9L)
        .containsEntry("format", "tfrecord");
    assertThat(result().get("swept"))
        .isEqualTo(Map.of("deleted", List.of(left), "recent", List.of()));
    assertThat(store.resolve(left)).doesNotExist();

    assertThat(ok("verify", store, "--sweep")).contains("no job has left anything");
    assertThat(json("verify", store)).doesNotContainKey("swept");
  }

  @Test
  void shouldSweepWhereThereIsNoStoreYet() throws IOException {
    String left = leave(store);

    fails(ExitCode.FAILED, "verify", store);
    assertThat(json("verify", store, "--sweep --older-than 12h"))
        .isEqualTo(
            Map.of(
                "path",
                store.toString(),
                "swept",
                Map.of("deleted", List.of(), "recent", List.of(left))));

    assertThat(ok("verify", store, "--sweep --older-than 0s"))
        .contains("deleted " + left, store + ": there is no store");
    assertThat(store.resolve(left)).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--older-than 1h", "--sweep --older-than 1", "--sweep --older-than yesterday"})
  void shouldRefuseATimeThatIsNone(String options) {
    fails(ExitCode.USAGE, "verify", store, options);
  }
}
