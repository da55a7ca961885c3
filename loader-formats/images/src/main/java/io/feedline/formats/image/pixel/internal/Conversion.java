package io.feedline.formats.image.pixel.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import org.jspecify.annotations.Nullable;

/** A change of the mode of packed pixels (see {@link PixelRows}) when they are read. */
public enum Conversion {
  /** The luminance of red, green and blue by ITU-R 601-2, as Pillow and libjpeg compute it. */
  LUMINANCE(ImageMode.GRAY),
  /** Three equal samples for each gray sample. */
  REPEAT(ImageMode.RGB),
  /** Colors with an alpha of 255. */
  OPAQUE(ImageMode.RGBA),
  /** Colors without their alpha. */
  COLORS(ImageMode.RGB),
  /** Alpha alone. */
  ALPHA(ImageMode.GRAY),
  /** Colors multiplied by alpha, and rounded, as in Pillow's mode {@code RGBa}. */
  MULTIPLIED(ImageMode.RGB),
  /** The upper 8 bits of each 16-bit sample. */
  UPPER_BITS(ImageMode.GRAY);

  private final ImageMode target;

  Conversion(ImageMode target) {
    this.target = target;
  }

  ImageMode target() {
    return target;
  }

  /** Returns the source in another mode; the source itself if it has that mode already. */
  public static ImageSource convert(ImageSource source, ImageMode to) {
    Conversion next = step(source.mode(), to);
    return next == null ? source : convert(new ConvertedSource(source, next), to);
  }

  /** Converts decoded 8-bit RGB to another mode than GRAY16; see {@link #requireEightBits}. */
  public static PixelRows convert(PixelRows rgb, ImageMode to) {
    Conversion next = step(ImageMode.RGB, to);
    return next == null ? rgb : new ConvertedSource.Rows(rgb, next);
  }

  public static void requireEightBits(ImageHeader header, ImageMode mode) throws FormatException {
    if (mode == ImageMode.GRAY16) {
      throw notGray16("the " + header.format() + " has samples of 8 bits");
    }
  }

  public static FormatException notGray16(String found) {
    return new FormatException(
        "%s, but mode gray16 takes one sample of 16 bits a pixel, as PNG, TIFF and PNM have them; decode it as gray or rgb"
            .formatted(found));
  }

  /** Returns the next step from one mode to another; null if the modes are equal. */
  private static @Nullable Conversion step(ImageMode from, ImageMode to) {
    if (from == to) {
      return null;
    }
    if (to == ImageMode.GRAY16) {
      throw new IllegalStateException(
          "an image of mode %s has samples of 8 bits, which do not become 16: decode it with DecodeOptions.withMode(ImageMode.GRAY16)"
              .formatted(from));
    }
    return switch (from) {
      case GRAY16 -> UPPER_BITS;
      case GRAY -> REPEAT;
      case RGB -> to == ImageMode.GRAY ? LUMINANCE : OPAQUE;
      case RGBA -> to == ImageMode.GRAY ? LUMINANCE : COLORS;
    };
  }

  void convert(int[] pixels, int from, int count) {
    int end = from + count;
    switch (this) {
      case LUMINANCE -> {
        for (int i = from; i < end; i++) {
          pixels[i] = PackedRgb.luminance(pixels[i]);
        }
      }
      case REPEAT -> {
        for (int i = from; i < end; i++) {
          pixels[i] *= 0x010101;
        }
      }
      case OPAQUE -> {
        for (int i = from; i < end; i++) {
          pixels[i] |= 0xFF000000;
        }
      }
      case COLORS -> {
        for (int i = from; i < end; i++) {
          pixels[i] &= 0xFFFFFF;
        }
      }
      case ALPHA -> {
        for (int i = from; i < end; i++) {
          pixels[i] >>>= 24;
        }
      }
      case MULTIPLIED -> {
        for (int i = from; i < end; i++) {
          pixels[i] = PackedRgb.multiplied(pixels[i]);
        }
      }
      case UPPER_BITS -> {
        for (int i = from; i < end; i++) {
          pixels[i] >>>= 8;
        }
      }
    }
  }
}
