package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LmdbRandomReadTest {
  @TempDir private Path directory;

  private static Run run(String... args) {
    return Run.of(new LmdbRandomRead().commandLine(), args);
  }

  private Path database() throws IOException {
    Path database = directory.resolve("lmdb");
    try (ImageStoreWriter writer =
        StoreFormat.named("lmdb").create(database, Packing.of(List.of(), 20))) {
      for (int i = 0; i < 20; i++) {
        writer.write(new EncodedImage("image " + i, new byte[30_000 + i], i));
      }
      writer.commit();
    }
    return database;
  }

  @Test
  @RequiresNative(NativeProgram.LMDB_RANDOM_READ)
  void shouldPrintALineForEachMode() throws IOException {
    Run run = run("--data=" + database(), "--rounds=2", "--warm-up=1", "--seconds=0.001");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(3);
    assertThat(run.out().get(0)).contains("\"mode\":\"copy\"", "\"values\":20,", "\"ratio\":");
    assertThat(run.out().get(1)).contains("\"mode\":\"touch\"", "\"rounds\":2,", "\"c\":\"LMDB ");
    assertThat(run.out().get(2)).contains("\"mode\":\"array\"");
    assertThat(run.err()).contains("20 images", "| copy |", "| touch |", "| array |");
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds, 0, must be 1 or more",
    "--warm-up, -1, must be 0 or more",
    "--seconds, 0, must be above 0",
    "--mode, copy, Unknown option",
  })
  void shouldRefuseOptionsThatMakeNoSense(String option, String value, String reason) {
    run("--data=" + directory, option + "=" + value).requireRefused(reason);
  }

  @Test
  void shouldRefuseDataThatIsNone() {
    run().requireRefused("--data");
    Path absent = directory.resolve("absent");
    run("--data=" + absent).requireRefused(absent.toString());
  }
}
