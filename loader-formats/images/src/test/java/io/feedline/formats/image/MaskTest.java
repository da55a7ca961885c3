package io.feedline.formats.image;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Masks of make_masks.py, whose ids follow from their places. */
class MaskTest {

  private static final int WIDTH = 19;
  private static final int HEIGHT = 11;

  private static byte[] file(String name) {
    return Fixtures.bytes(name);
  }

  private static Mask mask(String name) throws IOException {
    return Mask.ofEncoded(file(name), name);
  }

  private static int[] expected(int bits) {
    int[] ids = new int[WIDTH * HEIGHT];
    for (int i = 0; i < ids.length; i++) {
      int sum = 3 * (i % WIDTH) + 5 * (i / WIDTH);
      ids[i] = sum * (bits == 16 ? 257 : 1) % (1 << bits);
    }
    return ids;
  }

  @ParameterizedTest
  @CsvSource({
    "palette_1.png",
    "palette_2.png",
    "palette_4.png",
    "palette_8.png",
    "palette_8.tif",
    "palette_8.bmp",
    "gray_1.png",
    "gray_2.png",
    "gray_4.png",
    "gray_8.png",
    "gray_8.tif",
    "gray_16.png",
    "gray_16.tif",
    "alpha_8.png",
    "alpha_16.png",
    "interlaced_4.png"
  })
  void shouldGiveTheNumbersThatAreStoredAndNotTheirColors(String name) throws Exception {
    int bits = Integer.parseInt(name.replaceAll("\\D", ""));
    Mask mask = mask("mask_" + name);

    assertThat(mask.width()).isEqualTo(WIDTH);
    assertThat(mask.height()).isEqualTo(HEIGHT);
    assertThat(mask.ids()).containsExactly(expected(bits));
    Region part = new Region(4, 3, 9, 5);
    int[] cropped = new int[9 * 5];
    for (int i = 0; i < cropped.length; i++) {
      cropped[i] = expected(bits)[(3 + i / 9) * WIDTH + 4 + i % 9];
    }
    assertThat(mask.with(mask.geometry().crop(part)).ids())
        .as("of a part")
        .containsExactly(cropped);
  }

  @Test
  void shouldTakeColorsForIdsOnlyWhereAsked() throws Exception {
    byte[] png = file("mask_colors_24.png");

    assertThat(Mask.ofEncodedColors(png, "panoptic.png").ids())
        .containsExactly(Arrays.stream(expected(16)).map(id -> id * 200).toArray());
    assertThatThrownBy(() -> Mask.ofEncoded(png, "panoptic.png").ids())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("panoptic.png: the mask is an RGB PNG")
        .hasMessageContaining("Mask.ofEncodedColors");
  }

  @Test
  void shouldRefuseFormatsThatLoseIds() {
    byte[] jpeg = file("mask_gray_8.jpg");

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> Mask.ofEncoded(jpeg, "a.jpg"), () -> Mask.ofEncodedColors(jpeg, "a.jpg"))) {
      refused(FormatException.class, call, "a.jpg", "PNG, TIFF or BMP", "JPEG");
    }
  }

  @Test
  void shouldNameTheFileOfABrokenMask() throws Exception {
    byte[] png = file("mask_gray_8.png");
    Mask cut = Mask.ofEncoded(Arrays.copyOf(png, png.length - 20), "masks/7.png");

    refused(IOException.class, cut::ids, "masks/7.png", "truncated");
    assertThatThrownBy(() -> TestTargets.written(cut)).hasMessageContaining("masks/7.png");
  }

  @Test
  void shouldBeATensorOfTheTypeThatIsAskedFor() throws Exception {
    Mask mask = Mask.ofIds(new int[] {0, 5, 255, 70, 1, 2}, 3, 2);

    assertThat(mask.dtype()).isEqualTo(DType.INT32);
    assertThat(mask.shape()).isEqualTo(Shape.of(2, 3));
    int[] ints = new int[6];
    TestTargets.written(mask).asIntBuffer().get(ints);
    assertThat(ints).containsExactly(0, 5, 255, 70, 1, 2);
    assertThat(TestTargets.longs(mask.toTensor(DType.INT64))).containsExactly(0, 5, 255, 70, 1, 2);
    byte[] bytes = TestTargets.written(mask.toTensor(DType.UINT8)).array();
    assertThat(bytes).containsExactly(0, 5, -1, 70, 1, 2);
    assertThat(Mask.ofIds(bytes, 3, 2).ids()).containsExactly(0, 5, 255, 70, 1, 2);
    assertThatThrownBy(() -> mask.toTensor(DType.FLOAT32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UINT8, INT32 or INT64, was FLOAT32");
  }

  @Test
  void shouldRefuseAnIdThatItsTypeCannotHold() throws Exception {
    Mask mask = mask("mask_gray_16.png");

    assertThatThrownBy(() -> TestTargets.written(mask))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("mask_gray_16.png: the id at (1, 0) is 771")
        .hasMessageContaining("toTensor(DType.INT64)");
  }

  @Test
  void shouldFillWhatComesFromOutsideWithTheIdOfThatTime() throws Exception {
    Mask mask = Mask.ofIds(new byte[] {1, 2}, 2, 1).withFill(255);

    Mask once = mask.with(mask.geometry().crop(new Region(-1, 0, 3, 1))).withFill(9);
    Mask twice = once.with(once.geometry().crop(new Region(-1, 0, 4, 2)));

    assertThat(twice.ids()).containsExactly(9, 255, 1, 2, 9, 9, 9, 9);
    assertThat(twice.fill()).isEqualTo(9);
  }

  @Test
  void shouldRefuseIdsThatAreNone() {
    assertThatThrownBy(() -> Mask.ofIds(new int[] {0, 1, 2, Mask.MAX_ID + 1}, 2, 2))
        .hasMessageContaining("the id at (1, 1) must be 0 to 16777215, was 16777216");
    assertThatThrownBy(() -> Mask.ofIds(new int[] {-1}, 1, 1)).hasMessageContaining("was -1");
    assertThatThrownBy(() -> Mask.ofIds(new byte[5], 2, 3))
        .hasMessageContaining("a mask of 2 x 3 has 6 ids, the array has 5");
    assertThatThrownBy(() -> Mask.ofIds(new byte[0], 0, 3)).hasMessageContaining("0 x 3");
    assertThatThrownBy(() -> Mask.ofIds(new byte[1], 1, 1).withFill(-2))
        .hasMessageContaining("fill must be 0 to 16777215, was -2");
  }
}
