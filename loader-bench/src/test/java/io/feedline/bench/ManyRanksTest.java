package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ManyRanksTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String options) {
    return ManyRanks.command()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(options.split(" "));
  }

  @Test
  void shouldFindEachIndexOnce() {
    assertThat(
            run(
                "--ranks 16 --resume-ranks 12 --at-step 3 --batch-size 8 --examples 10007 --shards"
                    + " 100"))
        .as(err.toString())
        .isZero();

    // 10007 - 384 = 9623 = 801 x 12 + 11
    for (String order : new String[] {"sequential", "shuffle", "shards", "runs"}) {
      assertThat(out.toString())
          .containsPattern("\\| " + order + " \\| 16 \\| 24 \\| 384 \\| 0 \\|  \\| [0-9]+ \\|\n")
          .containsPattern(
              "\\| " + order + " \\| 12 \\| 801 \\| 9996 \\| 0 \\| 11 \\| [0-9]+ \\|\n");
    }
  }

  @Test
  void shouldGoOnWithinARound() {
    assertThat(
            run(
                "--orders runs --ranks 16 --resume-ranks 12 --at-step 4 --batch-size 8 --examples"
                    + " 10007 --shards 100"))
        .as(err.toString())
        .isZero();

    // 512 are read, no multiple of 12; 10007 - 512 = 791 x 12 + 3
    assertThat(out.toString())
        .containsPattern("\\| runs \\| 12 \\| 791 \\| 10004 \\| 0 \\| 3 \\| [0-9]+ \\|\n");
  }

  @Test
  void shouldRefuseAStepBehindTheEnd() {
    assertThat(run("--examples 1000 --ranks 10 --at-step 4")).isEqualTo(2);
    assertThat(err.toString()).contains("--at-step 4 is behind the end: a rank of 10 has 100");
  }
}
