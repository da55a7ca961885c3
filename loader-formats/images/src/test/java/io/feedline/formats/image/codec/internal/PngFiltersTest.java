package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares with the definitions of the PNG specification, chapter 9. */
class PngFiltersTest {

  private static final int PIXELS = 50;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 8})
  void shouldRestoreWhatWasFiltered(int pixelBytes) throws Exception {
    int length = PIXELS * pixelBytes;
    byte[] rows = new byte[2 * length];
    new Random(pixelBytes).nextBytes(rows);
    for (int filter = 0; filter <= 4; filter++) {
      byte[] bytes = rows.clone();
      for (int i = 0; i < length; i++) {
        int left = i < pixelBytes ? 0 : rows[length + i - pixelBytes] & 0xFF;
        int above = rows[i] & 0xFF;
        int corner = i < pixelBytes ? 0 : rows[i - pixelBytes] & 0xFF;
        bytes[length + i] -= (byte) predicted(filter, left, above, corner);
      }

      PngFilters.restore(filter, bytes, length, 0, length, pixelBytes);

      assertThat(bytes).as("filter %d", filter).isEqualTo(rows);
    }
  }

  private static int predicted(int filter, int left, int above, int corner) {
    int estimate = left + above - corner;
    int toLeft = Math.abs(estimate - left);
    int toAbove = Math.abs(estimate - above);
    int toCorner = Math.abs(estimate - corner);
    int paeth =
        toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
    return new int[] {0, left, above, (left + above) / 2, paeth}[filter];
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 255})
  void shouldRefuseAFilterThatThereIsNot(int filter) {
    byte[] bytes = new byte[12];
    Arrays.fill(bytes, (byte) 7);
    assertThatThrownBy(() -> PngFilters.restore(filter, bytes, 6, 0, 6, 3))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("filter " + filter);
  }
}
