package io.feedline.spark.hadoop.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.feedline.Together;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.files.FileStamp;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.spark.Pictures;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of Hadoop's file systems: all stores are read from them and written to them. */
@Timeout(180)
@NeedsHadoop
abstract class HadoopContract {

  private static final int IMAGES = 12;
  private static final int BYTES = 200_000;
  private static final byte[] JPEG = Pictures.jpeg(0);

  @TempDir private Path disk;
  private FileSystem hadoop;
  private Path directory;

  /** By what the file system is found. */
  abstract Configuration configuration();

  /** An empty directory of this test, as Hadoop has it as text. */
  abstract String newDirectory() throws IOException;

  @BeforeEach
  void findADirectory() throws IOException {
    String text = newDirectory();
    directory = HadoopPaths.path(text, configuration());
    hadoop = new org.apache.hadoop.fs.Path(text).getFileSystem(configuration());
  }

  final Path disk() {
    return disk;
  }

  final Path directory() {
    return directory;
  }

  static EncodedImage image(int i) {
    // Behind its end marker a JPEG may have anything.
    byte[] longer = Arrays.copyOf(JPEG, BYTES);
    longer[BYTES - 1] = (byte) i;
    return new EncodedImage("%04d".formatted(i), longer, i * 2 / IMAGES, "jpg");
  }

  private static Packing packing(String format) {
    Packing packing = Packing.of(List.of("ant eater", "bee"), IMAGES);
    return switch (format) {
      case "webdataset", "mds" -> packing.withShardBytes(9L * BYTES);
      case "tfrecord" -> packing.withShards(2);
      default -> packing;
    };
  }

  private static void write(StoreWriter<EncodedImage> writer, int end) throws IOException {
    for (int i = (int) writer.written(); i < end; i++) {
      writer.write(image(i));
    }
  }

  private static Path write(Path target, String format) throws IOException {
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(target, packing(format))) {
      write(writer, IMAGES);
      writer.commit();
    }
    return target;
  }

  /** The files below a path, whatever their names, by what Hadoop says. */
  private Map<String, byte[]> files(Path root) throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> all = hadoop.listFiles(place(root), true);
    int start = place(root).toUri().getPath().length();
    while (all.hasNext()) {
      org.apache.hadoop.fs.Path file = all.next().getPath();
      try (var in = hadoop.open(file)) {
        found.put(file.toUri().getPath().substring(start), in.readAllBytes());
      }
    }
    return found;
  }

  private static Map<String, byte[]> localFiles(Path root) throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(each).toString();
        found.put(name.isEmpty() ? "" : "/" + name, Files.readAllBytes(each));
      }
    }
    return found;
  }

  static org.apache.hadoop.fs.Path place(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }

  private Path put(String name, byte[] bytes) throws IOException {
    Path path = directory.resolve(name);
    try (OutputStream out = hadoop.create(place(path), true)) {
      out.write(bytes);
    }
    return path;
  }

  private Path copy(Path local, String name) throws IOException {
    for (Map.Entry<String, byte[]> each : localFiles(local).entrySet()) {
      put(name + each.getKey(), each.getValue());
    }
    return directory.resolve(name);
  }

  private static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    expected.forEach((name, bytes) -> assertThat(actual.get(name)).as(name).isEqualTo(bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "mds", "recordio", "tfrecord", "imagefolder", "zip"})
  void shouldPutTheBytesOfTheLocalStore(String format) throws IOException {
    Path target = directory.resolve("out ü");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(target, packing(format))) {
      write(writer, IMAGES);
      assertThatThrownBy(() -> ImageDataset.open(target)).isInstanceOf(IOException.class);
      writer.commit();
    }

    assertSame(files(target), localFiles(write(disk.resolve("out ü"), format)));
    assertThat(StoreFormat.of(target).name()).isEqualTo(format);
    assertThatThrownBy(() -> StoreFormat.named(format).create(target, packing(format)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("exists already");
  }

  @ParameterizedTest
  @CsvSource({"webdataset, 8", "mds, 8", "recordio, 0", "tfrecord, 6", "imagefolder, 10", "zip, 0"})
  void shouldGoOnWhereARunWasInterrupted(String format, long kept) throws IOException {
    Path target = directory.resolve("out");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(target, packing(format))) {
      write(writer, 10);
    }
    // As a process leaves it that was killed while it wrote something.
    Path within = format.equals("zip") ? target : target.resolve("data-000009.tar");
    Path left = WholeFile.temporaryFor(within);
    put(directory.relativize(left).toString(), new byte[100]);

    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(target, packing(format))) {
      assertThat(writer.written()).isEqualTo(kept);
      write(writer, IMAGES);
      writer.commit();
    }

    assertSame(files(target), localFiles(write(disk.resolve("out"), format)));
    assertThat(files(directory).keySet()).noneMatch(name -> name.contains("partial"));
  }

  /** But ZIPs: Spark 3.5 has an older Commons Compress than reading them takes. */
  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "mds", "recordio", "tfrecord", "imagefolder"})
  void shouldGiveWhatTheLocalStoreGives(String format) throws IOException {
    Path local = write(disk.resolve("in"), format);
    Path copied = copy(local, "in");
    Map<String, byte[]> before = files(directory);
    try (ImageDataset here = ImageDataset.open(local);
        ImageDataset there = ImageDataset.open(copied)) {
      assertThat(there.classes()).isEqualTo(here.classes());
      assertThat(there.labels()).isEqualTo(here.labels());
      assertThat(there.fingerprint()).isEqualTo(here.fingerprint());
      assertThat(there.store().prefersReadAhead()).isTrue();
      assertThat(there.store().describe(0)).contains(directory.toString());
      for (long i = 0; i < IMAGES; i++) {
        assertThat(there.encoded(i).bytes()).isEqualTo(here.encoded(i).bytes());
        assertThat(there.encoded(i).key()).isEqualTo(here.encoded(i).key());
      }
    }
    assertSame(files(directory), before);
  }

  @Test
  void shouldBeReadByThreadsAtOnceAlsoWhileOneIsInterrupted() throws Exception {
    byte[] bytes = new byte[3_000_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31 + i / 251);
    }
    Path file = put("file", bytes);
    CountDownLatch interrupted = new CountDownLatch(1);
    try (OpenFiles files = new OpenFiles(1)) {
      assertThat(files.isFar(file)).isTrue();
      Together.inEightThreads(
          thread -> {
            for (int i = 0; i < 60 || interrupted.getCount() > 0; i++) {
              int length = i % 2 == 0 ? 3_000 : 50_000;
              int at = (int) (i * 12_345L * (1 + 2 * thread) % (bytes.length - length));
              ByteBuffer target =
                  i % 3 == 0 ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
              if (thread == 0 && i == 20) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> files.read(file, at, target))
                    .isInstanceOf(IOException.class);
                Thread.interrupted();
                interrupted.countDown();
              } else {
                files.read(file, at, target);
                assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(bytes, at, length));
              }
            }
            return null;
          });
    }
  }

  @Test
  void shouldHaveTheAttributesAndEntriesOfADirectory() throws IOException {
    Path file = put("a b%20/ü.bin", new byte[1234]);
    put("a b%20/below/c", new byte[1]);

    assertThat(Files.size(file)).isEqualTo(1234);
    assertThat(Files.isRegularFile(file)).isTrue();
    assertThat(Files.isDirectory(file.getParent())).isTrue();
    assertThat(Files.getLastModifiedTime(file).toMillis())
        .isEqualTo(hadoop.getFileStatus(place(file)).getModificationTime());
    try (Stream<Path> entries = Files.list(file.getParent())) {
      assertThat(entries).containsExactlyInAnyOrder(file, file.resolveSibling("below"));
    }
    try (Stream<Path> all = Files.walk(directory)) {
      assertThat(all.filter(Files::isRegularFile)).hasSize(2);
    }
    assertThat(file.toRealPath()).isEqualTo(file);
    assertThat(HadoopPaths.path(file.toString(), configuration())).isEqualTo(file);
    assertThatThrownBy(() -> Files.list(file)).isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> Files.write(file, new byte[1]))
        .isInstanceOf(ReadOnlyFileSystemException.class);
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      assertThat(channel.position(1200).read(ByteBuffer.allocate(100))).isEqualTo(34);
      assertThat(channel.read(ByteBuffer.allocate(100))).isEqualTo(-1);
    }
  }

  @Test
  void shouldNameWhatIsNotThere() throws IOException {
    Path nothing = directory.resolve("nothing/here.tar");
    assertThat(Files.exists(nothing)).isFalse();
    assertThatThrownBy(() -> Files.size(nothing))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(nothing.toString());
    assertThatThrownBy(() -> Files.list(nothing)).isInstanceOf(NoSuchFileException.class);
    try (OpenFiles files = new OpenFiles(1)) {
      assertThatThrownBy(() -> files.size(nothing))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining(nothing.toString());
      assertThatThrownBy(() -> files.size(directory))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContainingAll(directory.toString(), "directory");
    }
    assertThatThrownBy(() -> StoreFormat.of(nothing))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(nothing.toString());
  }

  @Test
  void shouldPutAFileOnlyIfItHasTheVersionThatWasSeen() throws IOException {
    Path path = directory.resolve("below/file");
    ObjectOutput file = ObjectOutput.of(path);
    assertThat(file.version()).isEqualTo(ObjectOutput.ABSENT);
    assertThat(file.read()).isNull();
    assertThat(file.size()).isEqualTo(-1);
    assertThatThrownBy(() -> file.write(new byte[] {1}, "seen before"))
        .isInstanceOf(ObjectOutput.ConflictException.class);
    String first = file.write(new byte[] {1}, ObjectOutput.ABSENT);
    assertThat(file.version()).isEqualTo(first).isNotEmpty();
    assertThatThrownBy(() -> file.write(new byte[] {2}, ObjectOutput.ABSENT))
        .isInstanceOf(ObjectOutput.ConflictException.class)
        .hasMessageContaining(directory.toString());
    String second = file.write(new byte[] {3, 4}, first);
    assertThatThrownBy(() -> file.write(new byte[] {5}, first))
        .isInstanceOf(ObjectOutput.ConflictException.class);
    assertThat(file.read().bytes()).containsExactly(3, 4);
    assertThat(file.read().version()).isEqualTo(second);
    assertThat(file.size()).isEqualTo(2);
    FileStamp before = FileStamp.of(path);
    assertThat(FileStamp.of(path)).isEqualTo(before);
    file.write(new byte[] {6, 7, 8}, ObjectOutput.ANY);
    assertThat(FileStamp.of(path)).as("the stamp tells of the change").isNotEqualTo(before);
    assertThat(file.read().bytes()).containsExactly(6, 7, 8);
    assertThat(files(directory)).containsOnlyKeys("/below/file");
  }

  @Test
  void shouldTakeWhatIsThereAlreadyForWhatWasSent() throws IOException {
    ObjectOutput file = ObjectOutput.of(directory.resolve("file"));
    byte[] bytes = new byte[300_000];
    bytes[5] = 5;
    String version = file.write(bytes, ObjectOutput.ABSENT);

    try (ObjectOutput.Upload upload = file.upload()) {
      upload.write(bytes);
      assertThat(upload.complete(ObjectOutput.ABSENT)).isEqualTo(version);
    }
    assertThat(files(directory)).containsOnlyKeys("/file");
  }

  @Test
  void shouldShowNothingOfAFileBeforeItIsComplete() throws IOException {
    Path file = directory.resolve("file");
    ObjectOutput output = ObjectOutput.of(file);
    try (ObjectOutput.Upload upload = output.upload()) {
      upload.write(new byte[500_000]);
      assertThat(Files.exists(file)).isFalse();
      assertThat(output.version()).isEqualTo(ObjectOutput.ABSENT);
      assertThat(ObjectOutput.of(directory).hasObjects()).isFalse();
      upload.complete(ObjectOutput.ABSENT);
      assertThat(Files.size(file)).isEqualTo(500_000);
    }
    try (ObjectOutput.Upload upload = output.upload()) {
      upload.write(new byte[10]);
    }
    assertThat(Files.size(file)).as("given up").isEqualTo(500_000);
    assertThat(files(directory)).containsOnlyKeys("/file");
  }

  @Test
  void shouldLeaveNothingWhereAnInterruptedThreadGivesUp() throws Exception {
    ObjectOutput output = ObjectOutput.of(directory.resolve("file"));
    Thread writer =
        new Thread(
            () -> {
              Throwable failure =
                  catchThrowable(
                      () -> {
                        try (ObjectOutput.Upload upload = output.upload()) {
                          upload.write(new byte[100_000]);
                          Thread.currentThread().interrupt();
                          throw new InterruptedIOException("the task was killed");
                        }
                      });
              assertThat(failure).hasMessage("the task was killed").hasNoSuppressedExceptions();
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
            });
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    writer.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
    writer.start();
    writer.join();

    assertThat(failures).isEmpty();
    assertThat(files(directory)).isEmpty();
  }

  @Test
  void shouldListAndDeleteWhatLiesBelow() throws IOException {
    ObjectOutput job = ObjectOutput.of(directory.resolve("job"));
    assertThat(job.hasObjects()).isFalse();
    job.deleteObjects();
    try (ObjectOutput.Puts puts = job.puts()) {
      puts.put("00000-1/data-000000.tar", new byte[3], ObjectOutput.ABSENT);
      puts.put("00001-4/data-000000.tar", new byte[4], ObjectOutput.ABSENT);
      puts.put("index.json", new byte[5], ObjectOutput.ANY);
      puts.await();
    }
    put("job/00001-4/.data-000001.tar.0123abcd.partial", new byte[1]);
    put("beside", new byte[1]);
    List<String> names = new ArrayList<>();
    job.listObjects(names::add);
    assertThat(names)
        .containsExactlyInAnyOrder(
            "00000-1/data-000000.tar", "00001-4/data-000000.tar", "index.json");
    assertThat(job.hasObjects()).isTrue();

    job.abortUploads();
    assertThat(files(directory))
        .doesNotContainKey("/job/00001-4/.data-000001.tar.0123abcd.partial");
    ObjectOutput.of(directory.resolve("job/index.json")).delete();
    ObjectOutput.of(directory.resolve("job/index.json")).delete();
    ObjectOutput.of(directory.resolve("job/00001-4")).delete();
    ObjectOutput.of(directory.resolve("job/00001-4")).deleteObjects();
    names.clear();
    job.listObjects(names::add);
    assertThat(names).containsExactly("00000-1/data-000000.tar");

    put("job/" + ObjectOutput.UNFINISHED, new byte[1]);
    job.deleteObjects();
    assertThat(files(directory)).containsOnlyKeys("/job/" + ObjectOutput.UNFINISHED, "/beside");
    ObjectOutput.of(directory.resolve("job").resolve(ObjectOutput.UNFINISHED)).delete();
    job.deleteObjects();
    assertThat(Files.exists(directory.resolve("job"))).isFalse();
    assertThat(files(directory)).containsOnlyKeys("/beside");
  }
}
