package io.feedline.formats.image.transform;

import io.feedline.formats.image.Border;
import io.feedline.formats.image.pixel.PaddingMode;
import java.util.Objects;

/**
 * The options that all transforms have which add a border; not thread-safe.
 *
 * @param <B> the builder itself
 */
abstract class BorderOptions<B extends BorderOptions<B>> {
  private PaddingMode mode = PaddingMode.CONSTANT;
  private int fill = Fill.BLACK;

  @SuppressWarnings("unchecked")
  final B self() {
    return (B) this;
  }

  /** Sets what borders are filled with; {@link PaddingMode#CONSTANT} by default. */
  public final B mode(PaddingMode mode) {
    this.mode = Objects.requireNonNull(mode, "mode");
    return self();
  }

  /**
   * Sets the color of constant borders; black by default.
   *
   * @throws IllegalArgumentException if one of them is not within 0 to 255
   */
  public final B fill(int red, int green, int blue) {
    this.fill = Fill.of(red, green, blue);
    return self();
  }

  /**
   * Returns a border of these sizes.
   *
   * @throws IllegalArgumentException if one is negative or above 2^24, or a color is given for a
   *     mode that does not use it
   */
  final Border border(int left, int top, int right, int bottom) {
    Fill.checkMode(fill, mode);
    return new Border(left, top, right, bottom, mode, fill);
  }
}
