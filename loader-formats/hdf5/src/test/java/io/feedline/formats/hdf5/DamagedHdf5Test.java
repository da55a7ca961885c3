package io.feedline.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Strength;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with a bit turned in their structure, most of which HDF5 has no checksum for. */
class DamagedHdf5Test {

  private static final String[] ARRAYS = {"eights", "ones", "contiguous", "labels"};

  @TempDir Path folder;

  private static List<List<Double>> rows(Path file, String array) throws Exception {
    List<List<Double>> rows = new ArrayList<>();
    try (Hdf5Dataset dataset = Hdf5Dataset.of(file, array)) {
      for (long i = 0; i < dataset.size(); i++) {
        TensorSource row = dataset.get(i).get(array);
        rows.add(Fixtures.elements(row));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"opaque.h5", "opaque_latest.h5"})
  void shouldReadBesideWhatCannotBeRead(String fixture) throws Exception {
    Path file = Fixtures.copy(folder, fixture);

    assertThat(rows(file, "x")).hasSize(8).first().isEqualTo(List.of(3.0, 10.0, 17.0));
    try (Hdf5Dataset groups =
        Hdf5Dataset.builder(file).field("a").groupPerSample("samples").build()) {
      assertThat(groups.size()).isEqualTo(3);
      assertThat(Fixtures.elements(groups.get(2).get("a"))).containsExactly(3.0, 10.0, 17.0);
    }
    assertThatThrownBy(() -> Hdf5Dataset.of(file, "blob"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(fixture, "blob");
  }

  /** Returns the place of the first B-tree node of chunks. */
  private static int node(byte[] data) {
    int at = 0;
    while (data[at] != 'T' || data[at + 1] != 'R' || data[at + 2] != 'E' || data[at + 4] != 1) {
      at++;
    }
    return at;
  }

  /**
   * Two chunks of three; and the second key's first offset, 8, behind the first key and address.
   */
  @ParameterizedTest
  @CsvSource({"6, 2, lacks 1 chunk:", "72, 0, node at"})
  void shouldRefuseAnIndexThatHasLostAChunkOrItsPlace(int offset, byte value, String problem)
      throws Exception {
    byte[] data = Fixtures.bytes("chunks.h5");
    data[node(data) + offset] = value;
    Path file = Files.write(folder.resolve("x.h5"), data);

    assertThatThrownBy(() -> rows(file, "eights"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("x.h5, eights", problem);
  }

  @Test
  void shouldRefuseAShapeThatLeavesChunksOut() throws Exception {
    byte[] data = Fixtures.bytes("chunks.h5");
    ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    int changed = 0;
    for (int at = 0; at + 32 <= data.length; at += 8) {
      // A dataspace of (24, 6), and the most that it may become.
      if (buffer.getLong(at) == 24
          && buffer.getLong(at + 8) == 6
          && buffer.getLong(at + 16) == 24) {
        buffer.putLong(at, 16);
        changed++;
      }
    }
    Path file = Files.write(folder.resolve("x.h5"), data);

    assertThat(changed).isEqualTo(3);
    for (String array : List.of("eights", "ones")) {
      assertThatThrownBy(() -> rows(file, array))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("x.h5, " + array, "has a chunk at [16, 0]", "[16, 6]");
    }
    assertThatThrownBy(() -> rows(file, "contiguous"))
        .hasMessageContainingAll("x.h5, contiguous", "96 bytes", "144 are stored");
  }

  @Test
  void shouldNeverLoseRowsToABitThatTurned() throws Exception {
    byte[] whole = Fixtures.bytes("chunks.h5");
    Path file = folder.resolve("x.h5");
    Files.write(file, whole);
    List<List<List<Double>>> expected = new ArrayList<>();
    for (String array : ARRAYS) {
      expected.add(rows(file, array));
    }
    Random random = new Random(3);
    int refused = 0;
    for (int i = 0; i < Strength.of(1500); i++) {
      byte[] data = whole.clone();
      int at = random.nextInt(data.length);
      data[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, data);
      for (int a = 0; a < ARRAYS.length; a++) {
        try (Hdf5Dataset dataset = Hdf5Dataset.of(file, ARRAYS[a])) {
          assertThat(dataset.size()).as("byte %d, %s", at, ARRAYS[a]).isGreaterThanOrEqualTo(24);
          int other = 0;
          for (int row = 0; row < 24; row++) {
            List<Double> found = Fixtures.elements(dataset.get(row).get(ARRAYS[a]));
            other += found.equals(expected.get(a).get(row)) ? 0 : 1;
          }
          // A contiguous array has one address, without a checksum; a chunk has its own.
          int most = ARRAYS[a].equals("contiguous") || ARRAYS[a].equals("labels") ? 24 : 1;
          assertThat(other).as("byte %d, %s", at, ARRAYS[a]).isLessThanOrEqualTo(most);
        } catch (FormatException damaged) {
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void shouldNeverLoseGroupsToABitThatTurned() throws Exception {
    byte[] whole = Fixtures.bytes("groups.h5");
    Path file = folder.resolve("x.h5");
    Random random = new Random(4);
    int refused = 0;
    for (int i = 0; i < Strength.of(3000); i++) {
      byte[] data = whole.clone();
      int at = random.nextInt(data.length);
      data[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, data);
      try (Hdf5Dataset dataset =
          Hdf5Dataset.builder(file).field("x").groupPerSample("data").build()) {
        assertThat(dataset.size()).as("byte %d of %02x", at, whole[at]).isEqualTo(5);
      } catch (FormatException damaged) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void shouldSampleTheWholeOfALargeFile() throws Exception {
    Path file = folder.resolve("large");
    byte[] data = new byte[3_000_001];
    Files.write(file, data);
    String expected = sample(file);
    int seen = 0;
    int tried = 0;
    for (int at = 0; at < data.length; at += 31_000) {
      byte[] changed = data.clone();
      Arrays.fill(changed, at, Math.min(data.length, at + 50_000), (byte) 1);
      Files.write(file, changed);
      seen += sample(file).equals(expected) ? 0 : 1;
      tried++;
    }
    assertThat(seen).isEqualTo(tried);
  }

  private static String sample(Path file) throws IOException {
    try (OpenFile open = OpenFile.of(file)) {
      return FileSample.of(open);
    }
  }
}
