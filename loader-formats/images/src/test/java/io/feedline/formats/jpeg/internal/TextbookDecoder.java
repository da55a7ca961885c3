package io.feedline.formats.jpeg.internal;

/**
 * From coefficients to pixels, sample by sample, as libjpeg-turbo's {@code jdsample.c} and {@code
 * jdcolor.c} define it. Slow, and without any of the layout that it is there to test.
 */
final class TextbookDecoder {
  private final CoefficientImage image;
  private final int scale;
  private final boolean rgb;

  TextbookDecoder(CoefficientImage image, int scale, boolean rgb) {
    this.image = image;
    this.scale = scale;
    this.rgb = rgb;
  }

  /** A component's samples, as many as count. */
  private record Samples(int[][] rows) {
    int width() {
      return rows[0].length;
    }

    int height() {
      return rows.length;
    }

    /** The sample at a place, or the nearest one if that is outside. */
    int at(int x, int y) {
      int nearestY = Math.max(0, Math.min(height() - 1, y));
      return rows[nearestY][Math.max(0, Math.min(width() - 1, x))];
    }
  }

  int width() {
    return ceilDiv(image.grid().width(), scale);
  }

  int height() {
    return ceilDiv(image.grid().height(), scale);
  }

  /** The whole image, row by row, as {@code red | green << 8 | blue << 16}. */
  int[] pixels() {
    Sampling sampling = image.grid().sampling();
    int size = 8 / scale;
    int[] pixels = new int[width() * height()];
    Samples luma = component(0, size);
    if (sampling == Sampling.GRAY) {
      for (int i = 0; i < pixels.length; i++) {
        pixels[i] = luma.at(i % width(), i / width()) * 0x010101;
      }
      return pixels;
    }
    // jdmaster.c: a component that is subsampled in both directions takes the larger transform
    int chromaSize = size;
    int across = sampling.horizontal();
    int down = sampling.vertical();
    while (chromaSize < 8 && across % 2 == 0 && down % 2 == 0) {
      chromaSize *= 2;
      across /= 2;
      down /= 2;
    }
    Samples second = stretched(component(1, chromaSize), across, down);
    Samples third = stretched(component(2, chromaSize), across, down);
    for (int i = 0; i < pixels.length; i++) {
      int x = i % width();
      int y = i / width();
      pixels[i] =
          rgb
              ? pixel(luma.at(x, y), second.at(x, y), third.at(x, y))
              : converted(luma.at(x, y), second.at(x, y) - 128, third.at(x, y) - 128);
    }
    return pixels;
  }

  private Samples component(int component, int size) {
    McuGrid grid = image.grid();
    Sampling sampling = grid.sampling();
    int across = component == 0 ? sampling.horizontal() : 1;
    int down = component == 0 ? sampling.vertical() : 1;
    int width = ceilDiv(grid.width() * across * size, grid.mcuWidth());
    int height = ceilDiv(grid.height() * down * size, grid.mcuHeight());
    int[][] rows = new int[height][width];
    for (int by = 0; by * size < height; by++) {
      for (int bx = 0; bx * size < width; bx++) {
        int[] block = TextbookTransform.samples(image.block(component, bx, by), size);
        for (int i = 0; i < block.length; i++) {
          int x = bx * size + i % size;
          int y = by * size + i / size;
          if (x < width && y < height) {
            rows[y][x] = block[i];
          }
        }
      }
    }
    return new Samples(rows);
  }

  private Samples stretched(Samples chroma, int across, int down) {
    boolean fancy = scale < 8 && (across == 2 ? chroma.width() > 2 : across == 1);
    int[][] rows = new int[height()][width()];
    for (int y = 0; y < height(); y++) {
      for (int x = 0; x < width(); x++) {
        int column = x / across;
        int row = y / down;
        int besideX = across == 1 ? column : column + (x % 2 == 0 ? -1 : 1);
        int besideY = down == 1 ? row : row + (y % 2 == 0 ? -1 : 1);
        if (!fancy || (across == 1 && down == 1)) {
          rows[y][x] = chroma.at(column, row);
        } else if (across == 1) {
          int rounding = y % 2 == 0 ? 1 : 2;
          rows[y][x] = (3 * chroma.at(column, row) + chroma.at(column, besideY) + rounding) >> 2;
        } else if (down == 1) {
          int rounding = x % 2 == 0 ? 1 : 2;
          rows[y][x] = (3 * chroma.at(column, row) + chroma.at(besideX, row) + rounding) >> 2;
        } else {
          int here = 3 * chroma.at(column, row) + chroma.at(column, besideY);
          int beside = 3 * chroma.at(besideX, row) + chroma.at(besideX, besideY);
          rows[y][x] = (3 * here + beside + (x % 2 == 0 ? 8 : 7)) >> 4;
        }
      }
    }
    return new Samples(rows);
  }

  static int converted(int luma, int cb, int cr) {
    int half = 1 << 15;
    int red = luma + ((fix(1.40200) * cr + half) >> 16);
    int green = luma + ((-fix(0.34414) * cb - fix(0.71414) * cr + half) >> 16);
    int blue = luma + ((fix(1.77200) * cb + half) >> 16);
    return pixel(clip(red), clip(green), clip(blue));
  }

  private static int fix(double factor) {
    return (int) Math.round(factor * (1 << 16));
  }

  private static int pixel(int red, int green, int blue) {
    return red | green << 8 | blue << 16;
  }

  private static int clip(int value) {
    return Math.max(0, Math.min(255, value));
  }

  private static int ceilDiv(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
