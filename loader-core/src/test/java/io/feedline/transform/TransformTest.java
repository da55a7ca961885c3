package io.feedline.transform;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.Samples;
import io.feedline.sampler.TorchRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Transforms, pure and random, their compositions and choices. */
class TransformTest {

  private static final Transform<String, String> STAR = text -> text + "*";

  private static RandomTransform<String, String> draw(String name) {
    return (text, random) -> text + name + random.nextInt(1000) + ";";
  }

  private static SampleRandom random() {
    return random(3);
  }

  @Test
  void shouldApplyTransformsFromLeftToRight() throws Exception {
    Transform<Integer, Integer> doubled = number -> 2 * number;
    assertThat(doubled.andThen(number -> number + 1).andThen(String::valueOf).apply(5))
        .isEqualTo("11");
  }

  @Test
  void shouldDrawTheSameHoweverTransformsArePutTogether() throws Exception {
    RandomTransform<String, String> left = draw("a").andThen(draw("b")).andThen(draw("c"));
    RandomTransform<String, String> right = draw("a").andThen(draw("b").andThen(draw("c")));
    RandomTransform<String, String> mixed =
        STAR.andThen(draw("a")).andThen(STAR).andThen(draw("b").andThen(STAR)).andThen(draw("c"));

    String drawn = left.apply("", random());

    assertThat(right.apply("", random())).isEqualTo(drawn);
    assertThat(mixed.apply("", random()).replace("*", "")).isEqualTo(drawn);
    assertThat(mixed.apply("", random())).matches("\\*a\\d+;\\*b\\d+;\\*c\\d+;");
  }

  @Test
  void shouldLeaveTheDrawsOfOneTransformAloneWhenAnotherDrawsMore() throws Exception {
    RandomTransform<String, String> greedy =
        (text, random) -> {
          for (int i = 0; i < 100; i++) {
            random.nextLong();
          }
          return text;
        };
    RandomTransform<String, String> modest = (text, random) -> text;
    assertThat(greedy.andThen(draw("b")).apply("", random()))
        .isEqualTo(modest.andThen(draw("b")).apply("", random()));
  }

  @Test
  void shouldDrawOneAfterTheOtherFromAnyOtherGenerator() throws Exception {
    String drawn = draw("a").andThen(draw("b")).apply("", new SplittableRandom(5));
    SplittableRandom random = new SplittableRandom(5);
    assertThat(drawn).isEqualTo("a" + random.nextInt(1000) + ";b" + random.nextInt(1000) + ";");
  }

  /** A transform of whole samples has a composition inside that the one around does not see. */
  @Test
  void shouldNotRepeatStreamsInACompositionThatIsHiddenInAMember() throws Exception {
    RandomTransform<String, String> hidden = draw("a").andThen(draw("b"));
    RandomTransform<String, String> member = (text, random) -> hidden.apply(text, random);
    SampleRandom first = random().substream(0);
    SampleRandom second = random().substream(1);

    assertThat(member.andThen(member).apply("", random()))
        .isEqualTo(
            "a%d;b%d;a%d;b%d;"
                .formatted(
                    first.nextInt(1000),
                    first.nextInt(1000),
                    second.nextInt(1000),
                    second.nextInt(1000)));
    assertThat(member.apply("", random()))
        .as("where it is the whole, it is split")
        .isEqualTo(hidden.apply("", random()));
  }

  @Test
  void shouldLetThroughWhatATransformThrows() {
    Transform<String, String> failing =
        Samples.after(text -> Samples.failIf(true, "no " + text.charAt(0)));
    assertThrown(IOException.class, () -> draw("a").andThen(failing).apply("", random()), "no a");
  }

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

  private static SampleRandom random(long index) {
    return new SampleRandom(1, 2, index, 0);
  }

  private static int count(RandomTransform<Integer, Integer> transform, int result)
      throws Exception {
    int count = 0;
    for (int i = 0; i < 10_000; i++) {
      count += transform.apply(0, random(i)) == result ? 1 : 0;
    }
    return count;
  }

  @Test
  void shouldApplyAsOftenAsTheProbabilitySays() throws Exception {
    assertThat(count(RandomApply.of(PLUS_ONE, 0.3), 1)).isBetween(2800, 3200);
    assertThat(count(RandomApply.of(PLUS_ONE, 1), 1)).isEqualTo(10_000);
    assertThat(count(RandomApply.of(PLUS_ONE, 0), 1)).isZero();
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

  @Test
  void shouldChooseEachAsOftenAsItsWeightSays() throws Exception {
    assertThat(count(RandomChoice.of(List.of(PLUS_ONE, PLUS_TEN, PLUS_ONE), 3, 1, 0), 10))
        .isBetween(2300, 2700);
    assertThat(count(RandomChoice.of(PLUS_ONE, PLUS_TEN), 10)).isBetween(4800, 5200);
  }

  /** A composition inside must not repeat what the one around it gives to its own members. */
  @Test
  void shouldNeverDrawTheSameNumberTwice() throws Exception {
    RandomTransform<List<Long>, List<Long>> inside = DRAW.andThen(DRAW).andThen(DRAW);
    RandomTransform<List<Long>, List<Long>> around =
        DRAW.andThen(RandomApply.of(inside, 1)).andThen(RandomChoice.of(inside)).andThen(DRAW);

    List<Long> drawn = around.apply(List.of(), random(4));

    assertThat(drawn).hasSize(8).doesNotHaveDuplicates();
  }

  @Test
  void shouldRejectWhatIsNoProbability() {
    for (double wrong : new double[] {-0.1, 1.1, Double.NaN}) {
      assertRefused(() -> RandomApply.of(PLUS_ONE, wrong), "was " + wrong);
    }
    for (double[] wrong : new double[][] {{1}, {1, -1}, {0, 0}, {1, Double.NaN}, {1, 1, 1}}) {
      assertRefused(() -> RandomChoice.of(List.of(PLUS_ONE, PLUS_TEN), wrong), "weights");
    }
    assertRefused(() -> RandomChoice.of());
  }

  /** From the kat_vectors of Random123, philox2x64-10: counter, key, result. */
  @Test
  void shouldDrawThePublishedAnswersOfPhilox() {
    assertThat(SampleRandom.block(0, 0, 0))
        .containsExactly(0xca00a0459843d731L, 0x66c24222c9a845b5L);
    assertThat(SampleRandom.block(-1, -1, -1))
        .containsExactly(0x65b021d60cd8310fL, 0x4d02f3222f86df20L);
    assertThat(SampleRandom.block(0x243f6a8885a308d3L, 0x13198a2e03707344L, 0xa4093822299f31d0L))
        .containsExactly(0x0a5e742c2997341cL, 0xb0f883d38000de5dL);
  }

  @Test
  void shouldDrawOtherNumbersForEachSeedEpochIndexTransformAndMember() {
    Set<Long> drawn = new HashSet<>();
    int streams = 0;
    for (long seed : new long[] {0, 1, -1, 1L << 40}) {
      for (long epoch : new long[] {0, 1, 2, 1L << 33}) {
        for (long index : new long[] {0, 1, -1, 5_000_000_000L}) {
          for (int stage : new int[] {0, 1, 0xFFFF}) {
            SampleRandom random = new SampleRandom(seed, epoch, index, stage);
            drawn.add(random.substream(0).nextLong());
            drawn.add(random.substream(0xFFFE).nextLong());
            drawn.add(random.nextLong());
            drawn.add(random.nextLong());
            drawn.add(random.nextLong());
            streams += 5;
          }
        }
      }
    }
    assertThat(drawn).hasSize(streams);
  }

  @Test
  void shouldDrawTheSameAgainAndAMembersStreamWhateverWasDrawnBefore() {
    SampleRandom one = new SampleRandom(1, 2, 3, 4);
    SampleRandom other = new SampleRandom(1, 2, 3, 4);
    SampleRandom member = one.substream(7);
    for (int i = 0; i < 1000; i++) {
      assertThat(one.nextLong()).isEqualTo(other.nextLong());
    }
    assertThat(one.substream(7).nextLong()).isEqualTo(member.nextLong());
  }

  @Test
  void shouldRefuseMoreTransformsOrMembersThanItCanTellApart() {
    assertRefused(() -> new SampleRandom(0, 0, 0, 1 << 16), "65536");
    assertRefused(() -> new SampleRandom(0, 0, 0, -1), "transform -1");
    assertRefused(() -> new SampleRandom(0, 0, 0, 0).substream(0xFFFF), "member 65536");
  }

  /** Orders and augmentations must not change with the version of Java. */
  @Test
  void shouldDrawTheSameBoundedNumbersUnderEachJava() {
    SampleRandom random = new SampleRandom(42, 1, 7, 0);
    StringBuilder drawn = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      drawn.append(random.nextInt(1000)).append(' ').append(random.nextLong(1L << 40)).append(' ');
      drawn.append(random.nextInt(3, 17)).append(' ').append(random.nextBoolean()).append(' ');
      drawn.append(Double.toHexString(random.nextDouble())).append(' ');
      drawn.append(Float.toHexString(random.nextFloat())).append('\n');
    }
    assertThat(drawn)
        .hasToString(
            """
            525 679800452153 13 true 0x1.36ffc28cd7f3ep-2 0x1.63b8e8p-2
            87 62404088461 10 false 0x1.91a7fc356da2cp-1 0x1.5f619p-3
            22 1031531316195 7 false 0x1.0a82f7c36c2a4p-3 0x1.04e35p-4
            179 187253300500 11 true 0x1.84efc42d9f808p-2 0x1.f7265ap-1
            """);
  }
}
