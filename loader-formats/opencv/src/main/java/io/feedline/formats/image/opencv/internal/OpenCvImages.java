package io.feedline.formats.image.opencv.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageDecoder;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.store.ImageFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The OpenCV decoder that {@link java.util.ServiceLoader} finds; users name {@link
 * DecodeOptions.Backend#OPENCV}. It decodes only WebP, because OpenCV reports damage in WebP but
 * hides it in JPEG and TIFF. libwebp reads past the end of a truncated image. So the chunks of a
 * WebP must be intact, and OpenCV gets bytes that end with the image.
 */
public final class OpenCvImages implements ImageDecoder {

  private OpenCvDecoder decoder;

  /** Creates the decoder; called by {@link java.util.ServiceLoader}, not by users. */
  public OpenCvImages() {}

  @Override
  public String name() {
    return decoder.name();
  }

  @Override
  public DecodeOptions.Backend backend() {
    return DecodeOptions.Backend.OPENCV;
  }

  @Override
  public void load() {
    decoder = OpenCvDecoder.load();
  }

  @Override
  public boolean decodes(ImageHeader header) {
    return header.format() == ImageFormat.WEBP;
  }

  @Override
  public boolean decodesTo(ImageHeader header, ImageMode mode) {
    return mode == ImageMode.RGB || mode == ImageMode.RGBA;
  }

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws FormatException {
    return decoder.decode(intact(data), header, region, mode);
  }

  private static byte[] intact(byte[] webp) throws FormatException {
    int end = WebpChunks.requireIntact(webp);
    if (end == webp.length) {
      return webp;
    }
    byte[] image = Arrays.copyOf(webp, end);
    ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).putInt(4, end - 8);
    return image;
  }
}
