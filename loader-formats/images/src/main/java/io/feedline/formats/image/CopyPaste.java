package io.feedline.formats.image;

import io.feedline.data.Dataset;
import io.feedline.formats.image.MixedSource.Layer;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.Draw;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;

/** The transform of {@link JointTransform#copyPaste}. */
final class CopyPaste<S> extends SampleMixture<S> {

  /** The radius of the 5 x 5 blur with which torchvision's reference widens the pasted area. */
  private static final int REACH = 2;

  private final boolean blending;

  CopyPaste(Dataset<S> others, boolean blending) {
    super(others);
    this.blending = blending;
  }

  @Override
  public S apply(S sample, RandomGenerator random) throws Exception {
    requireNoPoints(sample);
    ImageMode mode = mode(sample);
    S other = another(random);
    requireNoRows(List.of(sample, other));
    int objects = one(other, InstanceMasks.class).count();
    if (objects == 0) {
      return sample;
    }
    BitSet chosen = new BitSet();
    for (int i = 0; i < objects; i++) {
      chosen.set(Draw.below(random, objects));
    }
    Region canvas = new Region(0, 0, image(sample).width(), image(sample).height());
    requireMaskForEachBox(sample);
    requireMaskForEachBox(other);
    S scaled =
        moved(
            other,
            image ->
                image
                    .keepBoxes(chosen)
                    .resize(canvas.width(), canvas.height(), Interpolation.BILINEAR));
    InstanceMasks objectMasks = one(scaled, InstanceMasks.class);
    byte[] each = bytes(objectMasks);
    S pasted =
        with(
            scaled,
            InstanceMasks.class,
            InstanceMasks.of(each, objectMasks.count(), canvas.width(), canvas.height()));
    byte[] pasting = area(each, canvas.width(), canvas.height());
    S covered = covered(sample, pasting);
    List<Layer> layers =
        List.of(
            new Layer(pixels(covered, mode), canvas, (below, own, at) -> own),
            new Layer(
                pixels(pasted, mode),
                bounds(pasting, canvas.width(), canvas.height()),
                (below, own, at) -> pasting[at] == 0 ? below : own));
    MixedSource mixed = new MixedSource(layers, canvas.width(), canvas.height(), mode, 0);
    return moved(joined(List.of(covered, pasted), mixed), CopyPaste::withoutFlatBoxes);
  }

  private void requireNoPoints(S sample) {
    if (!SampleParts.ofType(KeyPoints.class, sample).isEmpty()) {
      throw new IllegalArgumentException(
          "%s takes no points, since it cannot tell which are covered: leave them out"
              .formatted(this));
    }
  }

  private void requireMaskForEachBox(S sample) {
    int masks = one(sample, InstanceMasks.class).count();
    int boxes = one(sample, BoundingBoxes.class).count();
    if (masks != boxes) {
      throw new IllegalArgumentException(
          "%s needs a mask for each box, found %s and %s in %s"
              .formatted(
                  this,
                  Counts.of(masks, "mask"),
                  Counts.of(boxes, "box"),
                  image(sample).description()));
    }
  }

  static byte[] bytes(InstanceMasks masks) throws IOException {
    byte[] bytes =
        new byte
            [Math.toIntExact(
                Math.multiplyExact((long) masks.count(), (long) masks.width() * masks.height()))];
    masks.writeTo(ByteBuffer.wrap(bytes));
    return bytes;
  }

  private byte[] area(byte[] each, int width, int height) {
    byte[] all = new byte[width * height];
    for (int i = 0; i < each.length; i++) {
      all[i % all.length] |= each[i];
    }
    return blending ? widened(widened(all, width, 1), width, width) : all;
  }

  /** Returns the mask, widened by {@link #REACH} pixels on both sides along one axis. */
  private static byte[] widened(byte[] mask, int width, int step) {
    int length = step == 1 ? width : mask.length / width;
    byte[] widened = new byte[mask.length];
    for (int i = 0; i < mask.length; i++) {
      int along = step == 1 ? i % width : i / width;
      for (int by = -REACH; by <= REACH && widened[i] == 0; by++) {
        if (along + by >= 0 && along + by < length) {
          widened[i] = mask[i + by * step];
        }
      }
    }
    return widened;
  }

  /** Returns the sample whose masks lost the pasted pixels, with boxes around these masks. */
  private S covered(S sample, byte[] pasting) throws Exception {
    InstanceMasks before = one(sample, InstanceMasks.class);
    byte[] masks = bytes(before);
    int size = pasting.length;
    BitSet left = new BitSet();
    for (int i = 0; i < masks.length; i++) {
      if (pasting[i % size] != 0) {
        masks[i] = 0;
      } else if (masks[i] != 0) {
        left.set(i / size);
      }
    }
    byte[] kept = new byte[left.cardinality() * size];
    float[] edges = new float[4 * left.cardinality()];
    int object = 0;
    for (int i = left.nextSetBit(0); i >= 0; i = left.nextSetBit(i + 1), object++) {
      System.arraycopy(masks, i * size, kept, object * size, size);
      byte[] one = Arrays.copyOfRange(masks, i * size, (i + 1) * size);
      Region bounds = bounds(one, before.width(), before.height());
      // The right and lower edges are the last pixel, not the next, as in masks_to_boxes.
      edges[4 * object] = bounds.x();
      edges[4 * object + 1] = bounds.y();
      edges[4 * object + 2] = bounds.x() + bounds.width() - 1;
      edges[4 * object + 3] = bounds.y() + bounds.height() - 1;
    }
    BoundingBoxes boxes = one(sample, BoundingBoxes.class);
    BoundingBoxes around =
        BoundingBoxes.of(edges, BoundingBoxes.Format.XYXY, before.width(), before.height())
            .withClamping(boxes.clamping())
            .convert(boxes.format());
    S fewer = moved(sample, image -> image.keepBoxes(left).withBoxes(around));
    InstanceMasks masksLeft =
        InstanceMasks.of(kept, left.cardinality(), before.width(), before.height());
    return with(fewer, InstanceMasks.class, masksLeft);
  }

  /** Returns the smallest part with all set pixels of a mask; the whole image for an empty mask. */
  private static Region bounds(byte[] mask, int width, int height) {
    int left = width;
    int top = height;
    int right = -1;
    int bottom = -1;
    for (int i = 0; i < mask.length; i++) {
      if (mask[i] != 0) {
        left = Math.min(left, i % width);
        right = Math.max(right, i % width);
        top = Math.min(top, i / width);
        bottom = i / width;
      }
    }
    return right < 0
        ? new Region(0, 0, width, height)
        : new Region(left, top, right - left + 1, bottom - top + 1);
  }

  private static Image withoutFlatBoxes(Image image) {
    BoundingBoxes boxes = image.boxes().orElseThrow();
    float[] edges = boxes.convert(BoundingBoxes.Format.XYXY).toArray();
    BitSet kept = new BitSet();
    for (int i = 0; i < boxes.count(); i++) {
      kept.set(i, edges[4 * i + 2] > edges[4 * i] && edges[4 * i + 3] > edges[4 * i + 1]);
    }
    return kept.cardinality() == boxes.count() ? image : image.keepBoxes(kept);
  }

  @Override
  public String toString() {
    return "CopyPaste(blending=%b, of %s)".formatted(blending, inWords());
  }
}
