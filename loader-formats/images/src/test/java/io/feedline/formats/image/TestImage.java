package io.feedline.formats.image;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.internal.BufferSource;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The images of the tests, made by arithmetic here and in picture.py alike. */
public final class TestImage {
  private TestImage() {}

  /** Returns the samples of an image: smooth slopes, hard edges where they wrap, a checkerboard. */
  public static byte[] rgb(int width, int height) {
    byte[] rgb = new byte[3 * width * height];
    int at = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          int board = (((x >> 2) ^ (y >> 3)) & 1) * 90;
          rgb[at++] = (byte) (x * (3 + c) + y * (5 - c) + c * 71 + ((x * y) >> 3) + board);
        }
      }
    }
    return rgb;
  }

  /** Slopes of three different colors under noise; all colors come in a large one. */
  public static Image noise(int width, int height) {
    return Image.ofRgb(noisyRgb(width, height), width, height);
  }

  /** Returns the noise in a mode; alpha is 0 and 255 in many places. */
  public static Image noise(ImageMode mode, int width, int height) {
    byte[] rgb = noisyRgb(width, height);
    ByteBuffer samples =
        ByteBuffer.allocate(mode.pixelBytes() * width * height).order(ByteOrder.nativeOrder());
    for (int at = 0; at < rgb.length; at += 3) {
      int red = rgb[at] & 0xFF;
      int green = rgb[at + 1] & 0xFF;
      int blue = rgb[at + 2] & 0xFF;
      switch (mode) {
        case GRAY -> samples.put((byte) PackedRgb.luminance(PackedRgb.of(red, green, blue)));
        case RGB -> samples.put(rgb, at, 3);
        case RGBA -> samples.put(rgb, at, 3).put((byte) Math.max(0, Math.min(255, 2 * blue - 128)));
        case GRAY16 -> samples.putShort((short) ((red << 8) | green));
      }
    }
    return Image.of(new BufferSource(samples, width, height, mode), mode + " in memory");
  }

  /** Returns the noise in 16 bits, with values in the middle of what these hold. */
  public static Image middle(int width, int height) {
    byte[] rgb = noisyRgb(width, height);
    ByteBuffer samples = ByteBuffer.allocate(2 * width * height).order(ByteOrder.nativeOrder());
    for (int at = 0; at < rgb.length; at += 3) {
      samples.putShort((short) ((((rgb[at] & 0xFF) << 8) | (rgb[at + 1] & 0xFF)) / 4 + 24576));
    }
    return Image.of(new BufferSource(samples, width, height, ImageMode.GRAY16), "middle");
  }

  private static byte[] noisyRgb(int width, int height) {
    byte[] rgb = new byte[3 * width * height];
    int at = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          int hash = (at + 1) * (int) 2654435761L;
          hash = (hash ^ (hash >>> 15)) * (int) 2246822519L;
          int slope = (x * (c + 1) + y * (3 - c)) * 2 & 255;
          rgb[at++] = (byte) ((3 * (hash >>> 24) + slope) / 4);
        }
      }
    }
    return rgb;
  }

  public static Image image(int width, int height) {
    return Image.ofRgb(rgb(width, height), width, height);
  }
}
