package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class DeviceTransformsTest {
  private static final Pattern OFF_BY = Pattern.compile("\"off_by\":([0-9.]+)");

  private static Run run(String... args) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--device=cpu",
                "--image-size=16",
                "--batch-size=3",
                "--times=1",
                "--batches=1",
                "--rounds=2"));
    all.addAll(Arrays.asList(args));
    return Run.of(
        new DeviceTransforms().commandLine().setOverwrittenOptionsAllowed(true),
        all.toArray(String[]::new));
  }

  /** The CPU's arrays mix as the loader does; a half is rounded. */
  @Test
  void shouldGiveTheHostsNumbers() {
    Run run = run();
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(6);
    for (int i = 0; i < 6; i++) {
      String line = run.out().get(i);
      boolean half = i % 2 == 1;
      String transform = List.of("mixup", "cutmix", "erasing").get(i / 2);
      assertThat(line)
          .contains("\"transform\":\"" + transform + "\"", half ? "FLOAT16" : "FLOAT32")
          .contains("\"batch_ms\":", "\"batch_ms_min\":", "\"device\":\"cpu\"");
      double offBy =
          OFF_BY.matcher(line).results().mapToDouble(f -> Double.parseDouble(f.group(1))).sum();
      if (half) {
        assertThat(offBy).as(line).isBetween(0.1, 4.0);
      } else {
        assertThat(line).contains("\"off_by\":0}");
      }
    }
    assertThat(run.err()).contains("| transform | type | ms a batch | off by |");
  }

  @ParameterizedTest
  @CsvSource({
    "--image-size, 7, must be 8 or more",
    "--batch-size, 1, must be 2 or more",
    "--times, 0, must be 1 or more",
    "--batches, 0, must be 1 or more",
    "--rounds, 0, must be 1 or more",
    "--device, tpu, expected one of",
  })
  void shouldRefuseOptionsThatMakeNoSense(String option, String value, String reason) {
    run(option + "=" + value).requireRefused(option, reason);
  }
}
