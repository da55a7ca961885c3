package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.feedline.formats.image.dataset.ImageDataset;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that must not be mapped, and how they are named. */
class DatabaseFileTest {

  @TempDir Path folder;
  private byte[] whole;

  @BeforeEach
  void read() {
    whole = Content.fixture("folder2lmdb.mdb");
  }

  private Path directoryWith(byte[] data) throws IOException {
    Path directory = Files.createDirectories(folder.resolve("x.lmdb"));
    Files.write(directory.resolve("data.mdb"), data);
    return directory;
  }

  @Test
  void shouldFindADirectoryItsFileAndAFileAlone() throws IOException {
    Path directory = directoryWith(whole);
    Path alone = Files.write(folder.resolve("alone.lmdb"), whole);

    DatabaseFile first = DatabaseFile.of(directory);
    DatabaseFile second = DatabaseFile.of(directory.resolve("data.mdb"));
    DatabaseFile third = DatabaseFile.of(alone);

    assertThat(first).isEqualTo(second);
    Path link = Files.createSymbolicLink(folder.resolve("link"), directory);
    assertThat(DatabaseFile.of(link).identity()).isEqualTo(first.identity());
    assertThat(third.identity()).isNotEqualTo(first.identity());
  }

  @Test
  void shouldReadAFileThatIsADatabaseByItself() throws IOException {
    for (String name : new String[] {"x.lmdb", "x.mdb", "x"}) {
      Path file = RawDatabase.writeFile(folder.resolve(name), Map.of("a", new byte[] {1, 2}));

      assertThat(DatabaseFile.isDatabase(file)).isTrue();
      try (MappedDatabase database = MappedDatabase.open(file)) {
        assertThat(database.data()).isEqualTo(file.toRealPath());
        ByteBuffer value = database.read(reader -> reader.get(new byte[] {'a'}));
        assertThat(value).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
      }
    }
  }

  @Test
  void shouldTellDatabasesFromOtherFilesAndDirectories() throws IOException {
    Path directory = directoryWith(whole);
    Path text = Files.writeString(folder.resolve("text.lmdb"), "text ".repeat(100));
    Path empty = Files.createDirectories(folder.resolve("empty.lmdb"));

    assertThat(DatabaseFile.isDatabase(directory)).isTrue();
    assertThat(DatabaseFile.isDatabase(directory.resolve("data.mdb"))).isTrue();
    assertThat(DatabaseFile.isDatabase(text)).isFalse();
    assertThat(DatabaseFile.isDatabase(empty)).isFalse();
    assertThat(DatabaseFile.isDatabase(folder.resolve("nowhere"))).isFalse();
  }

  @Test
  void shouldNameWhatIsNotThere() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty"));

    assertThatThrownBy(() -> LmdbDataset.images(folder.resolve("nowhere")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContainingAll("nowhere", "no such database");
    refused(NoSuchFileException.class, () -> LmdbDataset.images(empty), "empty", "no data.mdb");
    assertThat(empty).as("opening for reading creates nothing").isEmptyDirectory();
  }

  @Test
  void shouldRefuseFilesOfAnotherKind() throws IOException {
    for (String text : new String[] {"", "hello", "text ".repeat(2000)}) {
      Path directory = directoryWith(text.getBytes(UTF_8));
      assertThatThrownBy(() -> LmdbDataset.images(directory))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("data.mdb", "not an LMDB database");
    }
  }

  @Test
  void shouldRefuseEveryTruncation() throws IOException {
    for (int length = 200; length < whole.length; length += 1000) {
      Path directory = directoryWith(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> LmdbDataset.images(directory))
          .as("%d bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("data.mdb", "truncated");
    }
    assertThatThrownBy(() -> LmdbDataset.images(directoryWith(Arrays.copyOf(whole, 8192))))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("%d bytes in all; the file has 8192".formatted(whole.length));
  }

  @Test
  void shouldRefuseDatabasesOfOtherMachines() throws IOException {
    byte[] swapped = whole.clone();
    ByteBuffer meta = ByteBuffer.wrap(swapped).order(ByteOrder.nativeOrder());
    meta.putInt(16, Integer.reverseBytes(0xBEEFC0DE));
    byte[] narrow = whole.clone();
    ByteBuffer.wrap(narrow).order(ByteOrder.nativeOrder()).putInt(16, 1).putInt(12, 0xBEEFC0DE);

    assertThatThrownBy(() -> LmdbDataset.images(directoryWith(swapped)))
        .hasMessageContainingAll("another kind of machine", "64 bits, the other byte order");
    assertThatThrownBy(() -> LmdbDataset.images(directoryWith(narrow)))
        .hasMessageContainingAll("another kind of machine", "32 bits, this byte order");
  }

  @Test
  void shouldRefuseCorruptMetaPages() throws IOException {
    for (int[] change : new int[][] {{20, 7}, {40, 1000}, {4096 + 16, 0}, {4096 + 40, 0}}) {
      byte[] damaged = whole.clone();
      ByteBuffer.wrap(damaged).order(ByteOrder.nativeOrder()).putInt(change[0], change[1]);
      assertThatThrownBy(() -> LmdbDataset.images(directoryWith(damaged)))
          .as("%d at byte %d", change[1], change[0])
          .isInstanceOf(IOException.class)
          .hasMessageContaining("data.mdb");
    }
  }

  @Test
  void shouldSayThatAFileMayNotBeRead() throws IOException {
    Path directory = directoryWith(whole);
    Path data = directory.resolve("data.mdb");
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("---------"));
    assumeThat(Files.isReadable(data)).as("the tests' user may read everything").isFalse();

    refused(AccessDeniedException.class, () -> LmdbDataset.images(directory), "data.mdb");
  }

  @Test
  void shouldReadWhereNothingCanBeWritten() throws IOException {
    Path directory = directoryWith(whole);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeThat(Files.isWritable(directory)).as("the tests' user may write everywhere").isFalse();
      try (ImageDataset images = LmdbDataset.images(directory)) {
        assertThat(images.encoded(2).label()).isEqualTo(1);
      }
      assertThat(directory.resolve("lock.mdb")).doesNotExist();
    } finally {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
