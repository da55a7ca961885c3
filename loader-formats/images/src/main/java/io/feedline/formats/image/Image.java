package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.codec.internal.HeapLimit;
import io.feedline.formats.image.codec.internal.ImageHeaders;
import io.feedline.formats.image.codec.internal.StoredMode;
import io.feedline.formats.image.kernel.internal.Resampler;
import io.feedline.formats.image.kernel.internal.RowWriter;
import io.feedline.formats.image.kernel.internal.Samples;
import io.feedline.formats.image.kernel.internal.Workspace;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.RgbSource;
import io.feedline.formats.internal.TensorChecks;
import io.feedline.formats.jpeg.coefficients.internal.BaselineEncoder;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.store.ImageFormat;
import io.feedline.internal.Counts;
import io.feedline.internal.DecodingClock;
import io.feedline.internal.ReadMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * An image as a recipe: the source of its pixels, and the operations on them. The size is known,
 * but nothing is decoded. Every method that changes the image returns a new recipe and costs almost
 * nothing. The work is done once, when the image {@linkplain #writeTo writes itself} into its row
 * of a batch, and only for the pixels of the result.
 *
 * <p>The recipe has two halves. Geometry (crop, resize, flip) is applied in the order of the calls.
 * Then, whatever the order of the calls, values become a tensor: float32, divided by 255 and
 * optionally normalized, or unsigned bytes. So the color of padding is normalized, too. Samples of
 * 16 bits ({@link ImageMode#GRAY16}) are not divided, and become float32, int32 or uint16. Only
 * {@link #erase} is applied after normalization: a later change of the pixels of an erased image
 * throws {@link IllegalStateException}. Changes of color, and turns, are applied in the order of
 * the calls, too. A new image is float32 in {@link ImageLayout#CHW}, as after torchvision's
 * ToTensor.
 *
 * <p>The results equal Pillow's and torchvision's bit for bit, given the same decoded pixels, in
 * every {@link ImageMode}; {@link #map} describes an exception for alpha, and samples of 16 bits
 * are clipped where Pillow's overflow.
 *
 * <p>Immutable and thread-safe if the memory or file behind it does not change. Sides are 1 to 2^24
 * pixels; a result that is held in one array or buffer has at most 2^31 - 1 bytes.
 */
public final class Image implements TensorSource {

  /** The largest number of rows or columns. */
  public static final int MAX_SIDE = Geometry.MAX_SIDE;

  private final String description;
  private final Geometry geometry;
  private final TensorForm form;
  private final LinkedTargets linkedTargets;

  private Image(
      String description, Geometry geometry, TensorForm form, LinkedTargets linkedTargets) {
    this.description = description;
    this.geometry = geometry;
    this.form = form;
    this.linkedTargets = linkedTargets;
  }

  /**
   * Returns the recipe that leaves the pixels of a source as they are.
   *
   * @param description a path or key that errors name
   */
  public static Image of(ImageSource source, String description) {
    return new Image(
        description, Geometry.of(source), TensorForm.of(source.mode()), LinkedTargets.NONE);
  }

  /**
   * Returns an image whose pixels are in memory already, decoded.
   *
   * @param rgb rows from the top, pixels interleaved, unsigned bytes. Not copied: the array must
   *     not change as long as the image is used
   * @throws IllegalArgumentException unless {@code rgb} has {@code 3 * width * height} bytes and
   *     the image at least one pixel
   */
  public static Image ofRgb(byte[] rgb, int width, int height) {
    if (rgb.length != 3L * width * height) {
      throw new IllegalArgumentException(
          "an RGB image of %d x %d has %d bytes, the array has %d"
              .formatted(width, height, 3L * width * height, rgb.length));
    }
    return of(new RgbSource(rgb, width, height), "pixels in memory");
  }

  /**
   * Returns an encoded image in memory, with the default options.
   *
   * @throws FormatException if the bytes are not an image, the header is corrupt, or the image is
   *     too large
   * @see #ofEncoded(byte[], String, DecodeOptions)
   */
  public static Image ofEncoded(byte[] encoded, String description) throws FormatException {
    return ofEncoded(encoded, description, DecodeOptions.DEFAULT);
  }

  /**
   * Returns an encoded image in memory. Its header is read, nothing is decoded.
   *
   * @param encoded the whole image, JPEG, PNG, BMP, WebP, TIFF or PNM. Not copied: the array must
   *     not change as long as the image is used
   * @param description a path or key that errors name
   * @param options the options of decoding
   * @throws FormatException if the bytes are not an image, the header is corrupt, or the image is
   *     too large
   * @throws IllegalStateException if the options name OpenCV and OpenCV is absent
   */
  public static Image ofEncoded(byte[] encoded, String description, DecodeOptions options)
      throws FormatException {
    return of(
        EncodedSource.of(encoded, description, options, ScanIndexStore.Place.NOWHERE), description);
  }

  /**
   * Returns the orientation of an encoded image for display: the EXIF tag Orientation, 1 to 8.
   * Returns 1 if the tag is missing, and for a TIFF, whose orientation is always applied when
   * decoding.
   *
   * @throws FormatException if the bytes are not an image, or the header is corrupt
   * @see DecodeOptions#withExifRotation
   */
  public static int exifOrientation(byte[] encoded) throws FormatException {
    ImageHeader header = ImageHeaders.parse(encoded, Long.MAX_VALUE);
    return header.format() == ImageFormat.TIFF ? 1 : header.orientation().tag();
  }

  /**
   * Returns the mode that keeps most of an encoded image's data, according to the header: {@link
   * ImageMode#GRAY16} for one sample of 16 bits a pixel, {@link ImageMode#RGBA} with alpha, RGB for
   * a palette.
   *
   * @throws FormatException if the bytes are not an image, or the header is corrupt
   * @see DecodeOptions#withMode
   */
  public static ImageMode storedMode(byte[] encoded) throws FormatException {
    return StoredMode.of(encoded);
  }

  /** Returns the width in pixels, after all operations. */
  public int width() {
    return geometry.width();
  }

  /** Returns the height in pixels, after all operations. */
  public int height() {
    return geometry.height();
  }

  /**
   * Checks that the image has the size that another file states.
   *
   * @param other the name of the other file
   * @throws FormatException if the image has another size; the message names both sizes, and says
   *     if EXIF's orientation causes the difference
   */
  public void requireSize(int width, int height, String other) throws FormatException {
    if (width != width() || height != height()) {
      throw new FormatException(
          "%s: the image has %d x %d pixels, but %d x %d in %s%s"
              .formatted(
                  description, width(), height(), width, height, other, exifHint(width, height)));
    }
  }

  /** Returns a hint for errors if EXIF's orientation swaps the sides; otherwise an empty text. */
  String exifHint(int width, int height) {
    return width == height() && height == width() && geometry.source() instanceof EncodedSource file
        ? file.exifHint()
        : "";
  }

  /** Returns the mode of the pixels, after all operations. */
  public ImageMode mode() {
    return geometry.source().mode();
  }

  /** Returns the source of the image for errors, such as a path or a key. */
  public String description() {
    return description;
  }

  /**
   * Returns a part of the image. Pixels outside the image are black.
   *
   * @param part in pixels of this image
   * @throws IllegalArgumentException if the part is empty
   */
  public Image crop(Region part) {
    return with(geometry.crop(part), ImageStep.crop(part));
  }

  /**
   * Returns the image scaled to another size with antialiasing; see {@link #resize(int, int,
   * Interpolation, boolean)}.
   *
   * @throws IllegalArgumentException if a side is out of range
   */
  public Image resize(int width, int height, Interpolation interpolation) {
    return resize(width, height, interpolation, true);
  }

  /**
   * Returns the image scaled to {@code width} columns and {@code height} rows, 1 or more; unchanged
   * if it has this size already.
   *
   * @param antialias whether the filter widens when the image shrinks; see {@code Resize}'s option
   * @throws IllegalArgumentException if a side is out of range, or antialiasing is off for a filter
   *     other than {@link Interpolation#BILINEAR}
   */
  public Image resize(int width, int height, Interpolation interpolation, boolean antialias) {
    Objects.requireNonNull(interpolation, "interpolation");
    return with(
        geometry.resize(width, height, interpolation, antialias),
        ImageStep.resize(width, height, interpolation, antialias));
  }

  /** Returns the image mirrored, left to right. Only the needed part is decoded. */
  public Image flipHorizontal() {
    return with(geometry.flip(), ImageStep.flipHorizontal());
  }

  /**
   * Returns the image whose values become {@code (value / 255 - mean) / std}, in float32
   * arithmetic. After {@link #scaleTo1}, values are multiplied by {@code 1 / 255f} or {@code 1 /
   * 65535f} instead of divided. Without {@code scaleTo1}, samples of 16 bits are not divided.
   *
   * @param mean the mean of each channel, or one mean for all channels, on the scale of 0 to 1
   * @param std the standard deviation of each channel, or one deviation for all channels, finite
   *     and not 0
   * @throws IllegalArgumentException if a length is neither 1 nor the number of channels, a number
   *     is not finite, or a std is 0
   * @throws IllegalStateException if the image is normalized or erased already, or its tensor has
   *     an integer dtype
   */
  public Image normalize(float[] mean, float[] std) {
    return with(form.normalized(mean, std, this), image -> image.normalize(mean, std));
  }

  /**
   * Returns the image whose float values reach from 0 to 1, as torchvision's {@code v2.ToDtype}
   * makes them: samples of 8 bits are multiplied by {@code 1 / 255f}, samples of 16 bits by {@code
   * 1 / 65535f}, before normalization.
   *
   * @throws IllegalStateException if samples have 16 bits and the image is erased already
   */
  public Image scaleTo1() {
    return with(form.scaledTo1(this), Image::scaleTo1);
  }

  /**
   * Returns the image in another mode: Pillow's {@code convert}. The operations so far are applied
   * before. Colors become gray by their luminance, and gray becomes three equal channels. Alpha is
   * left out, or is 255 if it is new. Samples of 16 bits lose their lower 8 bits.
   *
   * @throws IllegalStateException if samples of 8 bits are to become 16, or if the image is
   *     normalized for other channels, has a dtype for 16 bits, or is erased
   */
  public Image convert(ImageMode mode) {
    LinkedTargets targets = linkedTargets.after(ImageStep.values(image -> image.convert(mode)));
    if (mode == mode()) {
      return withTargets(targets);
    }
    TensorForm converted = form.converted(mode, this);
    Geometry pixels = Geometry.of(Conversion.convert(geometry.asSource(), mode));
    return new Image(description, pixels, converted, targets);
  }

  /**
   * Returns the image with samples of 8 bits: samples of 16 bits keep their upper 8 bits, other
   * samples do not change.
   *
   * @throws IllegalStateException if samples of 16 bits are normalized or erased already
   */
  public Image toEightBits() {
    LinkedTargets targets = linkedTargets.after(ImageStep.values(Image::toEightBits));
    if (mode().bits() == 8) {
      return withTargets(targets);
    }
    Image alone = withTargets(LinkedTargets.NONE);
    return alone.toTensor(DType.FLOAT32, layout()).convert(ImageMode.GRAY).withTargets(targets);
  }

  /**
   * Returns the image as a tensor of another dtype or layout.
   *
   * @param dtype for samples of 8 bits {@link DType#FLOAT32}: 0 to 1, or normalized; {@link
   *     DType#FLOAT16} or {@link DType#BFLOAT16}: the values of FLOAT32, rounded once; or {@link
   *     DType#UINT8}: 0 to 255. For samples of 16 bits {@link DType#FLOAT32}, {@link
   *     DType#FLOAT16}, {@link DType#BFLOAT16}, {@link DType#INT32} or {@link DType#UINT16}: 0 to
   *     65535
   * @param layout the order of the axes
   * @throws IllegalArgumentException if the dtype is another one
   * @throws IllegalStateException if the dtype is an integer type and the image is normalized,
   *     scaled, or erased with values that are not integers; or if the dtype does not fit the bits
   *     of the samples
   */
  public Image toTensor(DType dtype, ImageLayout layout) {
    TensorChecks.requireDType(dtype);
    TensorForm changed = form.as(dtype, Objects.requireNonNull(layout, "layout"), this);
    return with(changed, image -> image.toTensor(dtype, layout));
  }

  /**
   * Returns the image with a rectangle of its tensor overwritten, after all other operations.
   *
   * @param part within the image
   * @param values one value for each channel, or a single value for all channels, in the units of
   *     the finished tensor
   * @throws IllegalArgumentException if the rectangle is not within the image, or the number of
   *     values is neither 1 nor the number of channels
   * @throws IllegalStateException if elements of the tensor's type cannot hold the values
   */
  public Image erase(Region part, float... values) {
    return erase(
        part, form.erasure(part, values, this), (image, scaled) -> image.erase(scaled, values));
  }

  /**
   * Returns the image with a rectangle of its tensor overwritten by numbers of the standard normal
   * distribution, after all other operations. The numbers depend on the seed alone.
   *
   * @throws IllegalArgumentException if the rectangle is not within the image
   * @throws IllegalStateException if the tensor is not of a floating-point type
   */
  public Image eraseWithNoise(Region part, long seed) {
    return erase(
        part, Erasure.withNoise(part, seed), (image, scaled) -> image.eraseWithNoise(scaled, seed));
  }

  private Image erase(Region part, Erasure erasure, BiFunction<Image, Region, Image> further) {
    if (part.x() < 0
        || part.y() < 0
        || part.width() < 0
        || part.height() < 0
        || part.width() > width() - part.x()
        || part.height() > height() - part.y()) {
      throw new IllegalArgumentException(
          "cannot erase %s: it is not within the image's %d columns and %d rows, for %s"
              .formatted(part, width(), height(), this));
    }
    LinkedTargets targets = linkedTargets.after(ImageStep.erase(part, further));
    return new Image(description, geometry, form.erased(erasure), targets);
  }

  /** Returns the image mirrored, top to bottom. Only the needed part is decoded. */
  public Image flipVertical() {
    return oriented(Orientation.UPSIDE_DOWN_MIRRORED, ImageStep.flipVertical());
  }

  /**
   * Returns the image rotated by quarter turns. Only the needed part is decoded.
   *
   * @param quarters the number of turns, clockwise; counter-clockwise if negative
   */
  public Image rotate90(int quarters) {
    int turns = Math.floorMod(quarters, 4);
    return turns == 0 ? this : rotate90(turns, ImageStep.rotate90(turns));
  }

  private Image rotate90(int quarters, ImageStep step) {
    return switch (quarters) {
      case 1 -> oriented(Orientation.CLOCKWISE, step);
      case 2 -> oriented(Orientation.UPSIDE_DOWN, step);
      case 3 -> oriented(Orientation.COUNTER_CLOCKWISE, step);
      default -> withTargets(linkedTargets.after(step));
    };
  }

  private Image oriented(Orientation orientation, ImageStep step) {
    return over(source -> new OrientedSource(source, orientation), step);
  }

  /**
   * Returns the image turned around its center: torchvision's {@code rotate}. Right angles only
   * move pixels. Other angles resample the whole image, with the filters, fill and exceptions of
   * {@link #affine}.
   *
   * @param degrees the angle, counter-clockwise; finite
   * @param expand whether the result contains the whole turned image; if not, it has this image's
   *     size
   */
  public Image rotate(double degrees, boolean expand, Interpolation filter, int fill) {
    double angle = modulo360(degrees);
    boolean fits = expand || width() == height();
    double x = width() / 2.0;
    double y = height() / 2.0;
    if (angle == 0 || angle == 180 || (fits && (angle == 90 || angle == 270))) {
      int quarters = Math.floorMod(-(int) (angle / 90), 4);
      boolean swapped = quarters % 2 == 1;
      return rotate90(
          quarters,
          ImageStep.rotateExactly(
              AffineMatrix.rotation(angle, width(), height(), x, y, expand),
              quarters,
              swapped ? height() : width(),
              swapped ? width() : height()));
    }
    return rotate(degrees, x, y, expand, filter, fill);
  }

  /**
   * Returns the image turned around a point, as {@link #rotate(double, boolean, Interpolation,
   * int)}, but resampled for right angles too.
   *
   * @param centerX in pixels from the left edge
   * @param centerY in pixels from the upper edge
   * @param expand whether the result has the size of the whole image turned around its center; if
   *     not, it has this image's size
   */
  public Image rotate(
      double degrees,
      double centerX,
      double centerY,
      boolean expand,
      Interpolation filter,
      int fill) {
    if (!Double.isFinite(centerX) || !Double.isFinite(centerY)) {
      throw new IllegalArgumentException(
          "the center must be finite, was (%s, %s)".formatted(centerX, centerY));
    }
    AffineMatrix.Rotation rotation =
        AffineMatrix.rotation(modulo360(degrees), width(), height(), centerX, centerY, expand);
    return affine(
        rotation.matrix(),
        rotation.width(),
        rotation.height(),
        filter,
        fill,
        ImageStep.rotate(rotation, filter, fill));
  }

  private static double modulo360(double degrees) {
    if (!Double.isFinite(degrees)) {
      throw new IllegalArgumentException("degrees must be finite, were " + degrees);
    }
    double rest = degrees % 360.0;
    return rest < 0 ? rest + 360.0 : rest;
  }

  /**
   * Returns the image seen through an affine transform: Pillow's {@code Image.transform}. The whole
   * image is decoded.
   *
   * @param matrix the map from a position in the result to a position in this image
   * @param width columns of the result
   * @param height rows of the result
   * @param filter nearest, bilinear or bicubic
   * @param fill the color of pixels from outside the image, as 0xRRGGBB. A gray image gets the
   *     color's luminance; in an image with alpha black is transparent, and any other color is
   *     opaque
   * @throws IllegalArgumentException if the filter is another one
   * @throws IllegalStateException if samples have 16 bits, and the fill is not black
   */
  public Image affine(AffineMatrix matrix, int width, int height, Interpolation filter, int fill) {
    ImageStep step = ImageStep.affine(matrix, width, height, filter, fill);
    return affine(matrix, width, height, filter, fill, step);
  }

  private Image affine(
      AffineMatrix matrix, int width, int height, Interpolation filter, int fill, ImageStep step) {
    return warp(
        (source, color) -> new AffineSource(source, matrix, width, height, filter, color),
        Resampler.check(filter),
        fill,
        step);
  }

  private Image warp(PixelChanges.Filled change, Interpolation filter, int fill, ImageStep step) {
    return overFilled(fill, filter != Interpolation.NEAREST, ChargedWarp.of(change), step);
  }

  /**
   * Returns the image seen in perspective, in the same size: torchvision's {@code perspective},
   * with the filters, fill and exceptions of {@link #affine}.
   *
   * @param matrix the map from a position in the result to a position in this image
   */
  public Image perspective(PerspectiveMatrix matrix, Interpolation filter, int fill) {
    Objects.requireNonNull(matrix, "matrix");
    return warp(
        (source, color) -> new WarpedSource.Perspective(source, matrix, filter, color),
        Resampler.check(filter),
        fill,
        ImageStep.perspective(matrix, filter, fill));
  }

  /**
   * Returns the image with each pixel taken from a displaced position: torchvision's {@code
   * elastic}, with the filters, fill and exceptions of {@link #affine}. The cubic filter is
   * PyTorch's, with a = -0.75. Its values beyond 0 to 255 are clipped; torchvision's wrap around.
   *
   * @param alongX for each pixel, row after row, the distance to the right at which the pixel is
   *     read, in halves of the image's width: 0.1 reads 10 columns further right in an image of 200
   *     columns. Not copied: the array must not change as long as the image is used
   * @param alongY the distances downwards, in halves of the image's height. Not copied
   * @throws IllegalArgumentException if an array does not have {@code width * height} elements
   */
  public Image elastic(float[] alongX, float[] alongY, Interpolation filter, int fill) {
    Resampler.check(filter);
    return elastic(Displacement.of(alongX, alongY, width(), height()), filter, fill);
  }

  Image elastic(Displacement displacement, Interpolation filter, int fill) {
    // Each channel is interpolated alone, as by grid_sample: colors are not weighted by alpha.
    return overFilled(
        fill,
        false,
        (source, color) -> new WarpedSource.Elastic(source, displacement, filter, color),
        ImageStep.elastic(displacement, filter, fill));
  }

  /**
   * Returns the image with a border around it. A black border costs nothing. With any other border
   * only the needed part is decoded; an image with alpha is decoded whole.
   *
   * @param fill the color as 0xRRGGBB for {@link PaddingMode#CONSTANT}; other modes ignore it
   * @throws IllegalArgumentException if the border has a side below 0, or a side of the result
   *     would exceed {@link #MAX_SIDE}
   * @throws IllegalStateException if samples have 16 bits and the border has a color other than
   *     black
   */
  public Image pad(int left, int top, int right, int bottom, PaddingMode mode, int fill) {
    return pad(new Border(left, top, right, bottom, mode, fill));
  }

  Image pad(Border border) {
    if (border.isEmpty()) {
      return this;
    }
    ImageStep step = ImageStep.pad(border);
    if (border.isBlack()) {
      Region all =
          new Region(
              -border.left(),
              -border.top(),
              border.left() + width() + border.right(),
              border.top() + height() + border.bottom());
      return with(geometry.crop(all), step);
    }
    return overFilled(
        border.fill(),
        false,
        (source, color) -> new PaddedSource(source, border.withFill(color)),
        step);
  }

  /**
   * Returns the image whose pixels are changed by an operation when they are decoded. For a gray
   * image the operation receives three equal samples a pixel, and the luminance of the result is
   * kept. For an image with alpha the operation receives the colors, and alpha does not change.
   *
   * @throws IllegalStateException if samples have 16 bits
   */
  public Image map(PixelOperation operation) {
    Objects.requireNonNull(operation, "operation");
    requireEightBits(operation.toString(), "leave it out");
    PixelOperation charged = ChargedOperation.of(operation);
    return over(
        source -> PixelChanges.operated(source, charged),
        ImageStep.values(image -> image.map(operation)));
  }

  /**
   * Returns the image after compression as a JPEG and decoding: the pixels of a file of Pillow's
   * {@code save} with this quality, bit for bit (libjpeg-turbo, 4:2:0). The whole image is decoded.
   * Alpha does not change.
   *
   * @param quality from 1, the worst, to 100
   * @throws IllegalArgumentException if the quality is out of range, or a side exceeds 65500 pixels
   * @throws IllegalStateException if samples have 16 bits
   */
  public Image jpeg(int quality) {
    if (width() > BaselineEncoder.MAX_SIDE || height() > BaselineEncoder.MAX_SIDE) {
      throw new IllegalArgumentException(
          "a JPEG has at most %d pixels a side, for %s".formatted(BaselineEncoder.MAX_SIDE, this));
    }
    return map(new Recompression(quality));
  }

  private void requireEightBits(String what, String otherWay) {
    if (mode().bits() != 8) {
      throw new IllegalStateException(
          "%s is for samples of 8 bits, and an image of mode %s has 16: put ConvertDtype.of(DType.UINT8) before it, decode with ImageMode.GRAY, or %s; for %s"
              .formatted(what, mode(), otherWay, this));
    }
  }

  private Image overFilled(
      int fill, boolean interpolates, PixelChanges.Filled change, ImageStep step) {
    if (fill != 0) {
      requireEightBits("a fill of another color than black", "fill with black");
    }
    return over(source -> PixelChanges.filled(source, fill, interpolates, change), step);
  }

  private Image over(UnaryOperator<ImageSource> change, ImageStep step) {
    return with(Geometry.of(change.apply(geometry.asSource())), step);
  }

  /**
   * Returns the boxes that change along with the image: inside a {@link JointTransform}, the boxes
   * of the sample; empty if the sample has no boxes. Transforms such as {@code RandomIoUCrop} read
   * the boxes.
   *
   * @throws IllegalStateException if the sample has more than one {@link BoundingBoxes}
   */
  public Optional<BoundingBoxes> boxes() {
    List<BoundingBoxes> boxes = linkedTargets.ofType(BoundingBoxes.class);
    if (boxes.size() > 1) {
      throw new IllegalStateException(
          "the sample of %s has %d sets of boxes, where a transform that looks at boxes needs one: join them"
              .formatted(description, boxes.size()));
    }
    return boxes.stream().findFirst();
  }

  /**
   * Returns the image with other boxes instead of {@link #boxes}. Labels, instance masks and points
   * stay, so the number of boxes must not change.
   *
   * @throws IllegalArgumentException if the number of boxes differs, or the boxes belong to an
   *     image of another size
   * @throws IllegalStateException if the image has no boxes
   */
  public Image withBoxes(BoundingBoxes boxes) {
    BoundingBoxes before = requiredBoxes();
    LinkedTargets.requireSize("the new boxes of " + description, boxes, this);
    if (boxes.count() != before.count()) {
      throw new IllegalArgumentException(
          "there are %d new boxes for %d of %s; keepBoxes removes boxes"
              .formatted(boxes.count(), before.count(), description));
    }
    return withTargets(linkedTargets.withBoxes(boxes));
  }

  /**
   * Returns the image with some of its {@link #boxes}, in their order. The {@link BoxLabels} of the
   * other boxes are removed. The {@link InstanceMasks} and {@link KeyPoints} of their objects are
   * removed, too, if there are as many masks, or objects with points, as boxes.
   *
   * @param kept the indexes of the boxes to keep
   * @throws IllegalArgumentException if an index is not the index of a box, or the numbers of
   *     labels and boxes differ
   * @throws IllegalStateException if the image has no boxes
   */
  public Image keepBoxes(BitSet kept) {
    int count = requiredBoxes().count();
    if (kept.length() > count) {
      throw new IllegalArgumentException(
          "cannot keep box %d: %s has %s"
              .formatted(kept.length() - 1, description, Counts.of(count, "box")));
    }
    return withTargets(linkedTargets.keepBoxes(kept, count));
  }

  private BoundingBoxes requiredBoxes() {
    return boxes()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "%s has no boxes: they are those of the sample, inside a JointTransform"
                        .formatted(description)));
  }

  LinkedTargets linkedTargets() {
    return linkedTargets;
  }

  Image withTargets(LinkedTargets targets) {
    if (targets == linkedTargets) {
      return this;
    }
    return new Image(description, geometry, form, targets);
  }

  ImageSource source() {
    return geometry.asSource();
  }

  /**
   * Returns an image of other pixels of the same mode, with this image's normalization and dtype.
   */
  Image withPixels(ImageSource pixels) {
    form.requireNothingErased("a mixture of images", this);
    return new Image(description, Geometry.of(pixels), form, LinkedTargets.NONE);
  }

  /** Returns this image's pixels only: without normalization, erased parts and linked targets. */
  Image bare() {
    return new Image(description, geometry, TensorForm.of(mode()), LinkedTargets.NONE);
  }

  List<Region> erased() {
    return form.erasures().stream().map(Erasure::region).toList();
  }

  /**
   * Decodes and transforms the image now, for code that needs its pixels. Normalization, dtype,
   * layout and erasing are not applied. A gray pixel becomes three equal samples, alpha is left
   * out.
   *
   * @throws IOException if the image cannot be decoded
   * @throws ArithmeticException if {@code 3 * width * height} is 2^31 or more
   * @throws IllegalStateException if samples have 16 bits
   */
  public Pixels pixels() throws IOException {
    if (mode() != ImageMode.RGB) {
      requireEightBits("pixels()", "write the image into a tensor");
      return of(Conversion.convert(geometry.asSource(), ImageMode.RGB), description).pixels();
    }
    int samples = Samples.count(width(), height());
    try {
      byte[] rgb = new byte[samples];
      writePixels(ByteBuffer.wrap(rgb));
      return new Pixels(rgb, width(), height());
    } catch (OutOfMemoryError full) {
      throw named(HeapLimit.refusal(full, width(), height()), description);
    }
  }

  /**
   * Writes the pixels, of {@link ImageMode#pixelBytes} bytes each, rows from the top.
   *
   * @param target a direct buffer, or a buffer of an array, in the machine's byte order, with
   *     {@link #pixelBytes} bytes
   * @throws IOException if the image cannot be decoded
   */
  public void writePixels(ByteBuffer target) throws IOException {
    write(target, mode().bits() == 8 ? DType.UINT8 : DType.UINT16, ImageLayout.HWC, null);
  }

  /**
   * Returns how many bytes {@link #writePixels} writes.
   *
   * @throws IllegalArgumentException if the image is normalized, scaled or erased, or has another
   *     dtype or layout than the default, since pixels do not record these
   */
  public long pixelBytes() {
    if (!form.isDefault()) {
      throw new IllegalArgumentException(
          "%s: decoded images are kept as pixels, so Normalize, ToTensor and RandomErasing come behind the cache"
              .formatted(description));
    }
    return (long) mode().pixelBytes() * width() * height();
  }

  @Override
  public DType dtype() {
    return form.dtype();
  }

  /**
   * Returns {@code (channels, height, width)} or {@code (height, width, channels)}, by layout and
   * {@link #mode}; of RGB images {@code (3, height, width)} or {@code (height, width, 3)}.
   */
  @Override
  public Shape shape() {
    int channels = mode().channels();
    return layout() == ImageLayout.CHW
        ? Shape.of(channels, height(), width())
        : Shape.of(height(), width(), channels);
  }

  /** Returns the order of the axes. */
  public ImageLayout layout() {
    return form.layout();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException if the image cannot be decoded
   * @throws IllegalArgumentException if the buffer has another size or byte order
   */
  @Override
  public void writeTo(ByteBuffer target) throws IOException {
    write(target, form.dtype(), form.layout(), ReadMeter.clock());
    form.erase(target, width(), height());
  }

  private void write(ByteBuffer target, DType as, ImageLayout order, DecodingClock clock)
      throws IOException {
    Region region = geometry.region();
    boolean mayWait = FirstImages.ofProcess().areLeft();
    boolean first = FirstImages.ofProcess().begin((long) region.width() * region.height());
    if (clock != null) {
      if (mayWait) {
        clock.leaveOut();
      }
      clock.decode();
    }
    try (Workspace workspace = Workspace.take()) {
      RowWriter rows =
          RowWriter.to(
              target, as, order, width(), height(), form.table(), workspace, geometry.kernels());
      rows.time(clock);
      write(rows, workspace);
      if (clock != null) {
        clock.decoded(rows.storedNanos());
      }
    } catch (IOException e) {
      throw named(e, description);
    } catch (OutOfMemoryError full) {
      boolean smaller = region.width() * (long) region.height() < width() * (long) height();
      throw named(
          smaller
              ? HeapLimit.refusal(full, width(), height())
              : HeapLimit.refusal(full, region.width(), region.height()),
          description);
    } finally {
      if (first) {
        FirstImages.ofProcess().end();
      }
    }
  }

  private void write(RowWriter rows, Workspace workspace) throws IOException {
    Geometry smaller = geometry.reduced();
    try {
      FusedWriter.write(smaller, rows, workspace);
    } catch (JpegException damaged) {
      if (smaller.equals(geometry)) {
        throw damaged;
      }
      // No row is written yet. The decoder of damaged JPEGs cannot decode at a fraction of the
      // size, so it decodes the whole image.
      FusedWriter.write(geometry, rows, workspace);
    }
  }

  /** Returns {@code e} if its message has the description; else an exception that adds it. */
  static IOException named(IOException e, String description) {
    String reason = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    return reason.contains(description) ? e : new IOException(description + ": " + reason, e);
  }

  private Image with(Geometry changed, ImageStep step) {
    if (!changed.equals(geometry)) {
      form.requireNothingErased("a change of the pixels", this);
    }
    return new Image(description, changed, form, linkedTargets.after(step));
  }

  private Image with(TensorForm changed, UnaryOperator<Image> change) {
    return new Image(description, geometry, changed, linkedTargets.after(ImageStep.values(change)));
  }

  /**
   * Returns source and operations, for example {@code Image[cat.jpg: 500 x 375, flipped; float32
   * CHW]}.
   */
  @Override
  public String toString() {
    return "Image[%s: %s; %s]".formatted(description, geometry, form);
  }

  /**
   * A change of an image's colors, made in place when the image is decoded. It changes neither the
   * size nor the positions of pixels, so targets of the image do not change. Immutable and
   * thread-safe; errors contain its {@code toString}.
   */
  public interface PixelOperation {

    /**
     * Returns whether a pixel of the result depends on the color of that pixel alone, and not on
     * its position; false by default. If true, only a part of the image is decoded, and {@code
     * apply} receives the pixels, {@code width} and {@code height} of the part. An operation that
     * uses rows, columns or neighboring pixels must return false.
     */
    default boolean isPointwise() {
      return false;
    }

    /**
     * Changes the pixels.
     *
     * @param rgb unsigned bytes, rows from the top, red, green and blue interleaved; the first
     *     {@code 3 * width * height} bytes are the image. The operation must not keep the array
     *     after the call
     */
    void apply(byte[] rgb, int width, int height);
  }

  /**
   * The decoded pixels of an image: 8-bit RGB, before any normalization. {@link Image#pixels}
   * returns them for code that reads or changes pixels; {@link #toImage} makes an image of them.
   *
   * <p>The array is shared, not copied. Several threads may read it at once if no thread writes.
   */
  public static final class Pixels {
    private final byte[] rgb;
    private final int width;
    private final int height;

    private Pixels(byte[] rgb, int width, int height) {
      this.rgb = rgb;
      this.width = width;
      this.height = height;
    }

    /** Returns the width in pixels. */
    public int width() {
      return width;
    }

    /** Returns the height in pixels. */
    public int height() {
      return height;
    }

    /**
     * Returns the array of samples, not a copy: red, green, blue of the upper left pixel, then of
     * its right neighbor, and so on; exactly {@code 3 * width * height} unsigned bytes.
     */
    public byte[] rgb() {
      return rgb;
    }

    /**
     * Returns one pixel as {@code 0xRRGGBB}.
     *
     * @throws IndexOutOfBoundsException if the pixel lies outside the image
     */
    public int rgbAt(int x, int y) {
      int at = 3 * (Objects.checkIndex(y, height) * width + Objects.checkIndex(x, width));
      return (rgb[at] & 0xFF) << 16 | (rgb[at + 1] & 0xFF) << 8 | (rgb[at + 2] & 0xFF);
    }

    /** Returns an image with these pixels; the array must not change afterwards. */
    public Image toImage() {
      return Image.ofRgb(rgb, width, height);
    }

    /** Returns the size, for example {@code Pixels[224 x 224]}. */
    @Override
    public String toString() {
      return "Pixels[%d x %d]".formatted(width, height);
    }
  }
}
