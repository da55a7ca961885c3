package io.feedline.formats.store;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Together;
import io.feedline.data.FormatException;
import io.feedline.formats.store.PackingJob.CommittedTask;
import io.feedline.formats.store.PackingJob.Mode;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.internal.files.PackingJobContract;
import io.feedline.formats.store.internal.shards.JobNames;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("names")
class EveryTaskFormatTest extends PackingJobContract {

  @Parameter private String name;
  private int directories;

  static List<String> names() {
    return StoreFormat.all().stream()
        .filter(StoreFormat::isWritableByTasks)
        .map(StoreFormat::name)
        .toList();
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named(name);
  }

  @Override
  protected Path target() {
    return disk.resolve("target " + directories);
  }

  @Override
  protected void moveElsewhere() {
    directories++;
  }

  @Override
  protected Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    if (!Files.exists(target())) {
      return files;
    }
    try (var all = Files.walk(target())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(
            target().relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
    return files;
  }

  @Override
  protected void lose(String file) throws IOException {
    Files.delete(target().resolve(file));
  }

  @Override
  protected void put(String file, byte[] bytes) throws IOException {
    Files.createDirectories(target().resolve(file).getParent());
    Files.write(target().resolve(file), bytes);
  }

  @Test
  void shouldRefuseAFileInPlaceOfADirectory() throws IOException {
    Files.writeString(target(), "mine");

    refused(IOException.class, () -> begin(Mode.CREATE), target().toString());
    assertThat(target()).hasContent("mine");
  }

  @Test
  void shouldRefuseAFileSystemThatTakesNoFiles() throws IOException {
    try (FileSystem zip = Place.ZIPFS.open(disk)) {
      Path there = zip.getPath("/there");
      assertThatThrownBy(() -> PackingJob.begin(there, format(), packing(), Map.of(), Mode.CREATE))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContainingAll("'jar'", "Write to a local path");
    }
  }

  /** A process is killed while it writes the index. */
  @Test
  void shouldTidyUpBehindOneThatWasKilled() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    CommittedTask task = task(job, 0, 0, 0, 3);
    String index = name.equals("mds") ? "index.json" : "shards.json";
    put("." + index + ".lock", new byte[] {1});
    put("." + index + ".0a1b2c3d.partial", new byte[] {1});
    PackingJob other = begin(Mode.CREATE);
    assertThat(other.id()).isNotEqualTo(job.id());

    job.commit(List.of(task));

    requireStore(0, 1, 2);
    requireNothingBesideTheStore();
  }

  @Test
  void shouldLetManyJobsCommitAtOnce() throws Exception {
    List<PackingJob> jobs = new ArrayList<>();
    List<CommittedTask> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      jobs.add(begin(Mode.APPEND));
      tasks.add(task(jobs.get(i), 0, 0, i, i + 1));
    }
    Together.inEightThreads(
        thread -> {
          jobs.get(thread).commit(List.of(tasks.get(thread)));
          return null;
        });

    assertThat(stored()).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    requireNothingBesideTheStore();
  }

  @Test
  void shouldSweepByWhatWasWrittenLastInAJobOrAnAttempt() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    job.commit(List.of(task(job, 0, 0, 0, 1)));
    Instant old = Instant.now().minus(Duration.ofDays(3));
    Path silent = directory("job-20200101T000000Z-abcdefgh/00000-0", old);
    Path busy = directory("job-20200101T000000Z-bbcdefgh/00000-0", old);
    Path youngest = directory("job-20200101T000000Z-bbcdefgh/00001-0", Instant.now());
    Path young = directory(JobNames.next() + "/00000-0", old);

    PackingJob.Swept swept = PackingJob.sweep(target(), Duration.ofDays(1));

    assertThat(swept.deleted()).containsExactly("job-20200101T000000Z-abcdefgh");
    assertThat(swept.recent())
        .containsExactlyInAnyOrder(
            "job-20200101T000000Z-bbcdefgh", young.getParent().getFileName().toString());
    assertThat(silent).doesNotExist();
    assertThat(busy).exists();
    assertThat(youngest).exists();
    requireStore(0);
    assertThatThrownBy(() -> PackingJob.sweep(target(), Duration.ofDays(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Path directory(String attempt, Instant written) throws IOException {
    put(attempt + "/data-000000.tar", new byte[] {1});
    Path directory = target().resolve(attempt);
    for (Path each :
        List.of(directory.resolve("data-000000.tar"), directory, directory.getParent())) {
      Files.setLastModifiedTime(each, FileTime.from(written));
    }
    return directory;
  }

  @Test
  void shouldSweepNothingWhereTheIndexIsDamaged() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    job.commit(List.of(task(job, 0, 0, 0, 1)));
    Path index = target().resolve(name.equals("mds") ? "index.json" : "shards.json");
    String text = Files.readString(index);
    Files.writeString(index, text.substring(0, text.length() / 2));

    refused(
        FormatException.class, () -> PackingJob.sweep(target(), Duration.ZERO), index.toString());
    Files.writeString(index, text);
    requireStore(0);
  }

  @Test
  void shouldLeaveTheStoreOfOneWriterAlone() throws IOException {
    FixtureFiles.write(format().create(target(), packing()), List.of(image(0)));
    Map<String, byte[]> before = files();
    for (Mode mode : Mode.values()) {
      refused(IOException.class, () -> begin(mode), target().toString());
    }
    PackingJob.Swept swept = PackingJob.sweep(target(), Duration.ZERO);
    assertThat(swept.deleted()).isEmpty();
    assertThat(files().keySet()).isEqualTo(before.keySet());
  }

  @Test
  void shouldNameTheAttemptWhenTheDiskIsFullAndGoOnWithAnother() throws IOException {
    moveElsewhere();
    Path mounted = Files.createDirectories(target());
    try (SmallDisk full = SmallDisk.mount(mounted, 256)) {
      assertThat(full).isNotNull();
      PackingJob job = begin(Mode.CREATE);
      byte[] large = Arrays.copyOf(image(0).bytes(), 200_000);
      EncodedImage image = new EncodedImage("large", large, 0, "jpg");
      try (TaskWriter writer = open(job, 0, 0)) {
        assertThatThrownBy(
                () -> {
                  writer.write(image, Map.of());
                  writer.write(image.withKey("larger"), Map.of());
                  writer.commit();
                })
            .isInstanceOf(IOException.class)
            .hasMessageContaining(job.id());
        refused(IllegalStateException.class, writer::commit, "another attempt");
      }
      assertThat(files()).isEmpty();
      job.commit(List.of(task(job, 0, 1, 0, 3)));
      requireStore(0, 1, 2);
    }
  }
}
