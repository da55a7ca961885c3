package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Golden;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares with the parts that torchvision took; torchvision_crops.py made the file. */
class TorchvisionCropsTest {

  static List<String[]> cases() throws IOException {
    return Golden.lines("torchvision_crops.txt");
  }

  @ParameterizedTest(name = "seed {0}, {1}x{2}, scale {3} to {4}, ratio {5} to {6}")
  @MethodSource("cases")
  void shouldTakeThePartThatTorchvisionTakes(
      long seed,
      int width,
      int height,
      double minScale,
      double maxScale,
      double minRatio,
      double maxRatio,
      int x,
      int y,
      int cropWidth,
      int cropHeight,
      int nextWord) {
    TorchRandom random = TorchRandom.ofSeed(seed);
    RandomResizedCrop transform =
        RandomResizedCrop.of(224).withScale(minScale, maxScale).withRatio(minRatio, maxRatio);

    Region part = transform.draw(width, height, random);

    assertThat(part).isEqualTo(new Region(x, y, cropWidth, cropHeight));
    assertThat(random.nextInt() & Integer.MAX_VALUE).isEqualTo(nextWord);
  }
}
