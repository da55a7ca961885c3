package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.stats.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TroublesTest {

  @TempDir private Path records;

  @Test
  void shouldSayAChangeForEachTrouble() throws IOException {
    Run run = Run.of(new Troubles().commandLine(), "--seconds=0.02", "--records=" + records);

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> rows = run.out().subList(2, run.out().size());
    assertThat(rows).hasSize(20).allMatch(row -> row.matches("\\| .+ \\| .+ \\| .*\\|"));
    try (Stream<Path> written = Files.list(records)) {
      assertThat(written).hasSize(20);
    }
    assertThat(RunRecord.ofJson(Files.readString(records.resolve("slow-reads-AUTO.json"))).name())
        .isEqualTo("slow reads, AUTO");
  }
}
