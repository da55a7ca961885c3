package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SubsetRandomSamplerTest extends SamplerContract {

  /** Two of them twice. */
  private static final long[] SUBSET =
      LongStream.concat(LongStream.range(0, 198).map(i -> i * 1_000_000_007L), LongStream.of(0, 0))
          .toArray();

  SubsetRandomSamplerTest() {
    super(
        seed -> SubsetRandomSampler.of(SUBSET, seed),
        200,
        50000000350L,
        154000001078L,
        122000000854L,
        46000000322L);
  }

  @Override
  protected void verifyContents(long[] indices) {
    assertThat(sorted(indices)).isEqualTo(sorted(SUBSET));
  }

  @Test
  void shouldNotSeeLaterChangesOfTheArray() {
    long[] indices = {5, 6, 7};
    Sampler sampler = SubsetRandomSampler.of(indices, 1);
    indices[0] = 99;
    assertThat(sorted(indices(sampler.order(0)))).containsExactly(5, 6, 7);
  }

  @Test
  void shouldGiveAnEmptyEpochOfNothing() {
    assertThat(SubsetRandomSampler.of(new long[0], 1).order(0).size()).isZero();
  }

  @Test
  void shouldRejectNegativeIndices() {
    assertRefused(() -> SubsetRandomSampler.of(new long[] {1, -3}, 1), "-3 at position 1");
  }
}
