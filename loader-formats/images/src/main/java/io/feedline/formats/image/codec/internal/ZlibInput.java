package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A zlib stream (RFC 1950) in one or several parts of a file, inflated piece by piece. Missing or
 * damaged data are an error, and never replaced by zeros. The caller that opens it closes it.
 */
final class ZlibInput implements StripInput {

  private final Inflater inflater = new Inflater();
  private final byte[] data;
  private final int[] parts;
  private final String what;
  private int nextPart;

  /**
   * Opens a stream that is split over parts of a file: offset, length, offset, length and so on.
   */
  ZlibInput(byte[] data, int[] parts, String what) {
    this.data = data;
    this.parts = parts;
    this.what = what;
  }

  @Override
  public void read(byte[] to, int offset, int length) throws FormatException {
    int read = inflate(to, offset, length);
    if (read < length) {
      throw new FormatException(
          "%s is incomplete: it inflates to %d bytes and then %s, but %d more are needed"
              .formatted(
                  what,
                  inflater.getBytesWritten(),
                  inflater.finished() ? "ends" : "its data ends",
                  length - read));
    }
  }

  private int inflate(byte[] to, int offset, int length) throws FormatException {
    int read = 0;
    try {
      while (read < length && !inflater.finished()) {
        int count = inflater.inflate(to, offset + read, length - read);
        read += count;
        if (count == 0 && !inflater.finished()) {
          if (inflater.needsDictionary()) {
            throw new FormatException(what + " needs a preset dictionary");
          }
          if (nextPart == parts.length) {
            break;
          }
          inflater.setInput(data, parts[nextPart], parts[nextPart + 1]);
          nextPart += 2;
        }
      }
    } catch (DataFormatException damaged) {
      throw new FormatException(
          "%s is damaged: after %d bytes it has %s"
              .formatted(what, inflater.getBytesWritten(), damaged.getMessage()),
          damaged);
    }
    return read;
  }

  @Override
  public void finish(int atMost) throws FormatException {
    byte[] rest = new byte[Math.min(atMost, 8192) + 1];
    int left = atMost;
    while (true) {
      int read = inflate(rest, 0, Math.min(rest.length, left + 1));
      left -= read;
      if (left < 0) {
        throw new FormatException(
            "%s is damaged: it holds more than the %d bytes that its pixels need"
                .formatted(what, inflater.getBytesWritten() - read));
      }
      if (inflater.finished()) {
        return;
      }
      if (read == 0) {
        throw new FormatException(what + " is incomplete: its checksum is missing");
      }
    }
  }

  @Override
  public void close() {
    inflater.end();
  }
}
