package io.feedline.formats.store;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Quarantine;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.store.internal.files.CrashPoints;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public abstract class StoreWriterContract {

  private static final List<String> CLASSES = List.of("ant", "bee", "cow");

  @TempDir private Path directory;
  private Path target;
  private List<EncodedImage> images;

  protected abstract StoreFormat format();

  @BeforeEach
  void makeImages() {
    target = directory.resolve("there");
    images = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      byte[] bytes = Fixtures.bytes(i % 3 == 2 ? "jpeg_grey.jpg" : "jpeg_444.jpg");
      String name = CLASSES.get(i / 3) + "/" + i;
      images.add(new EncodedImage(name, bytes, i / 3, "jpg"));
    }
  }

  private Packing packing() {
    return Packing.of(CLASSES, images.size()).withSource(Map.of("source", "seven images"));
  }

  /** Small shards where the format has shards, so that there are several. */
  private Packing sharded() throws IOException {
    if (isPossible(packing().withShards(3))) {
      return packing().withShards(3);
    }
    Packing bySize = packing().withShardBytes(4000);
    return isPossible(bySize) ? bySize : packing();
  }

  private boolean isPossible(Packing packing) throws IOException {
    try (StoreWriter<EncodedImage> writer = format().create(directory.resolve("trial"), packing)) {
      return writer.written() == 0;
    } catch (IllegalArgumentException noShards) {
      return false;
    } finally {
      Trees.delete(directory, "trial");
    }
  }

  private StoreWriter<EncodedImage> open() throws IOException {
    return format().create(target, packing());
  }

  private void write(StoreWriter<EncodedImage> writer, int to) throws IOException {
    for (int i = Math.toIntExact(writer.written()); i < to; i++) {
      writer.write(images.get(i));
      assertThat(writer.written()).isEqualTo(i + 1);
    }
  }

  private void writeAll(Path output, Packing packing) throws IOException {
    try (StoreWriter<EncodedImage> writer = format().create(output, packing)) {
      write(writer, images.size());
      writer.commit();
    }
  }

  private void requireReadable(Path store) throws IOException {
    assertThat(StoreFormat.of(store).name()).isEqualTo(format().name());
    try (ImageStore read = format().open(store, StoreOptions.NONE)) {
      assertThat(read.size()).isEqualTo(images.size());
      assertThat(read.classes()).isEqualTo(CLASSES);
      for (int i = 0; i < images.size(); i++) {
        assertThat(read.read(i).bytes()).isEqualTo(images.get(i).bytes());
        assertThat(read.read(i).label()).isEqualTo(images.get(i).label());
      }
    }
  }

  private void requireAll(Path store) throws IOException {
    requireReadable(store);
    try (var inside = Files.walk(store)) {
      assertThat(inside)
          .as("what lies in the output")
          .map(file -> file.getFileName().toString())
          .filteredOn(name -> !name.matches("[.].*[.](feedline-index|tfindex)"))
          .noneMatch(name -> name.matches("\\..*|.*partial.*"));
    }
    try (var beside = Files.list(store.toAbsolutePath().getParent())) {
      assertThat(beside).as("what lies beside the output").containsExactly(store);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Place.class, mode = EnumSource.Mode.EXCLUDE, names = "DISK")
  void shouldRefuseAnotherFileSystemAndLeaveNothingThere(Place place) throws IOException {
    try (FileSystem files = place.open(directory)) {
      Path root = place.directory(files, directory);
      Path there = root.resolve("there");

      assertThatThrownBy(() -> format().create(there, packing()))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContainingAll(
              there.toUri().toString(),
              "'%s'".formatted(files.provider().getScheme()),
              "Write to a local path");

      try (var inside = Files.list(root)) {
        assertThat(inside).isEmpty();
      }
    }
  }

  @Test
  void shouldReadBackWhatWasWritten() throws IOException {
    try (StoreWriter<EncodedImage> writer = open()) {
      write(writer, 7);
      assertThat(target).doesNotExist();
      writer.commit();
      assertThat(writer.written()).isEqualTo(7);
    }

    requireAll(target);
  }

  /** A format that has no shards may begin anew. */
  @Test
  void shouldGoOnBehindItsLastWholeShardWhereItWasClosed() throws IOException {
    Packing packing = sharded();
    for (int stop : new int[] {0, 1, 1, 4, 6}) {
      try (StoreWriter<EncodedImage> writer = format().create(target, packing)) {
        write(writer, stop);
      }
      assertThat(target).doesNotExist();
    }
    try (StoreWriter<EncodedImage> writer = format().create(target, packing)) {
      assertThat(writer.written()).isBetween(hasShards(packing) ? 1L : 0L, 6L);
      write(writer, 7);
      writer.commit();
    }

    requireAll(target);
  }

  private static boolean hasShards(Packing packing) {
    return packing.shards().isPresent() || packing.shardBytes().isPresent();
  }

  @Test
  void shouldGoOnAfterAKillAtAnyStep() throws Exception {
    Packing packing = sharded();
    Path output = Files.createDirectories(directory.resolve("work")).resolve("out");
    List<Path> kills =
        killsOf(
            output,
            packing,
            (writer, step) -> {
              for (EncodedImage image : images) {
                writer.write(image);
                step.run();
              }
            });
    requireAll(output);

    assertThat(kills).hasSizeGreaterThan(9);
    for (Path each : kills) {
      Path interrupted = each.resolve("out");
      if (Files.exists(interrupted)) {
        // The name was the last step but for tidying up, which the next attempt does.
        assertThatThrownBy(() -> format().create(interrupted, packing))
            .isInstanceOf(FileAlreadyExistsException.class);
      } else {
        tearWhatNoCheckpointTellsOf(each);
        writeAll(interrupted, packing);
      }
      requireAll(interrupted);
      if (!format().name().equals("lmdb")) {
        // Where a database has its pages depends on how often it was written to the disk.
        assertThat(Trees.files(interrupted)).isEqualTo(Trees.files(output));
      }
    }
  }

  private interface Steps {
    void take(StoreWriter<EncodedImage> writer, Runnable step) throws IOException;
  }

  /** Makes a store, with a copy of what lies there at each step, as a kill would leave it. */
  private List<Path> killsOf(Path output, Packing packing, Steps steps) throws Exception {
    Path killed = Files.createDirectories(directory.resolve("killed"));
    List<Path> kills = new ArrayList<>();
    Runnable snapshot =
        () -> {
          Path copy = killed.resolve(Integer.toString(kills.size()));
          Trees.copy(output.getParent(), copy);
          kills.add(copy);
        };
    try (AutoCloseable observation = CrashPoints.observe(snapshot::run);
        StoreWriter<EncodedImage> writer = format().create(output, packing)) {
      assertThat(observation).isNotNull();
      steps.take(writer, snapshot);
      writer.commit();
      snapshot.run();
    }
    return kills;
  }

  /**
   * Some of the broken files are whole when the run is continued, so that the samples that it had
   * left out behind its last checkpoint must not count any more.
   */
  @Test
  void shouldGoOnBehindWhatItHasLeftOutAfterAKillAtAnyStep() throws Exception {
    Packing packing = sharded();
    Path output = Files.createDirectories(directory.resolve("work")).resolve("out");
    Set<Integer> broken = Set.of(0, 3, 4, 8, 11);
    List<Path> kills = killsOf(output, packing, (writer, step) -> pack(writer, broken, 12, step));
    requireAllBut(output, broken);

    Set<Integer> stillBroken = Set.of(4, 8, 11);
    for (Path each : kills) {
      Path interrupted = each.resolve("out");
      if (Files.exists(interrupted)) {
        continue;
      }
      tearWhatNoCheckpointTellsOf(each);
      try (StoreWriter<EncodedImage> writer = format().create(interrupted, packing)) {
        pack(writer, stillBroken, 10, () -> {});
      }
      Set<Integer> leftOut = new HashSet<>();
      try (StoreWriter<EncodedImage> writer = format().create(interrupted, packing)) {
        pack(writer, stillBroken, 12, () -> {});
        writer.leftOut().entries().forEach(entry -> leftOut.add((int) entry.index()));
        assertThat(writer.leftOut().entries()).hasSameSizeAs(leftOut);
        writer.commit();
      }
      assertThat(leftOut).containsAll(stillBroken).isSubsetOf(broken);
      requireAllBut(interrupted, leftOut);
    }
  }

  private static void pack(
      StoreWriter<EncodedImage> writer, Set<Integer> broken, int to, Runnable step)
      throws IOException {
    long next = writer.written() + writer.leftOut().entries().size();
    for (int i = (int) next; i < to; i++) {
      if (broken.contains(i)) {
        writer.leaveOut(new Quarantine.Entry(i, "sample " + i, "a note"));
      } else {
        writer.write(numbered(i));
      }
      step.run();
    }
  }

  /** An image that no other number has, whose place in its store is that of its number. */
  private static EncodedImage numbered(int number) {
    byte[] jpeg = Fixtures.bytes("jpeg_444.jpg");
    byte[] bytes = Arrays.copyOf(jpeg, jpeg.length + 1);
    bytes[jpeg.length] = (byte) number;
    int label = number / 4;
    String key = "%s/%02d".formatted(CLASSES.get(label), number);
    return new EncodedImage(key, bytes, label, "jpg");
  }

  private void requireAllBut(Path store, Set<Integer> leftOut) throws IOException {
    List<byte[]> found = new ArrayList<>();
    try (ImageStore read = format().open(store, StoreOptions.NONE)) {
      for (int i = 0; i < read.size(); i++) {
        found.add(read.read(i).bytes());
      }
    }
    assertThat(found)
        .containsExactlyElementsOf(
            IntStream.range(0, 12)
                .filter(i -> !leftOut.contains(i))
                .mapToObj(i -> numbered(i).bytes())
                .toList());
  }

  /** A process that is killed leaves a line of the journal that is cut off. */
  private static void tearWhatNoCheckpointTellsOf(Path directory) throws IOException {
    Files.writeString(
        directory.resolve("out.partial.journal"),
        "{\"at\":{\"shard\":0,",
        StandardOpenOption.APPEND);
    if (Files.isDirectory(directory.resolve("out.partial"))) {
      Files.writeString(directory.resolve("out.partial/.classes.json.0a1b2c3d.partial"), "{");
    }
  }

  @Test
  void shouldRefuseASecondWriterAndSayWhoTheFirstIs() throws IOException {
    try (StoreWriter<EncodedImage> writer = open()) {
      write(writer, 2);
      assertThatThrownBy(this::open)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(
              target.toString(),
              "being written by another writer",
              "process " + ProcessHandle.current().pid());
      write(writer, 7);
      writer.commit();
    }

    requireAll(target);
  }

  @Test
  void shouldNotContinueSomethingElseUnlessToldToBeginAnew() throws IOException {
    Packing packing = sharded();
    long kept;
    try (StoreWriter<EncodedImage> writer = format().create(target, packing)) {
      write(writer, 4);
    }
    try (StoreWriter<EncodedImage> writer = format().create(target, packing)) {
      kept = writer.written();
    }
    Packing other =
        Packing.of(List.of(), images.size()).withSource(Map.of("source", "seven other images"));

    assertThatThrownBy(() -> format().create(target, other))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "there.partial",
            "source was seven images, is seven other images",
            "classes",
            "restart");
    try (StoreWriter<EncodedImage> writer = format().create(target, packing)) {
      assertThat(writer.written()).as("what was begun is still there").isEqualTo(kept);
    }
    try (StoreWriter<EncodedImage> writer = format().create(target, other.withRestart(true))) {
      assertThat(writer.written()).isZero();
      write(writer, 7);
      writer.commit();
    }

    try (ImageStore read = format().open(target, StoreOptions.NONE)) {
      assertThat(read.size()).isEqualTo(7);
      assertThat(read.classes())
          .as("names of the run that was thrown away")
          .doesNotContainAnyElementsOf(CLASSES);
    }
  }

  @Test
  void shouldTouchNothingThatIsThereAlready() throws IOException {
    Files.createDirectories(target);
    Path mine = Files.writeString(target.resolve("mine.txt"), "mine");

    refused(FileAlreadyExistsException.class, this::open, target.toString());
    assertThat(mine).hasContent("mine");
    try (var left = Files.list(directory)) {
      assertThat(left).containsExactly(target);
    }
  }

  @Test
  void shouldNameTheOutputWhenTheDiskIsFullAndGoOnWhenItIsNot() throws IOException {
    Path mounted = Files.createDirectories(directory.resolve("disk"));
    int bytes = images.get(0).bytes().length;
    try (SmallDisk disk = SmallDisk.mount(mounted, 4096)) {
      assertThat(disk).isNotNull();
      Path output = mounted.resolve("there");
      Path filler = mounted.resolve("filler");
      List<EncodedImage> many = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        byte[] large = Arrays.copyOf(images.get(0).bytes(), bytes + 40_000);
        many.add(new EncodedImage(CLASSES.get(i / 14) + "/" + i, large, i / 14, "jpg"));
      }
      images = many;
      Files.write(filler, new byte[3 << 20]);
      refused(IOException.class, () -> writeAll(output, packing()), "there.partial");
      assertThat(output).doesNotExist();
      Files.delete(filler);
      writeAll(output, packing());
      requireReadable(output);
    }
  }

  @Test
  void shouldRefuseAClassThatHasNoNameAndGoOn() throws IOException {
    try (StoreWriter<EncodedImage> writer = open()) {
      write(writer, 3);
      EncodedImage wrong = new EncodedImage("odd", images.get(0).bytes(), 3, "jpg");
      refused(IOException.class, () -> writer.write(wrong), "odd", "3");
      write(writer, 7);
      writer.commit();
    }

    requireAll(target);
  }

  @Test
  void shouldEndWithCommitOrClose() throws IOException {
    StoreWriter<EncodedImage> closed = open();
    closed.close();
    closed.close();
    refused(IllegalStateException.class, () -> closed.write(images.get(0)), "closed");
    assertThatThrownBy(closed::commit).isInstanceOf(IllegalStateException.class);

    try (StoreWriter<EncodedImage> writer = open()) {
      write(writer, 7);
      writer.commit();
      refused(IllegalStateException.class, () -> writer.write(images.get(0)), "committed");
      assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    }
    requireAll(target);
  }

  @Test
  void shouldWriteTheSameUnderAnyLocale() throws IOException {
    writeAll(target, packing());
    Path elsewhere = directory.resolve("elsewhere/there");
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      writeAll(elsewhere, sharded());
      assertThat(fingerprint(target)).as("of the same store").isEqualTo(inEnglish(target, before));
    } finally {
      Locale.setDefault(before);
    }
    requireAll(elsewhere);
    try (var files = Files.walk(elsewhere)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .allMatch(name -> name.chars().allMatch(c -> c < 128));
    }
  }

  private String inEnglish(Path store, Locale english) throws IOException {
    Locale now = Locale.getDefault();
    try {
      Locale.setDefault(english);
      return fingerprint(store);
    } finally {
      Locale.setDefault(now);
    }
  }

  private String fingerprint(Path store) throws IOException {
    try (ImageStore read = format().open(store, StoreOptions.NONE)) {
      return read.fingerprint();
    }
  }

  @Test
  void shouldRefuseOptionsThatItDoesNotHave() {
    Packing packing = packing().withOptions(StoreOptions.NONE.with("color-of-the-sky", "blue"));

    assertThatThrownBy(() -> format().create(target, packing))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(format().name(), "color-of-the-sky");
    assertThat(packing.shardBytes()).isEqualTo(OptionalLong.empty());
  }
}
