package io.feedline.formats.jpeg.internal;

import java.io.IOException;

/**
 * A JPEG that cannot be decoded: truncated, corrupt, or of a kind that {@link
 * JpegImage#unsupported} names; or a damaged {@link ScanIndex}. The message ends with the place.
 */
public final class JpegException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The result of {@link #mcu()} and {@link #byteOffset()} if there is no such place. */
  public static final int NOWHERE = -1;

  private final int byteOffset;
  private final int mcu;

  public JpegException(String what) {
    super(what);
    this.byteOffset = NOWHERE;
    this.mcu = NOWHERE;
  }

  public JpegException(String what, int byteOffset) {
    super("%s (at byte %d)".formatted(what, byteOffset));
    this.byteOffset = byteOffset;
    this.mcu = NOWHERE;
  }

  JpegException(String what, int byteOffset, int mcu, int columns) {
    super(
        "%s (at byte %d, in MCU %d: row %d, column %d)"
            .formatted(what, byteOffset, mcu, mcu / columns, mcu % columns));
    this.byteOffset = byteOffset;
    this.mcu = mcu;
  }

  /** The offset in the file at which reading failed, or {@link #NOWHERE}. */
  public int byteOffset() {
    return byteOffset;
  }

  /**
   * The number, counted in the order of the file, of the MCU (the blocks that are coded together: 8
   * x 8 to 32 x 8 pixels) that could not be read, or {@link #NOWHERE} if it is not the image's data
   * that is wrong.
   */
  public int mcu() {
    return mcu;
  }
}
