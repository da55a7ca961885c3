package io.feedline.transform;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SampleRandomTest {

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
