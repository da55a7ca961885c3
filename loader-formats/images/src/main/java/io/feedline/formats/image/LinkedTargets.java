package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * All linked targets of an image, in order. Most images have no targets and pay nothing: each
 * operation returns the same {@link #NONE}.
 */
final class LinkedTargets {

  static final LinkedTargets NONE = new LinkedTargets(List.of());

  private final List<LinkedTarget> all;

  private LinkedTargets(List<LinkedTarget> all) {
    this.all = all;
  }

  static LinkedTargets of(List<? extends LinkedTarget> all) {
    return all.isEmpty() ? NONE : new LinkedTargets(List.copyOf(all));
  }

  List<LinkedTarget> all() {
    return all;
  }

  /** These, and then others. */
  LinkedTargets and(LinkedTargets others) {
    if (this == NONE) {
      return others;
    }
    List<LinkedTarget> together = new ArrayList<>(all);
    together.addAll(others.all);
    return of(together);
  }

  /** Returns the targets of a type. */
  <T extends LinkedTarget> List<T> ofType(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private LinkedTargets each(UnaryOperator<LinkedTarget> change) {
    List<LinkedTarget> changed = new ArrayList<>(all.size());
    for (LinkedTarget linkedTarget : all) {
      changed.add(change.apply(linkedTarget));
    }
    return new LinkedTargets(List.copyOf(changed));
  }

  LinkedTargets crop(Region part) {
    return this == NONE ? this : each(c -> c.crop(part));
  }

  LinkedTargets resize(int width, int height, Interpolation interpolation, boolean antialias) {
    return this == NONE ? this : each(c -> c.resize(width, height, interpolation, antialias));
  }

  LinkedTargets flipHorizontal() {
    return this == NONE ? this : each(LinkedTarget::flipHorizontal);
  }

  LinkedTargets flipVertical() {
    return this == NONE ? this : each(LinkedTarget::flipVertical);
  }

  LinkedTargets turn(int quarters) {
    return this == NONE ? this : each(c -> c.turn(quarters));
  }

  LinkedTargets rotate(LinkedTarget.Rotation rotation) {
    return this == NONE ? this : each(c -> c.rotate(rotation));
  }

  LinkedTargets affine(AffineMatrix matrix, int width, int height, Interpolation filter, int fill) {
    return this == NONE ? this : each(c -> c.affine(matrix, width, height, filter, fill));
  }

  LinkedTargets perspective(PerspectiveMatrix matrix, Interpolation filter, int fill) {
    return this == NONE ? this : each(c -> c.perspective(matrix, filter, fill));
  }

  LinkedTargets displace(Displacement displacement, Interpolation filter, int fill) {
    return this == NONE ? this : each(c -> c.displace(displacement, filter, fill));
  }

  LinkedTargets pad(Border border) {
    return this == NONE ? this : each(c -> c.pad(border));
  }

  LinkedTargets map(PixelOperation operation) {
    return this == NONE ? this : each(c -> c.map(operation));
  }

  LinkedTargets convert(ImageMode mode) {
    return this == NONE ? this : each(c -> c.convert(mode));
  }

  LinkedTargets toEightBits() {
    return this == NONE ? this : each(LinkedTarget::toEightBits);
  }

  LinkedTargets scaleTo1() {
    return this == NONE ? this : each(LinkedTarget::scaleTo1);
  }

  LinkedTargets normalize(float[] mean, float[] std) {
    return this == NONE ? this : each(c -> c.normalize(mean, std));
  }

  LinkedTargets toTensor(DType dtype, ImageLayout layout) {
    return this == NONE ? this : each(c -> c.toTensor(dtype, layout));
  }

  LinkedTargets erase(Region part, float... values) {
    return this == NONE ? this : each(c -> c.erase(part, values));
  }

  LinkedTargets eraseWithNoise(Region part, long seed) {
    return this == NONE ? this : each(c -> c.eraseWithNoise(part, seed));
  }

  LinkedTargets keepBoxes(BitSet kept, int boxes) {
    return this == NONE ? this : each(c -> c.keepBoxes(kept, boxes));
  }

  /** With other boxes in the place of the only ones. */
  LinkedTargets withBoxes(BoundingBoxes boxes) {
    return each(c -> c instanceof BoundingBoxes ? boxes : c);
  }
}
