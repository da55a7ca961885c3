package io.feedline.formats.store.internal.files;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
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
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.jobs.JobFormat;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.internal.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of every format that tasks write, at every place: the store is whole or absent, and
 * has each sample once.
 */
public abstract class PackingJobContract {

  private static final List<String> CLASSES = List.of("ant", "bee", "cow");

  @TempDir protected Path disk;

  private final Map<Integer, EncodedImage> images = new HashMap<>();

  protected abstract StoreFormat format();

  /** Returns the place of the store: a directory that does not exist at first. */
  protected abstract Path target() throws IOException;

  /** Changes {@link #target} to another directory that does not exist. */
  protected abstract void moveElsewhere() throws IOException;

  /** All files at the place, below the target, with slashes. */
  protected abstract Map<String, byte[]> files() throws IOException;

  protected abstract void lose(String file) throws IOException;

  protected abstract void put(String file, byte[] bytes) throws IOException;

  /** A packing with small shards, so that a task has several. */
  protected static Packing packing() {
    return Packing.of(CLASSES, 0).withShardBytes(4500);
  }

  protected final EncodedImage image(int number) {
    return images.computeIfAbsent(
        number,
        n -> {
          byte[] jpeg = Fixtures.bytes("jpeg_444.jpg");
          // Behind its end marker a JPEG may have anything.
          byte[] longer = Arrays.copyOf(jpeg, jpeg.length + 1 + n % 3);
          longer[longer.length - 1] = n.byteValue();
          return new EncodedImage("%04d".formatted(n), longer, n % 3, "jpg");
        });
  }

  protected final PackingJob begin(Mode mode) throws IOException {
    return begin(mode, packing());
  }

  private PackingJob begin(Mode mode, Packing packing) throws IOException {
    return PackingJob.begin(target(), format(), packing, Map.of(), mode);
  }

  protected final TaskWriter open(PackingJob job, int task, long attempt) throws IOException {
    return PackingJob.openTask(target(), format(), packing(), Map.of(), job.id(), task, attempt);
  }

  protected final CommittedTask task(PackingJob job, int task, long attempt, int from, int to)
      throws IOException {
    try (TaskWriter writer = open(job, task, attempt)) {
      for (int i = from; i < to; i++) {
        writer.write(image(i), Map.of());
      }
      List<PackedShard> shards = writer.commit();
      assertThat(writer.shards()).isEqualTo(shards);
      return new CommittedTask(task, attempt, shards);
    }
  }

  private void commit(Mode mode, int from, int to) throws IOException {
    PackingJob job = begin(mode);
    job.commit(List.of(task(job, 0, 0, from, to)));
  }

  private void requireOnly(List<Integer> numbers) throws IOException {
    requireStore(numbers);
    requireNothingBesideTheStore();
  }

  /** Checks that the store has just these images, in this order. */
  protected final void requireStore(Integer... numbers) throws IOException {
    requireStore(List.of(numbers));
  }

  private void requireStore(List<Integer> numbers) throws IOException {
    assertThat(stored()).isEqualTo(numbers);
  }

  protected final List<Integer> stored() throws IOException {
    List<Integer> numbers = new ArrayList<>();
    try (ImageStore read = format().open(target(), StoreOptions.NONE)) {
      assertThat(read.classes()).isEqualTo(CLASSES);
      for (int i = 0; i < read.size(); i++) {
        EncodedImage found = read.read(i);
        int number = Integer.parseInt(found.key());
        assertThat(found.bytes()).isEqualTo(image(number).bytes());
        assertThat(found.label()).isEqualTo(image(number).label());
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  /** The index, and which files there should be beside it. */
  protected final void requireNothingBesideTheStore() throws IOException {
    Map<String, byte[]> files = files();
    List<String> listed = new ArrayList<>();
    for (String name : JobFormat.INDEXES) {
      if (files.containsKey(name)) {
        listed.add(name);
        collect(Json.readValue(new String(files.get(name), UTF_8)), listed);
      }
    }
    // Files that a reader keeps beside a shard are deleted with it.
    files
        .keySet()
        .removeIf(
            name ->
                listed.stream()
                    .anyMatch(
                        shard ->
                            name.matches(
                                shard.replaceFirst("[^/]+$", "[.]$0")
                                    + "[.](feedline-index|tfindex)")));
    assertThat(files.keySet()).containsExactlyInAnyOrderElementsOf(listed);
  }

  private static void collect(Object json, List<String> paths) {
    if (json instanceof Map<?, ?> object) {
      object.values().forEach(value -> collect(value, paths));
    } else if (json instanceof List<?> list) {
      list.forEach(value -> collect(value, paths));
    } else if (json instanceof String text && JobNames.directory(text) != null) {
      paths.add(text);
    }
  }

  @Test
  void shouldPutTasksInTheOrderOfTheirNumbersWhateverThatOfTheirMessages() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    CommittedTask last = task(job, 12, 40, 5, 9);
    CommittedTask first = task(job, 0, 41, 0, 3);
    CommittedTask second = task(job, 3, 7, 3, 5);
    assertThat(last.shards()).hasSizeGreaterThan(1);

    job.commit(List.of(second, last, first));

    requireOnly(numbers(0, 9));
  }

  @Test
  void shouldWriteTheBytesThatOneWriterWrites() throws Exception {
    Path alone = disk.resolve("alone");
    try (StoreWriter<EncodedImage> writer = format().create(alone, packing())) {
      for (int i = 0; i < 7; i++) {
        writer.write(image(i));
      }
      writer.commit();
    }
    List<byte[]> expected = new ArrayList<>();
    try (var shards = Files.list(alone)) {
      for (Path shard : shards.sorted().toList()) {
        if (!shard.toString().endsWith(".json")) {
          expected.add(Files.readAllBytes(shard));
        }
      }
    }

    PackingJob job = begin(Mode.CREATE);
    CommittedTask task = task(job, 0, 0, 0, 7);
    job.commit(List.of(task));

    assertThat(expected).hasSizeGreaterThan(1);
    Map<String, byte[]> files = files();
    List<byte[]> found = new ArrayList<>();
    for (PackedShard shard : task.shards()) {
      byte[] bytes = files.get(job.id() + "/00000-0/" + shard.path());
      assertThat(shard.bytes()).isEqualTo(bytes.length);
      assertThat(shard.sha256()).isEqualTo(Sha256.of(bytes));
      found.add(bytes);
    }
    assertThat(found.toArray(byte[][]::new)).isDeepEqualTo(expected.toArray(byte[][]::new));
    assertThat(task.shards().stream().mapToLong(PackedShard::samples).sum()).isEqualTo(7);
  }

  @Test
  void shouldKeepOneOfTwoAttemptsThatRunAtOnce() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    CommittedTask kept;
    try (TaskWriter one = open(job, 0, 0);
        TaskWriter other = open(job, 0, 1)) {
      for (int i = 0; i < 5; i++) {
        one.write(image(i), Map.of());
        other.write(image(i), Map.of());
      }
      assertThat(one.commit()).isNotEmpty();
      kept = new CommittedTask(0, 1, other.commit());
    }
    TaskWriter abandoned = open(job, 1, 2);
    abandoned.write(image(5), Map.of());

    job.commit(List.of(kept));

    requireStore(numbers(0, 5));
    abandoned.close();
    requireNothingBesideTheStore();
  }

  @Test
  void shouldCommitTasksWithoutSamplesAndJobsWithoutTasks() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    CommittedTask empty = task(job, 0, 0, 0, 0);
    assertThat(empty.shards()).isEmpty();
    assertThat(files()).isEmpty();
    job.commit(List.of(empty, task(job, 1, 0, 0, 2)));
    requireStore(0, 1);

    begin(Mode.REPLACE).commit(List.of());

    try (ImageStore read = format().open(target(), StoreOptions.NONE)) {
      assertThat(read.size()).isZero();
    }
    requireNothingBesideTheStore();
  }

  @Test
  void shouldLeaveNothingOfATaskThatIsClosedBeforeItsCommit() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    TaskWriter writer = open(job, 0, 0);
    for (int i = 0; i < 5; i++) {
      writer.write(image(i), Map.of());
    }
    assertThat(writer.shards()).isNotEmpty();
    writer.close();
    writer.close();

    assertThat(files()).isEmpty();
    refused(IllegalStateException.class, () -> writer.write(image(0), Map.of()), "closed");
    assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    try (TaskWriter done = open(job, 0, 1)) {
      done.write(image(0), Map.of());
      assertThat(done.commit()).hasSize(1);
      refused(IllegalStateException.class, () -> done.write(image(1), Map.of()), "committed");
    }
    assertThat(files()).hasSize(1);
  }

  @Test
  void shouldRefuseASampleThatTheFormatCannotHoldAndGoOn() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    EncodedImage wrong = new EncodedImage("odd", image(0).bytes(), 3, "jpg");
    List<CommittedTask> tasks = new ArrayList<>();
    for (int task = 0; task < 2; task++) {
      try (TaskWriter writer = open(job, task, 0)) {
        refused(FormatException.class, () -> writer.write(wrong, Map.of()), "odd", "3");
        for (int i = 0; i < 2 * task; i++) {
          writer.write(image(i), Map.of());
        }
        tasks.add(new CommittedTask(task, 0, writer.commit()));
      }
    }
    assertThat(tasks.get(0).shards()).isEmpty();

    job.commit(tasks);

    requireOnly(List.of(0, 1));
  }

  @Test
  void shouldRefuseAnAttemptThatWasBegunBeforeAndTwoOfOneTask() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    CommittedTask task = task(job, 0, 0, 0, 2);
    try (TaskWriter again = open(job, 0, 0)) {
      assertThatThrownBy(() -> again.write(image(0), Map.of()))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContainingAll(job.id() + "/00000-0", "number of its own");
    }

    CommittedTask other = task(job, 0, 1, 0, 1);
    assertThatThrownBy(() -> job.commit(List.of(task, other)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("task 0", "attempts 0 and 1");
    job.commit(List.of(task));
    requireStore(0, 1);
  }

  @Test
  void shouldCommitNothingWhereAShardIsLostOrCutOff() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    CommittedTask task = task(job, 4, 2, 0, 7);
    PackedShard second = task.shards().get(1);
    String path = job.id() + "/00004-2/" + second.path();
    lose(path);
    assertThatThrownBy(() -> job.commit(List.of(task)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(path, "%d bytes".formatted(second.bytes()), "missing");
    put(path, new byte[7]);
    refused(IOException.class, () -> job.commit(List.of(task)), path, "it has 7");

    assertThatThrownBy(() -> format().open(target(), StoreOptions.NONE))
        .isInstanceOf(IOException.class);
    job.abort();
    assertThat(files()).isEmpty();
  }

  @Test
  void shouldDeleteWhatAJobHasWrittenThatIsAborted() throws IOException {
    PackingJob first = begin(Mode.CREATE);
    first.commit(List.of(task(first, 0, 0, 0, 3)));
    Map<String, byte[]> before = files();
    PackingJob job = begin(Mode.REPLACE);
    CommittedTask task = task(job, 0, 0, 3, 7);
    assertThat(files().keySet()).hasSizeGreaterThan(before.size());

    job.abort();
    job.abort();

    assertThat(files().keySet()).isEqualTo(before.keySet());
    requireStore(0, 1, 2);
    refused(IllegalStateException.class, () -> job.commit(List.of(task)), "ABORTED");
    refused(IllegalStateException.class, first::abort, "committed");
  }

  @Test
  void shouldCreateNothingWhereThereIsSomething() throws IOException {
    put("notes.txt", new byte[] {1});
    for (Mode mode : Mode.values()) {
      refused(FileAlreadyExistsException.class, () -> begin(mode), "notes.txt", format().name());
    }
    assertThat(files()).containsOnlyKeys("notes.txt");
    lose("notes.txt");
    commit(Mode.CREATE, 0, 2);

    refused(FileAlreadyExistsException.class, () -> begin(Mode.CREATE), "there is a store already");
    requireStore(0, 1);
  }

  @Test
  void shouldLetTheFirstOfTwoJobsCreateTheStore() throws IOException {
    PackingJob one = begin(Mode.CREATE);
    PackingJob other = begin(Mode.CREATE);
    CommittedTask ofOne = task(one, 0, 0, 0, 3);
    CommittedTask ofOther = task(other, 0, 0, 3, 6);

    other.commit(List.of(ofOther));
    assertThatThrownBy(() -> one.commit(List.of(ofOne)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("another job has committed");

    requireOnly(List.of(3, 4, 5));
  }

  @Test
  void shouldNotPutAnIndexBesideThatOfAnotherFormat() throws IOException {
    String other = format().name().equals("mds") ? "shards.json" : "index.json";
    PackingJob job = begin(Mode.REPLACE);
    CommittedTask task = task(job, 0, 0, 0, 3);
    put(other, "{}".getBytes(UTF_8));

    refused(
        FileAlreadyExistsException.class, () -> job.commit(List.of(task)), other, "another format");
    job.abort();
    assertThat(files()).containsOnlyKeys(other);
  }

  @Test
  void shouldReplaceAStoreWithAnother() throws IOException {
    PackingJob first = begin(Mode.REPLACE);
    first.commit(List.of(task(first, 0, 0, 0, 3), task(first, 1, 0, 3, 5)));
    put("README.md", new byte[] {1});
    PackingJob second = begin(Mode.REPLACE);
    CommittedTask task = task(second, 0, 0, 5, 9);
    requireStore(numbers(0, 5));

    second.commit(List.of(task));

    requireStore(numbers(5, 9));
    lose("README.md");
    requireNothingBesideTheStore();
  }

  @Test
  void shouldKeepWhatTheLastOfTwoJobsHasPutInPlaceOfTheOther() throws IOException {
    commit(Mode.CREATE, 0, 3);
    PackingJob one = begin(Mode.REPLACE);
    PackingJob other = begin(Mode.REPLACE);
    CommittedTask ofOne = task(one, 0, 0, 3, 6);
    CommittedTask ofOther = task(other, 0, 0, 6, 9);

    other.commit(List.of(ofOther));
    one.commit(List.of(ofOne));

    requireOnly(List.of(3, 4, 5));
  }

  @Test
  void shouldAppendBehindWhatThereIs() throws IOException {
    PackingJob first = begin(Mode.APPEND);
    first.commit(List.of(task(first, 1, 0, 0, 3)));
    PackingJob one = begin(Mode.APPEND);
    PackingJob other = begin(Mode.APPEND);
    CommittedTask ofOne = task(one, 0, 0, 3, 6);
    CommittedTask ofOther = task(other, 0, 0, 6, 8);

    one.commit(List.of(ofOne));
    other.commit(List.of(ofOther));

    requireOnly(numbers(0, 8));
  }

  @Test
  void shouldAppendOnlyWhatIsAlike() throws IOException {
    commit(Mode.CREATE, 0, 3);

    assertThatThrownBy(
            () -> begin(Mode.APPEND, Packing.of(List.of("ant", "bee"), 0).withShardBytes(4500)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("classes", "[ant, bee, cow]", "[ant, bee]");
    assertThatThrownBy(
            () ->
                PackingJob.begin(
                    target(), format(), packing(), Map.of("caption", FieldType.TEXT), Mode.APPEND))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("fields", "caption");
    PackingJob job = begin(Mode.APPEND);
    CommittedTask task = task(job, 0, 0, 3, 4);
    PackingJob other = begin(Mode.REPLACE, Packing.of(List.of("dog"), 0));
    other.commit(List.of());
    assertThatThrownBy(() -> job.commit(List.of(task)))
        .as("replaced between begin and commit")
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("classes", "[dog]");
    job.abort();
    requireNothingBesideTheStore();
  }

  @Test
  void shouldRefuseWhatTasksCannotDo() {
    assertThatThrownBy(() -> begin(Mode.CREATE, Packing.of(CLASSES, 9).withShards(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("shards", "3", "--shard-size");
    assertThatThrownBy(
            () ->
                begin(
                    Mode.CREATE,
                    packing().withOptions(StoreOptions.NONE.with("color-of-the-sky", "blue"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(format().name(), "color-of-the-sky");
    for (String name : List.of("image", "key", "label", "")) {
      assertThatThrownBy(
              () ->
                  PackingJob.begin(
                      target(), format(), packing(), Map.of(name, FieldType.TEXT), Mode.CREATE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(format().name(), "'" + name + "'");
    }
    assertThatThrownBy(
            () ->
                PackingJob.openTask(target(), format(), packing(), Map.of(), "../elsewhere", 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("../elsewhere");
  }

  @Test
  void shouldRefuseFieldsOfAnotherNameOrType() throws IOException {
    Map<String, FieldType> fields = Map.of("width", FieldType.INTEGER, "text", FieldType.TEXT);
    PackingJob job = PackingJob.begin(target(), format(), packing(), fields, Mode.CREATE);
    try (TaskWriter writer =
        PackingJob.openTask(target(), format(), packing(), fields, job.id(), 0, 0)) {
      assertThatThrownBy(() -> writer.write(image(7), Map.of("height", 3L)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("image 0007", "'height'", "[text, width]");
      assertThatThrownBy(() -> writer.write(image(7), Map.of("width", 3)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("image 0007", "'width'", "Long", "Integer");
      assertThatThrownBy(() -> writer.write(image(7), Map.of("text", "\uD83D", "width", 3L)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("image 0007", "'text'", "surrogate");
      assertThat(writer.commit()).isEmpty();
    }
  }

  /**
   * A job of one task, of which another attempt has failed before, in place of or behind a store of
   * images 0 to 2.
   */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void shouldBeWholeOrAsItWasAfterAKillAtAnyStep(Mode mode) throws Exception {
    if (mode != Mode.CREATE) {
      commit(mode, 0, 3);
    }
    List<Integer> before = mode == Mode.CREATE ? null : numbers(0, 3);
    List<Integer> after = numbers(mode == Mode.APPEND ? 0 : 3, 6);
    List<Map<String, byte[]>> kills = new ArrayList<>();
    kills.add(files());
    try (AutoCloseable observation = CrashPoints.observe(() -> kills.add(filesUnchecked()))) {
      assertThat(observation).isNotNull();
      PackingJob job = begin(mode);
      try (TaskWriter failing = open(job, 0, 0)) {
        failing.write(image(3), Map.of());
      }
      CommittedTask kept = task(job, 0, 2, 3, 6);
      TaskWriter slow = open(job, 0, 1);
      slow.write(image(3), Map.of());
      job.commit(List.of(kept));
    }
    kills.add(files());
    assertThat(kills.size()).isGreaterThan(4);

    boolean committed = false;
    for (Map<String, byte[]> killed : kills) {
      moveElsewhere();
      for (Map.Entry<String, byte[]> file : killed.entrySet()) {
        put(file.getKey(), file.getValue());
      }
      List<Integer> found = hasIndex(killed) ? stored() : null;
      if (found == null) {
        assertThatThrownBy(() -> ImageDataset.open(target())).isInstanceOf(IOException.class);
      }
      assertThat(found).isEqualTo(committed || after.equals(found) ? after : before);
      committed = after.equals(found);

      PackingJob next = begin(Mode.REPLACE);
      next.abandonedAfter(Duration.ZERO);
      next.commit(List.of(task(next, 0, 0, 7, 8)));
      requireOnly(List.of(7));
    }
    assertThat(committed).isTrue();
  }

  private static boolean hasIndex(Map<String, byte[]> files) {
    return JobFormat.INDEXES.stream().anyMatch(files::containsKey);
  }

  private Map<String, byte[]> filesUnchecked() {
    try {
      return files();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void shouldSweepWhatKilledJobsHaveLeft() throws IOException {
    PackingJob killed = begin(Mode.CREATE);
    CommittedTask lost = task(killed, 0, 0, 0, 3);
    assertThat(lost.shards()).isNotEmpty();
    PackingJob job = begin(Mode.CREATE);
    CommittedTask task = task(job, 0, 0, 3, 5);
    job.commit(List.of(task));
    CommittedTask late = task(job, 0, 1, 3, 5);
    assertThat(late.shards()).isNotEmpty();
    put("job-mine/x", new byte[] {1});

    PackingJob.Swept young = PackingJob.sweep(target(), Duration.ofDays(1));
    assertThat(young.deleted()).isEmpty();
    assertThat(young.recent()).containsExactlyInAnyOrder(killed.id(), job.id() + "/00000-1");
    PackingJob.Swept swept = PackingJob.sweep(target(), Duration.ZERO);
    assertThat(swept.deleted()).containsExactlyInAnyOrder(killed.id(), job.id() + "/00000-1");
    assertThat(swept.recent()).isEmpty();

    lose("job-mine/x");
    requireOnly(List.of(3, 4));
  }

  @Test
  void shouldSweepOnlyWhatJobsWrite() throws IOException {
    PackingJob killed = begin(Mode.CREATE);
    CommittedTask lost = task(killed, 0, 0, 0, 3);
    assertThat(lost.shards()).isNotEmpty();
    List<String> foreign =
        List.of(
            killed.id() + "/notes.txt",
            killed.id() + "/00000-0/labels.csv",
            killed.id() + "/00000-0/deeper/data-000000.tar",
            killed.id() + "/mine/data-000000.tar",
            "job-20200101T000000Z-abcdefgh/notes.txt",
            "job-20200101T000000Z-bbcdefgh/00000-0/labels.csv");
    for (String file : foreign) {
      put(file, new byte[] {1});
    }

    PackingJob.Swept swept = PackingJob.sweep(target(), Duration.ZERO);

    assertThat(swept.deleted()).containsExactly(killed.id());
    assertThat(files().keySet()).containsExactlyInAnyOrderElementsOf(foreign);
    assertThat(PackingJob.sweep(target(), Duration.ZERO).deleted()).isEmpty();
    for (String file : foreign) {
      lose(file);
    }
  }

  @Test
  void shouldSweepWithTheNextCommitWhatIsAbandoned() throws IOException {
    PackingJob killed = begin(Mode.CREATE);
    CommittedTask lost = task(killed, 0, 0, 0, 3);
    commit(Mode.CREATE, 3, 5);
    assertThat(files().keySet()).anyMatch(name -> name.startsWith(killed.id()));
    PackingJob job = begin(Mode.APPEND);
    job.abandonedAfter(Duration.ZERO);
    job.commit(List.of(task(job, 0, 0, 5, 6)));

    requireOnly(List.of(3, 4, 5));
    assertThatThrownBy(() -> killed.commit(List.of(lost)))
        .as("it is not dead, but its shards are")
        .isInstanceOf(IOException.class);
  }
}
