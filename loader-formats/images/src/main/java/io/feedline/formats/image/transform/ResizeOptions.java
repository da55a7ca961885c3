package io.feedline.formats.image.transform;

import io.feedline.formats.image.pixel.Interpolation;
import java.util.Objects;

/**
 * The options that all transforms have which scale an image; not thread-safe.
 *
 * @param <B> the builder itself
 */
abstract class ResizeOptions<B extends ResizeOptions<B>> {
  private Interpolation interpolation = Interpolation.BILINEAR;
  private boolean antialias = true;

  @SuppressWarnings("unchecked")
  final B self() {
    return (B) this;
  }

  /** Sets the filter; {@link Interpolation#BILINEAR} by default. */
  public final B interpolation(Interpolation filter) {
    this.interpolation = Objects.requireNonNull(filter, "interpolation");
    return self();
  }

  /**
   * Sets whether the filter widens with a reduction, so that every pixel of the original counts;
   * true by default, as torchvision has it for PIL images always and for tensors by default.
   * Without, each new pixel is made of the four around its center, however many lie between these
   * and the next: faster, since other rows are not even read, but small detail flickers. The result
   * then equals what torchvision's {@code resize} makes of an 8-bit tensor with {@code
   * antialias=False} to one level of 255. Only for {@link Interpolation#BILINEAR}.
   */
  public final B antialias(boolean antialias) {
    this.antialias = antialias;
    return self();
  }

  /**
   * Returns the chosen scaling.
   *
   * @throws IllegalArgumentException if antialiasing is off for a filter other than bilinear
   */
  final Scaling scaling() {
    return new Scaling(interpolation, antialias);
  }
}
