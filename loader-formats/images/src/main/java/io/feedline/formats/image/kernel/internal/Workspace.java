package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.internal.PixelBuffer;
import java.util.Arrays;

/**
 * The arrays needed to write one image, reused for the next image: a thread that writes images of
 * the same kind again allocates nothing. Each thread keeps its workspaces: one, and one more if an
 * image's source is an image whose operations are still to be done. {@link #take} returns an unused
 * workspace of the thread, {@link #close} makes the workspace available again. Arrays that grew for
 * an unusually large image are not kept. Not thread-safe.
 */
public final class Workspace implements AutoCloseable {
  private static final int KEPT_PIXELS = 16 << 20;
  private static final int KEPT_ROW_SAMPLES = 4 << 20;

  private static final ThreadLocal<Workspace> IDLE = new ThreadLocal<>();

  private Taps horizontal = new Taps();
  private Taps vertical = new Taps();
  private PixelBuffer pixels = new PixelBuffer();
  private byte[] rgb = new byte[0];
  private int[] window = new int[0];
  private int[][] columns = new int[0][];
  private int[][] rows = new int[0][];
  private int[] sums = new int[0];
  private int[] packed = new int[0];
  private float[] floats = new float[0];
  private byte[] bytes = new byte[0];
  private Workspace nextIdle;

  private Workspace() {}

  /** Returns a workspace for this thread alone; the thread closes it. */
  public static Workspace take() {
    Workspace workspace = IDLE.get();
    if (workspace == null) {
      return new Workspace();
    }
    IDLE.set(workspace.nextIdle);
    workspace.nextIdle = null;
    return workspace;
  }

  /** Makes the workspace available for this thread's next image. Call it once. */
  @Override
  public void close() {
    if (pixels.pixels().length > KEPT_PIXELS) {
      pixels = new PixelBuffer();
    }
    if (rgb.length > 3 * KEPT_PIXELS) {
      rgb = new byte[0];
    }
    if ((long) rows.length * sums.length > KEPT_ROW_SAMPLES) {
      rows = new int[0][];
      sums = new int[0];
    }
    if (columns.length > 0 && (long) columns.length * columns[0].length > KEPT_ROW_SAMPLES) {
      columns = new int[0][];
    }
    if (window.length > KEPT_ROW_SAMPLES) {
      window = new int[0];
    }
    if (packed.length > KEPT_ROW_SAMPLES) {
      packed = new int[0];
    }
    if (floats.length > KEPT_ROW_SAMPLES) {
      floats = new float[0];
    }
    if (bytes.length > KEPT_ROW_SAMPLES) {
      bytes = new byte[0];
    }
    if (horizontal.weights().length > KEPT_ROW_SAMPLES) {
      horizontal = new Taps();
    }
    if (vertical.weights().length > KEPT_ROW_SAMPLES) {
      vertical = new Taps();
    }
    nextIdle = IDLE.get();
    IDLE.set(this);
  }

  public Taps horizontal() {
    return horizontal;
  }

  public Taps vertical() {
    return vertical;
  }

  /** Returns the buffer for the pixels of an image that is the source of another image. */
  public PixelBuffer pixels() {
    return pixels;
  }

  byte[] rgb(int samples) {
    if (rgb.length < samples) {
      rgb = new byte[samples];
    }
    return rgb;
  }

  /**
   * Returns an array for packed source rows, of {@code pixels} elements or more; arbitrary content.
   */
  public int[] window(int pixels) {
    if (window.length < pixels) {
      window = new int[pixels];
    }
    return window;
  }

  /** Returns {@code count} or more rows of {@code samples} elements or more; arbitrary content. */
  public int[][] rows(int count, int samples) {
    rows = atLeast(rows, count, samples);
    return rows;
  }

  /**
   * Returns {@code count} or more columns of {@code pixels} elements or more; arbitrary content.
   */
  int[][] columns(int count, int pixels) {
    columns = atLeast(columns, count, pixels);
    return columns;
  }

  private static int[][] atLeast(int[][] lines, int count, int length) {
    int[][] larger = lines.length < count ? Arrays.copyOf(lines, count) : lines;
    for (int i = 0; i < count; i++) {
      if (larger[i] == null || larger[i].length < length) {
        larger[i] = new int[length];
      }
    }
    return larger;
  }

  public int[] sums(int samples) {
    if (sums.length < samples) {
      sums = new int[samples];
    }
    return sums;
  }

  public int[] packed(int width) {
    if (packed.length < width) {
      packed = new int[width];
    }
    return packed;
  }

  float[] floats(int samples) {
    if (floats.length < samples) {
      floats = new float[samples];
    }
    return floats;
  }

  byte[] bytes(int samples) {
    if (bytes.length < samples) {
      bytes = new byte[samples];
    }
    return bytes;
  }
}
