package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.internal.HeapLimit;
import io.feedline.formats.image.kernel.internal.Workspace;
import io.feedline.formats.image.pixel.Region;
import io.feedline.internal.DecodingClock;
import io.feedline.internal.ReadMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * A mask for each object of an image, 1 in the object's pixels and 0 elsewhere: a {@code
 * tv_tensors.Mask} of torchvision with three axes. A UINT8 tensor of shape (n, height, width), for
 * instance segmentation; n may be 0. Like an {@link Image} this is a recipe: masks are decoded or
 * painted when they are written into a batch, and only for objects whose boxes were not removed.
 *
 * <p>A {@link JointTransform} moves the masks with the image, by the rules of torchvision's v2 for
 * masks: by the nearest pixel, with 0 for pixels from outside. If there is a mask for each box,
 * {@code SanitizeBoundingBoxes} removes the masks of removed boxes.
 *
 * <p>Immutable and thread-safe if the source of the masks is.
 */
public final class InstanceMasks implements TensorSource {

  /** An id that no mask has. */
  private static final int NOTHING = -1;

  private final Instances instances;
  private final MaskGeometry geometry;

  /** The indexes of the objects whose boxes were not removed. */
  private final int[] kept;

  private InstanceMasks(Instances instances, MaskGeometry geometry, int... kept) {
    this.geometry = geometry;
    this.instances = instances;
    this.kept = kept;
  }

  private interface Instances {

    /** Writes the masks of some objects, one after the other. */
    void write(MaskGeometry geometry, int[] objects, ByteBuffer target) throws IOException;
  }

  /** A painter of the mask of one object, for instance from polygons. Thread-safe. */
  @FunctionalInterface
  public interface Painter {
    /**
     * Paints a mask.
     *
     * @param object the number of the object, from 0
     * @param mask an array of zeros, row by row, in the size of the image; receives 1 where the
     *     object is
     * @throws IOException if the mask cannot be painted
     */
    void paint(int object, byte[] mask) throws IOException;
  }

  /**
   * Returns masks that are painted each time that they are written.
   *
   * @param count how many objects there are, 0 or more
   * @param painter paints each object once, on the thread that writes
   * @throws IllegalArgumentException if the count is negative, or there is no pixel
   */
  public static InstanceMasks painted(int count, int width, int height, Painter painter) {
    Objects.requireNonNull(painter, "painter");
    if (count < 0) {
      throw new IllegalArgumentException("count must be 0 or more, was " + count);
    }
    FloatRows.requireCanvas("masks", width, height);
    Instances instances = new Painted(painter, width, height);
    return new InstanceMasks(instances, MaskGeometry.of(width, height), all(count));
  }

  /**
   * Returns masks that are in memory.
   *
   * @param masks the masks one after the other, each row by row; a pixel other than 0 belongs to
   *     the object. Not copied: the array must not change as long as the masks are used
   * @param count number of masks, 0 or more
   * @throws IllegalArgumentException unless there is a byte for each pixel of each mask
   */
  public static InstanceMasks of(byte[] masks, int count, int width, int height) {
    if (masks.length != (long) count * width * height) {
      throw new IllegalArgumentException(
          "%d masks of %d x %d have %d bytes, the array has %d"
              .formatted(count, width, height, (long) count * width * height, masks.length));
    }
    int size = width * height;
    return painted(
        count,
        width,
        height,
        (object, mask) -> System.arraycopy(masks, object * size, mask, 0, size));
  }

  /**
   * Returns the masks of objects from one mask with all objects' ids, as in VOC and in COCO's
   * panoptic segmentation. The mask is decoded once for all objects.
   *
   * @param mask a mask in which each pixel is the id of its object
   * @param ids the ids of the objects, in the order of the masks
   */
  public static InstanceMasks ofIds(Mask mask, int... ids) {
    return new InstanceMasks(
        new Selected(mask, ids.clone()), mask.geometry().withFill(NOTHING), all(ids.length));
  }

  /** Returns the masks of several images of one size. The masks are made when they are written. */
  static InstanceMasks joined(List<InstanceMasks> all) {
    int count = all.stream().mapToInt(InstanceMasks::count).sum();
    int width = all.get(0).width();
    int height = all.get(0).height();
    return new InstanceMasks(
        new Joined(List.copyOf(all), width, height), MaskGeometry.of(width, height), all(count));
  }

  /** Masks of several images; an image's masks are written together, to decode its ids once. */
  private record Joined(List<InstanceMasks> each, int width, int height) implements Instances {

    @Override
    public void write(MaskGeometry geometry, int[] objects, ByteBuffer target) throws IOException {
      int size = Math.multiplyExact(geometry.width(), geometry.height());
      int first = 0;
      int to = 0;
      for (InstanceMasks masks : each) {
        int begin = first;
        int end = begin + masks.count();
        int[] own =
            Arrays.stream(objects)
                .filter(object -> object >= begin && object < end)
                .map(object -> masks.kept[object - begin])
                .toArray();
        byte[] made = new byte[Math.multiplyExact(own.length, Math.multiplyExact(width, height))];
        masks.instances.write(masks.geometry(), own, ByteBuffer.wrap(made));
        of(made, own.length, width, height)
            .instances
            .write(geometry, all(own.length), target.slice(to, own.length * size));
        to += own.length * size;
        first = end;
      }
    }
  }

  /** Returns the numbers from 0 to {@code count - 1}. */
  static int[] all(int count) {
    int[] objects = new int[count];
    Arrays.setAll(objects, i -> i);
    return objects;
  }

  /** Masks that are painted; each mask reuses the array of the mask before. */
  private record Painted(Painter painter, int width, int height) implements Instances {

    @Override
    public void write(MaskGeometry geometry, int[] objects, ByteBuffer target) throws IOException {
      byte[] painted = room(objects.length == 0 ? 0 : (long) width * height);
      IdSource source = IdSource.of(painted, width, height);
      Region result = new Region(0, 0, geometry.width(), geometry.height());
      int count = Math.multiplyExact(result.width(), result.height());
      try (Workspace workspace = Workspace.take()) {
        int[] ids = MaskGeometry.room(workspace, result.width(), result.height());
        int to = 0;
        for (int object : objects) {
          Arrays.fill(painted, (byte) 0);
          painter.paint(object, painted);
          geometry.read(source, result, ids);
          for (int i = 0; i < count; i++) {
            target.put(to++, (byte) (ids[i] == 0 ? 0 : 1));
          }
        }
      }
    }

    private byte[] room(long pixels) throws FormatException {
      if (pixels > Integer.MAX_VALUE - 8) {
        throw new FormatException(HeapLimit.refusal(width, height));
      }
      try {
        return new byte[(int) pixels];
      } catch (OutOfMemoryError full) {
        throw HeapLimit.refusal(full, width, height);
      }
    }
  }

  private record Selected(Mask mask, int... ids) implements Instances {

    @Override
    public void write(MaskGeometry geometry, int[] objects, ByteBuffer target) throws IOException {
      Region result = new Region(0, 0, geometry.width(), geometry.height());
      int count = Math.multiplyExact(result.width(), result.height());
      try (Workspace workspace = Workspace.take()) {
        int[] found = MaskGeometry.room(workspace, result.width(), result.height());
        mask.read(geometry, found);
        int to = 0;
        for (int object : objects) {
          for (int i = 0; i < count; i++) {
            target.put(to++, (byte) (found[i] == ids[object] ? 1 : 0));
          }
        }
      }
    }
  }

  MaskGeometry geometry() {
    return geometry;
  }

  /** Returns the number of columns. */
  public int width() {
    return geometry.width();
  }

  /** Returns the number of rows. */
  public int height() {
    return geometry.height();
  }

  /** Returns how many objects there are. */
  public int count() {
    return kept.length;
  }

  InstanceMasks with(MaskGeometry changed) {
    return changed == geometry ? this : new InstanceMasks(instances, changed, kept);
  }

  /** Returns the masks of the boxes to keep; all masks unless there is one for each box. */
  InstanceMasks keepBoxes(BitSet boxes, int count) {
    if (count != kept.length) {
      return this;
    }
    return new InstanceMasks(instances, geometry, boxes.stream().map(box -> kept[box]).toArray());
  }

  /** Returns UINT8. */
  @Override
  public DType dtype() {
    return DType.UINT8;
  }

  /** Returns (n, height, width). */
  @Override
  public Shape shape() {
    return Shape.of(kept.length, height(), width());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException if a mask cannot be decoded or painted
   */
  @Override
  public void writeTo(ByteBuffer target) throws IOException {
    DecodingClock clock = ReadMeter.clock();
    if (clock != null) {
      clock.decode();
    }
    instances.write(geometry, kept, target);
    if (clock != null) {
      clock.decoded(0);
    }
  }

  /** Returns count and size, for example {@code InstanceMasks[3 of 640 x 480]}. */
  @Override
  public String toString() {
    return "InstanceMasks[%d of %d x %d]".formatted(kept.length, width(), height());
  }
}
