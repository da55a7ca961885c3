package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;

/**
 * Makes the errors for images whose pixels do not fit into the heap. A failure to allocate one
 * large array leaves the process sound.
 */
public final class HeapLimit {

  /** The number of pixels below which an image is not taken as the cause of a full heap. */
  private static final long LARGE_PIXELS = 1 << 20;

  private HeapLimit() {}

  /**
   * Returns the error for an image without room in the heap. Throws {@code full} instead if the
   * image is too small to be the cause.
   */
  public static FormatException refusal(OutOfMemoryError full, long width, long height) {
    if (width * height < LARGE_PIXELS) {
      throw full;
    }
    return new FormatException(refusal(width, height), full);
  }

  public static String refusal(long width, long height) {
    return "an image of %d x %d pixels is too large: the heap of at most %d bytes has no room to decode or scale it; give the JVM more (-Xmx) or lower maxPixels"
        .formatted(width, height, Runtime.getRuntime().maxMemory());
  }
}
