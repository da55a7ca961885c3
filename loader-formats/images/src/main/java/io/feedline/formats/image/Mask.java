package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.codec.internal.HeapLimit;
import io.feedline.formats.image.kernel.internal.Workspace;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.internal.DecodingClock;
import io.feedline.internal.ReadMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Objects;

/**
 * A number for each pixel of an image, such as its class: torchvision's {@code tv_tensors.Mask}. A
 * tensor of shape (height, width), UINT8, INT32 or INT64, for semantic segmentation. Like an {@link
 * Image}, a mask is a recipe: it is decoded when it is written into its row of a batch. Only the
 * needed part is decoded if the decoder can do so.
 *
 * <pre>{@code
 * Mask mask =
 *     Mask.ofEncoded(Files.readAllBytes(file), file.toString())
 *         .withFill(255)
 *         .toTensor(DType.INT64);
 * }</pre>
 *
 * <p>A {@link JointTransform} moves the mask with the image, by the rules of torchvision's v2 for
 * tensors: always by the nearest pixel, even if the image has another filter, with {@link #fill}
 * for pixels from outside. Changes of colors, normalization and erasing do not change the mask.
 *
 * <p>Ids are 0 to 2^24 - 1. Immutable and thread-safe if the caller does not change the memory with
 * the ids.
 */
public final class Mask implements TensorSource {

  /** The largest id. */
  public static final int MAX_ID = (1 << 24) - 1;

  private static final int LARGEST_BYTE = 255;

  private final String description;
  private final ImageSource source;
  private final MaskGeometry geometry;
  private final DType dtype;

  private Mask(String description, ImageSource source, MaskGeometry geometry, DType dtype) {
    this.geometry = geometry;
    this.description = description;
    this.source = source;
    this.dtype = dtype;
  }

  private static Mask of(ImageSource source, String description, DType dtype) {
    FloatRows.requireCanvas("ids", source.width(), source.height());
    return new Mask(description, source, MaskGeometry.of(source.width(), source.height()), dtype);
  }

  /**
   * Returns an encoded mask in memory, UINT8, with the default options.
   *
   * @throws FormatException if the bytes are not an image, the header is corrupt, or the image is
   *     too large
   * @see #ofEncoded(byte[], String, DecodeOptions)
   */
  public static Mask ofEncoded(byte[] encoded, String description) throws FormatException {
    return ofEncoded(encoded, description, DecodeOptions.DEFAULT);
  }

  /**
   * Returns an encoded mask in memory, UINT8. Its header is read, nothing is decoded. The ids are
   * the stored numbers: the palette indices of an image with a palette, and the unscaled values of
   * a gray image of 1, 2, 4, 8 or 16 bits. Decoding an image with colors and no palette fails; see
   * {@link #ofEncodedColors}.
   *
   * @param encoded the whole file: PNG, TIFF or BMP. Not copied: it must not change as long as the
   *     mask is used
   * @param description a path or key that errors name
   * @param options the largest size, and whether EXIF's orientation is applied; use the options of
   *     the image
   * @throws FormatException if the bytes are not an image in these formats, the header is corrupt,
   *     or the image is too large
   */
  public static Mask ofEncoded(byte[] encoded, String description, DecodeOptions options)
      throws FormatException {
    Objects.requireNonNull(description, "description");
    try {
      return of(EncodedSource.ofIds(encoded, options), description, DType.UINT8);
    } catch (FormatException refused) {
      throw new FormatException(description + ": " + refused.getMessage(), refused);
    }
  }

  /**
   * Returns an encoded mask whose colors are ids of 24 bits, INT32: {@code red + 256 * green +
   * 65536 * blue}, as in COCO's panoptic segmentation.
   *
   * @param encoded the whole file: PNG, TIFF or BMP. Not copied: it must not change as long as the
   *     mask is used
   * @param description a path or key that errors name
   * @throws FormatException if the bytes are not an image in these formats, the header is corrupt,
   *     or the image is too large
   */
  public static Mask ofEncodedColors(byte[] encoded, String description) throws FormatException {
    Objects.requireNonNull(description, "description");
    try {
      EncodedSource.requireIds(encoded, DecodeOptions.DEFAULT);
      EncodedSource colors =
          EncodedSource.of(encoded, DecodeOptions.DEFAULT, ScanIndexStore.Place.NOWHERE);
      return of(colors, description, DType.INT32);
    } catch (FormatException refused) {
      throw new FormatException(description + ": " + refused.getMessage(), refused);
    }
  }

  /**
   * Returns a mask of ids in memory, UINT8.
   *
   * @param ids unsigned bytes, row by row. Not copied: the array must not change as long as the
   *     mask is used
   * @throws IllegalArgumentException unless there is an id for each pixel, and at least one pixel
   */
  public static Mask ofIds(byte[] ids, int width, int height) {
    requireCount(ids.length, width, height);
    return of(IdSource.of(ids, width, height), "ids in memory", DType.UINT8);
  }

  /**
   * Returns a mask of ids in memory, INT32.
   *
   * @param ids from 0 to {@link #MAX_ID}, row by row. Not copied: the array must not change as long
   *     as the mask is used
   * @throws IllegalArgumentException unless there is an id for each pixel, at least one pixel, and
   *     no id out of range
   */
  public static Mask ofIds(int[] ids, int width, int height) {
    requireCount(ids.length, width, height);
    for (int i = 0; i < ids.length; i++) {
      if (!isId(ids[i])) {
        throw notAnId("the id at (%d, %d)".formatted(i % width, i / width), ids[i]);
      }
    }
    return of(IdSource.of(ids, width, height), "ids in memory", DType.INT32);
  }

  private static void requireCount(int count, int width, int height) {
    if (count != (long) width * height) {
      throw new IllegalArgumentException(
          "a mask of %d x %d has %d ids, the array has %d"
              .formatted(width, height, (long) width * height, count));
    }
  }

  private static boolean isId(int id) {
    return id >= 0 && id <= MAX_ID;
  }

  private static IllegalArgumentException notAnId(String what, int id) {
    return new IllegalArgumentException("%s must be 0 to %d, was %d".formatted(what, MAX_ID, id));
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

  /** Returns the source of the mask for errors, such as a path or a key. */
  public String description() {
    return description;
  }

  /** Returns the id of pixels from outside the mask: 0 unless set by {@link #withFill}. */
  public int fill() {
    return geometry.fill();
  }

  /**
   * Returns this mask with another id for pixels from outside, in later operations: padding with a
   * constant, crops beyond the edges, turns and warps. For example, use 255 if the loss ignores
   * class 255. In torchvision each of these transforms has its own fill, and crops always fill with
   * 0.
   *
   * @throws IllegalArgumentException if the id is not within 0 to {@link #MAX_ID}
   */
  public Mask withFill(int id) {
    if (!isId(id)) {
      throw notAnId("fill", id);
    }
    return with(geometry.withFill(id));
  }

  /**
   * Returns this mask as a tensor of another type.
   *
   * @param dtype UINT8, INT32 or INT64. Writing a mask of UINT8 fails if it has an id above 255
   * @throws IllegalArgumentException if the dtype is another one
   */
  public Mask toTensor(DType dtype) {
    if (dtype != DType.UINT8 && dtype != DType.INT32 && dtype != DType.INT64) {
      throw new IllegalArgumentException(
          "the dtype of a mask must be UINT8, INT32 or INT64, was " + dtype);
    }
    return new Mask(description, source, geometry, dtype);
  }

  /**
   * Decodes and transforms the mask now, for code that needs its ids.
   *
   * @return the id of each pixel, row by row, in a new array
   * @throws IOException if the mask cannot be decoded
   * @throws ArithmeticException if there are 2^31 ids or more
   */
  public int[] ids() throws IOException {
    int count = Math.multiplyExact(width(), height());
    try {
      int[] ids = new int[count];
      read(geometry, ids);
      return ids;
    } catch (OutOfMemoryError full) {
      throw Image.named(HeapLimit.refusal(full, width(), height()), description);
    }
  }

  private int[] room(Workspace workspace) throws IOException {
    try {
      return MaskGeometry.room(workspace, width(), height());
    } catch (IOException e) {
      throw Image.named(e, description);
    }
  }

  /** Reads the ids of this mask's source, moved by the geometry {@code moved}. */
  void read(MaskGeometry moved, int[] ids) throws IOException {
    try {
      moved.read(source, new Region(0, 0, moved.width(), moved.height()), ids);
    } catch (IOException e) {
      throw Image.named(e, description);
    }
  }

  Mask with(MaskGeometry changed) {
    return changed == geometry ? this : new Mask(description, source, changed, dtype);
  }

  @Override
  public DType dtype() {
    return dtype;
  }

  /** Returns (height, width). */
  @Override
  public Shape shape() {
    return Shape.of(height(), width());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException if the mask cannot be decoded, or has an id that the type cannot hold
   */
  @Override
  public void writeTo(ByteBuffer target) throws IOException {
    try (Workspace workspace = Workspace.take()) {
      int[] ids = room(workspace);
      int count = width() * height();
      DecodingClock clock = ReadMeter.clock();
      if (clock != null) {
        clock.decode();
      }
      read(geometry, ids);
      if (clock != null) {
        clock.decoded(0);
      }
      switch (dtype) {
        case UINT8 -> writeBytes(ids, count, target);
        case INT32 -> {
          IntBuffer ints = target.asIntBuffer();
          ints.put(ids, 0, count);
        }
        default -> {
          LongBuffer longs = target.asLongBuffer();
          for (int i = 0; i < count; i++) {
            longs.put(i, ids[i]);
          }
        }
      }
    }
  }

  private void writeBytes(int[] ids, int count, ByteBuffer target) throws FormatException {
    for (int i = 0; i < count; i++) {
      if (ids[i] > LARGEST_BYTE) {
        throw new FormatException(
            "%s: the id at (%d, %d) is %d, which UINT8 cannot hold; use toTensor(DType.INT64)"
                .formatted(description, i % width(), i / width(), ids[i]));
      }
      target.put(i, (byte) ids[i]);
    }
  }

  /** Returns source, size and dtype, for example {@code Mask[cat.png: 500 x 375 INT64]}. */
  @Override
  public String toString() {
    return "Mask[%s: %d x %d %s]".formatted(description, width(), height(), dtype);
  }
}
