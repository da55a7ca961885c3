package io.feedline.formats.store.internal.staging;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.internal.files.CrashPoints;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.jobs.LocalStoreDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state after a power cut: which files are on the disk then, and with which content. */
class DurabilityTest {

  private static final String STEP = "step";

  @TempDir Path root;

  /** The files on the disk, as they were when they were put there. */
  private final Map<Path, String> disk = new HashMap<>();

  /** The names of files and directories in the order in which they were forced, and the steps. */
  private final List<String> events = new ArrayList<>();

  /** The disk's answers instead, by the file's name. */
  private final Map<String, String> failures = new HashMap<>();

  private AutoCloseable observation;

  @BeforeEach
  void observe() {
    observation =
        CrashPoints.observe(
            new CrashPoints.Observer() {
              @Override
              public void taken() {
                events.add(STEP);
              }

              @Override
              public void forced(Path path) throws IOException {
                String name = path.getFileName().toString();
                if (failures.containsKey(name)) {
                  throw new IOException(failures.get(name));
                }
                events.add(name);
                if (!Files.isDirectory(path)) {
                  disk.put(path, read(path));
                }
              }
            });
  }

  @AfterEach
  void observeNoMore() throws Exception {
    observation.close();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private StagedOutput open() throws IOException {
    return StagedOutput.open(
        root.resolve("out"), StagedOutput.Kind.DIRECTORY, Map.of("format", "test"), false);
  }

  @Test
  void shouldAskTheSystemToPutAFileOnTheDisk() throws IOException {
    Path file = root.resolve("file");
    FileChannel closed =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    closed.close();

    assertThatThrownBy(() -> WholeFile.force(closed, file))
        .isInstanceOf(ClosedChannelException.class);
    assertThat(events).isEmpty();
  }

  @Test
  void shouldPutAWholeFileOnTheDiskBeforeItHasItsName() throws IOException {
    WholeFile.write(root.resolve("file"), "content".getBytes(UTF_8));

    assertThat(disk.values()).containsExactly("content");
    assertThat(events).hasSize(2).last().isEqualTo(STEP);
    assertThat(events.get(0)).matches(WholeFile::isTemporary);
  }

  @Test
  void shouldPutALineOfTheJournalOnTheDiskWhereThatIsAskedFor() throws IOException {
    try (StagedOutput output = open()) {
      Path journal = LocalStaging.journalOf(output.path());
      String identity = read(journal);
      assertThat(disk).containsEntry(journal, identity);

      output.checkpoint(Map.of("samples", 1L), false);
      assertThat(disk).containsEntry(journal, identity);

      output.checkpoint(Map.of("samples", 2L), true);
      assertThat(disk).containsEntry(journal, read(journal));
      assertThat(read(journal)).startsWith(identity).hasLineCount(3);
    }
  }

  @Test
  void shouldPutAShardOnTheDiskBeforeTheJournalNotesIt() throws IOException {
    try (StagedOutput output = open()) {
      Path first = output.path().resolve("0");
      try (ShardFiles shards = ShardFiles.of(output, i -> shard(output, i))) {
        shards.append("abc".getBytes(UTF_8), "de".getBytes(UTF_8));
        events.clear();
        shards.nextShard("!".getBytes(UTF_8));
        assertThat(events).containsExactly("0", "out.partial.journal", STEP);
        assertThat(disk).containsEntry(first, "abcde!");

        shards.append("f".getBytes(UTF_8));
        events.clear();
      }
      assertThat(events).isEmpty();
    }
  }

  @Test
  void shouldBeginAShardAnewThatWasNotNoted() throws IOException {
    Path journal;
    String whole;
    try (StagedOutput output = open()) {
      journal = LocalStaging.journalOf(output.path());
      try (ShardFiles shards = ShardFiles.of(output, i -> shard(output, i))) {
        shards.append("abc".getBytes(UTF_8));
        shards.nextShard();
        shards.append("defghi".getBytes(UTF_8));
      }
      whole = read(journal);
    }
    Files.writeString(journal, "{\"shard\":{", StandardOpenOption.APPEND);

    try (StagedOutput output = open()) {
      assertThat(read(journal)).isEqualTo(whole);
      try (ShardFiles shards = ShardFiles.of(output, i -> shard(output, i))) {
        assertThat(shards.samples()).isOne();
        shards.append("jk".getBytes(UTF_8));
        shards.end();
      }
      assertThat(read(shard(output, 0))).isEqualTo("abc");
      assertThat(read(shard(output, 1))).isEqualTo("jk");
    }
  }

  /** Its only sample was whole in the run that was interrupted, and is left out in the next one. */
  @Test
  void shouldDeleteAShardThatNoLaterRunHasWritten() throws IOException {
    try (StagedOutput output = open();
        ShardFiles shards = ShardFiles.of(output, i -> shard(output, i))) {
      shards.append("abc".getBytes(UTF_8));
      shards.nextShard();
      shards.append("defghi".getBytes(UTF_8));
    }

    try (StagedOutput output = open();
        ShardFiles shards = ShardFiles.of(output, i -> shard(output, i))) {
      assertThat(shard(output, 1)).exists();
      shards.end();
      shards.keepNames();
      assertThat(shard(output, 0)).exists();
      assertThat(shard(output, 1)).doesNotExist();
    }
  }

  @Test
  void shouldRefuseAShardThatIsNoLongerAsItWasNoted() throws IOException {
    try (StagedOutput output = open();
        ShardFiles shards = ShardFiles.of(output, i -> shard(output, i))) {
      shards.append("abc".getBytes(UTF_8));
      shards.end();
      Files.writeString(shard(output, 0), "ab");

      assertThatThrownBy(shards::keepNames)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(shard(output, 0).toString(), "3 bytes", "it has 2", "restart");
    }
  }

  @Test
  void shouldRefuseAJournalWhoseShardLacksItsSize() throws IOException {
    Path journal;
    try (StagedOutput output = open()) {
      journal = LocalStaging.journalOf(output.path());
    }
    Files.writeString(
        journal, "{\"shard\":{\"name\":\"0\",\"samples\":3}}\n", StandardOpenOption.APPEND);

    refused(IOException.class, this::open, "out.partial", "bytes", "restart");
  }

  private static Path shard(StagedOutput output, int number) {
    return output.path().resolve(Integer.toString(number));
  }

  @Test
  void shouldPutAllOnTheDiskBeforeAnOutputHasItsName() throws IOException {
    try (StagedOutput output = open()) {
      Path journal = LocalStaging.journalOf(output.path());
      events.clear();

      output.publish(7);

      assertThat(events)
          .containsExactly(
              "out.partial",
              "out.partial.journal",
              STEP,
              STEP,
              root.getFileName().toString(),
              STEP);
      assertThat(disk.get(journal)).contains("\"complete\":7");
    }
  }

  @Test
  void shouldGiveAnOutputNoNameIfItsOwnNamesAreNotOnTheDisk() throws IOException {
    failures.put("out.partial", "Input/output error");
    try (StagedOutput output = open()) {
      assertThatThrownBy(() -> output.publish(7))
          .isInstanceOf(IOException.class)
          .hasMessage(output.path() + ": Input/output error");
    }

    assertThat(root.resolve("out")).doesNotExist();
  }

  @Test
  void shouldRaiseThatATasksNamesAreNotOnTheDisk() throws IOException {
    failures.put("job", "No space left on device");
    try (StagedOutput task = StagedOutput.forTask(root.resolve("store/job/0-0"))) {
      assertThatThrownBy(() -> task.publish(0))
          .isInstanceOf(IOException.class)
          .hasMessage(root.resolve("store/job") + ": No space left on device");
    }
  }

  @Test
  void shouldPublishWhereTheFileSystemPutsNoDirectoriesOnTheDisk() throws IOException {
    failures.put("out.partial", "Invalid argument");
    try (StagedOutput output = open()) {
      output.publish(7);
    }

    assertThat(root.resolve("out")).isDirectory();
  }

  @Test
  void shouldPutTheNamesOfATasksShardsOnTheDisk() throws IOException {
    try (StagedOutput task = StagedOutput.forTask(root.resolve("store/job/0-0"))) {
      events.clear();
      task.publish(0);
    }

    assertThat(events).containsExactly("0-0", "job", "store");
  }

  @Test
  void shouldPutAStoresIndexOnTheDiskAndThenItsName() throws IOException {
    Path store = root.resolve("store");

    new LocalStoreDirectory(store).replace("index", "list".getBytes(UTF_8), ObjectOutput.ABSENT);

    assertThat(disk.values()).containsExactly("list");
    assertThat(events).hasSize(4).endsWith(STEP, "store", root.getFileName().toString());
  }

  @Test
  void shouldCountTheBytesOfWholeLinesAlone() {
    String whole = "{\"key\":\"kräftig/語.jpg\"}\n{\"samples\":1}\n";
    for (String torn : new String[] {"", "{", "{\"key\":\"語", "{torn}\n"}) {
      JournalLines lines = JournalLines.of((whole + torn).getBytes(UTF_8));

      assertThat(lines.bytes()).as("before '%s'", torn).isEqualTo(whole.getBytes(UTF_8).length);
      assertThat(lines.isEmpty()).isFalse();
    }
    assertThat(JournalLines.of("{torn".getBytes(UTF_8)).isEmpty()).isTrue();
  }

  @TempDir private Path directory;

  private int taken;

  /** Another writer ends between the opening of the file and its locking, and a third may begin. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLockTheFileThatHasTheName(boolean replaced) throws IOException {
    Path file = directory.resolve("out.lock");
    WriterLock.Taking taking =
        channel -> {
          if (taken++ == 0) {
            Files.delete(file);
            if (replaced) {
              Files.writeString(file, "another writer");
            }
          }
          return channel.tryLock() != null;
        };
    try (WriterLock lock = WriterLock.open(directory.resolve("out"), file, taking)) {
      assertThat(lock).isNotNull();
      assertThat(taken).isEqualTo(2);
      assertThat(file).content().isNotBlank().isNotEqualTo("another writer");
    }
  }
}
