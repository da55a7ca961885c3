package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.Strength;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables with broken bytes. Whatever they are, there are rows or errors that name the file.
 *
 * <p>{@code mvn -pl loader-formats/tables test -Dtest=TableFuzzTest -Dfuzz.cases=10000} runs more
 * cases than the default; {@code -Dfuzz.seed} other ones.
 */
@Timeout(600)
class TableFuzzTest {

  private static final int CASES = Integer.getInteger("fuzz.cases", Strength.of(50));
  private static final long SEED = Long.getLong("fuzz.seed", 1);

  private int refused;
  private int read;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "snappy_v1.parquet",
        "gzip_v2.parquet",
        "zstd_v2.parquet",
        "plain.parquet",
        "encodings.parquet",
        "file.arrow",
        "stream.arrow",
        "lz4.feather",
        "zstd.feather",
        "simple.csv",
        "simple.csv.zst"
      })
  void shouldReadBrokenTablesOrRefuseThem(String name) throws Exception {
    byte[] sound = FixtureFiles.bytes(TableFuzzTest.class, name);
    int end = ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN).getInt(sound.length - 8);
    int footer = name.endsWith(".parquet") ? sound.length - end - 8 : 0;
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Path file = memory.getPath("/" + name);
      for (int i = 0; i < CASES; i++) {
        Random random = new Random(SEED * 1_000_003L + i);
        Files.write(file, Tables.mutant(sound, i % 4 == 0 ? footer : 0, random));
        try {
          readOrRefuse(file, name.endsWith(".zst") || i % 2 == 0);
        } catch (RuntimeException | Error escaped) {
          throw new AssertionError("case %d of seed %d".formatted(i, SEED), escaped);
        }
      }
    }
    assertThat(refused).isPositive();
    assertThat(read).isPositive();
  }

  private void readOrRefuse(Path file, boolean stream) throws Exception {
    try {
      if (stream) {
        try (SampleStream<Map<String, Object>> rows =
            TableDataset.builder(file).missing(0).stream().open(0, 0)) {
          boolean more = true;
          for (int row = 0; more && row < 100; row++) {
            more = one(file, () -> rows.next());
          }
        }
      } else {
        try (TableDataset<Map<String, Object>> table =
            TableDataset.builder(file).missing("0").cacheBytes(0).build()) {
          for (long row = 0; row < Math.min(60, table.size()); row += 9) {
            long index = row;
            one(file, () -> context -> table.get(index));
          }
        }
      }
    } catch (IOException refusal) {
      assertThat(refusal).hasMessageContaining(file.toString());
      refused++;
    }
  }

  /** A maker of a row; of null at the end. */
  @FunctionalInterface
  private interface Next {
    PendingSample<Map<String, Object>> get() throws Exception;
  }

  private boolean one(Path file, Next next) throws Exception {
    try {
      PendingSample<Map<String, Object>> row = next.get();
      if (row == null) {
        return false;
      }
      assertThat(row.get(new SampleContext(0, 0, 0))).isNotNull();
      read++;
    } catch (IOException refusal) {
      assertThat(refusal).hasMessageContaining(file.toString());
      refused++;
    }
    return true;
  }
}
