package io.feedline.formats.jpeg.internal;

import java.io.IOException;

/**
 * The failure to decode a JPEG that is truncated, corrupt, or of a kind that {@link
 * JpegImage#unsupported} names, or to use a damaged {@link ScanIndex}. The message may end with the
 * place of the damage.
 */
public final class JpegException extends IOException {

  private static final long serialVersionUID = 1L;

  public JpegException(String what) {
    super(what);
  }

  public JpegException(String what, int byteOffset) {
    super("%s (at byte %d)".formatted(what, byteOffset));
  }

  JpegException(String what, int byteOffset, int mcu, int columns) {
    super(
        "%s (at byte %d, in MCU %d: row %d, column %d)"
            .formatted(what, byteOffset, mcu, mcu / columns, mcu % columns));
  }
}
