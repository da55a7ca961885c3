package io.feedline.formats.image.recode.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.jpeg.coefficients.internal.BaselineEncoder;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Writers of pixels to files of usual formats. Thread-safe. */
final class Encoders {

  private static final String PNG_METADATA = "javax_imageio_png_1.0";

  /** The offset of the value in a TIFF with one directory of one entry. */
  private static final int ORIENTATION_AT = 18;

  private static final int SOI_BYTES = 2;
  private static final int MARKER_BYTES = 2;
  private static final char APP1 = 0xFFE1;
  private static final byte[] EXIF = {'E', 'x', 'i', 'f', 0, 0};

  private Encoders() {}

  /**
   * Returns the JPEG that Pillow's {@code save} writes for RGB pixels, plus EXIF with the
   * orientation if it is not 1.
   *
   * @throws FormatException if a side exceeds {@link BaselineEncoder#MAX_SIDE} pixels
   */
  static byte[] jpeg(Pixels pixels, int quality, int orientation) throws FormatException {
    if (Math.max(pixels.width(), pixels.height()) > BaselineEncoder.MAX_SIDE) {
      throw new FormatException(
          "a JPEG has at most %d pixels a side, and the image has %d x %d"
              .formatted(BaselineEncoder.MAX_SIDE, pixels.width(), pixels.height()));
    }
    byte[] jpeg = BaselineEncoder.encode(pixels.rgb(), pixels.width(), pixels.height(), quality);
    return orientation == 1 ? jpeg : withExif(jpeg, orientation);
  }

  private static byte[] withExif(byte[] jpeg, int orientation) {
    ByteBuffer file = ByteBuffer.wrap(jpeg);
    int app0 = SOI_BYTES + MARKER_BYTES;
    int behind = app0 + file.getChar(app0);
    byte[] tiff = tiff(orientation);
    int length = Character.BYTES + EXIF.length + tiff.length;
    return ByteBuffer.allocate(jpeg.length + MARKER_BYTES + length)
        .put(jpeg, 0, behind)
        .putChar(APP1)
        .putChar((char) length)
        .put(EXIF)
        .put(tiff)
        .put(jpeg, behind, jpeg.length - behind)
        .array();
  }

  /** Returns a PNG; {@code gray} asks for one sample a pixel, and all pixels must then be gray. */
  static byte[] png(Pixels pixels, boolean gray, int orientation) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    BufferedImage image =
        gray ? grayImage(pixels) : image(pixels, ColorSpace.CS_sRGB, pixels.rgb(), 0, 1, 2);
    IIOMetadata metadata = null;
    if (orientation != 1) {
      metadata =
          writer.getDefaultImageMetadata(
              ImageTypeSpecifier.createFromRenderedImage(image), writer.getDefaultWriteParam());
      metadata.mergeTree(PNG_METADATA, exif(orientation));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      writer.setOutput(out);
      writer.write(new IIOImage(image, null, metadata));
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  private static BufferedImage grayImage(Pixels pixels) {
    byte[] grays = new byte[pixels.width() * pixels.height()];
    for (int i = 0; i < grays.length; i++) {
      grays[i] = pixels.rgb()[3 * i];
    }
    return image(pixels, ColorSpace.CS_GRAY, grays, 0);
  }

  private static BufferedImage image(Pixels pixels, int colors, byte[] samples, int... bands) {
    ColorModel model =
        new ComponentColorModel(
            ColorSpace.getInstance(colors),
            false,
            false,
            Transparency.OPAQUE,
            DataBuffer.TYPE_BYTE);
    WritableRaster raster =
        Raster.createInterleavedRaster(
            new DataBufferByte(samples, samples.length),
            pixels.width(),
            pixels.height(),
            bands.length * pixels.width(),
            bands.length,
            bands,
            null);
    return new BufferedImage(model, raster, false, null);
  }

  private static byte[] tiff(int orientation) {
    byte[] tiff = {
      'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
    };
    ByteBuffer.wrap(tiff).putShort(ORIENTATION_AT, (short) orientation);
    return tiff;
  }

  /** Returns the metadata for a chunk eXIf, a kind of chunk that ImageIO does not know. */
  private static IIOMetadataNode exif(int orientation) {
    IIOMetadataNode chunk = new IIOMetadataNode("UnknownChunk");
    chunk.setAttribute("type", "eXIf");
    chunk.setUserObject(tiff(orientation));
    IIOMetadataNode chunks = new IIOMetadataNode("UnknownChunks");
    chunks.appendChild(chunk);
    IIOMetadataNode root = new IIOMetadataNode(PNG_METADATA);
    root.appendChild(chunks);
    return root;
  }
}
