package io.feedline.transform;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.sampler.TorchRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RandomChoiceTest {

  private static final RandomTransform<Integer, Integer> PLUS_ONE =
      RandomTransform.from(value -> value + 1);
  private static final RandomTransform<Integer, Integer> PLUS_TEN =
      RandomTransform.from(value -> value + 10);
  private static final RandomTransform<List<Long>, List<Long>> DRAW =
      (drawn, random) -> {
        List<Long> more = new ArrayList<>(drawn);
        more.add(random.nextLong());
        return more;
      };

  private static RandomGenerator random(long index) {
    return new SampleRandom(3, 1, index, 0);
  }

  @Test
  void shouldApplyAsOftenAsTheProbabilitySays() throws Exception {
    int applied = 0;
    for (int i = 0; i < 10_000; i++) {
      applied += RandomApply.of(PLUS_ONE, 0.3).apply(0, random(i));
    }

    assertThat(applied).isBetween(2800, 3200);
  }

  @Test
  void shouldApplyAlwaysOrNeverAtTheLimits() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertThat(RandomApply.of(PLUS_ONE, 1).apply(0, random(i))).isEqualTo(1);
      assertThat(RandomApply.of(PLUS_ONE, 0).apply(0, random(i))).isZero();
    }
  }

  /** torch.manual_seed(5); [int(torch.rand(1) < 0.5) for _ in range(8)] */
  @Test
  void shouldDecideAsPyTorchDoes() throws Exception {
    TorchRandom random = TorchRandom.ofSeed(5);
    StringBuilder decisions = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      decisions.append(RandomApply.of(PLUS_ONE).apply(0, random));
    }

    assertThat(decisions).hasToString("01000110");
  }

  private static int tens(RandomChoice<Integer, Integer> choice) throws Exception {
    int tens = 0;
    for (int i = 0; i < 10_000; i++) {
      tens += choice.apply(0, random(i)) == 10 ? 1 : 0;
    }
    return tens;
  }

  @Test
  void shouldChooseEachAsOftenAsItsWeightSays() throws Exception {
    assertThat(tens(RandomChoice.of(List.of(PLUS_ONE, PLUS_TEN, PLUS_ONE), 3, 1, 0)))
        .isBetween(2300, 2700);
    assertThat(tens(RandomChoice.of(PLUS_ONE, PLUS_TEN))).as("by default").isBetween(4800, 5200);
  }

  /** A composition inside must not repeat what the one around it gives to its own members. */
  @Test
  void shouldNeverDrawTheSameNumberTwice() throws Exception {
    RandomTransform<List<Long>, List<Long>> inside = DRAW.andThen(DRAW).andThen(DRAW);
    RandomTransform<List<Long>, List<Long>> around =
        DRAW.andThen(RandomApply.of(inside, 1)).andThen(RandomChoice.of(inside)).andThen(DRAW);

    List<Long> drawn = around.apply(List.of(), random(4));

    Set<Long> different = new HashSet<>(drawn);
    assertThat(drawn).hasSize(8);
    assertThat(different).hasSize(8);
  }

  @Test
  void shouldRejectWhatIsNoProbability() {
    for (double wrong : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> RandomApply.of(PLUS_ONE, wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("was " + wrong);
    }
    for (double[] wrong : new double[][] {{1}, {1, -1}, {0, 0}, {1, Double.NaN}, {1, 1, 1}}) {
      assertRefused(() -> RandomChoice.of(List.of(PLUS_ONE, PLUS_TEN), wrong), "weights");
    }
    assertRefused(() -> RandomChoice.of());
  }
}
