package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import java.util.Arrays;

/** A reader of PackBits, the run-length encoding of TIFF and the Macintosh. */
final class PackBitsInput implements StripInput {

  private final byte[] data;
  private final int end;
  private final String what;
  private int at;
  private int run;
  private boolean repeats;

  PackBitsInput(byte[] data, int start, int end, String what) {
    this.data = data;
    this.at = start;
    this.end = end;
    this.what = what;
  }

  @Override
  public void read(byte[] to, int offset, int length) throws FormatException {
    int out = offset;
    while (out < offset + length) {
      while (run == 0) {
        require(1, offset + length - out);
        int header = data[at++];
        repeats = header < 0;
        run = header == -128 ? 0 : Math.abs(header) + 1;
      }
      int count = Math.min(run, offset + length - out);
      if (repeats) {
        require(1, offset + length - out);
        Arrays.fill(to, out, out + count, data[at]);
      } else {
        require(count, offset + length - out);
        System.arraycopy(data, at, to, out, count);
        at += count;
      }
      out += count;
      run -= count;
      if (repeats && run == 0) {
        at++;
      }
    }
  }

  @Override
  public void finish(int atMost) throws FormatException {
    if (!isAtEnd()) {
      read(new byte[atMost], 0, atMost);
    }
    if (!isAtEnd()) {
      throw new FormatException(what + " is damaged: it holds more than its pixels need");
    }
  }

  /** Returns whether the input ends here, or after one byte that makes the length even. */
  private boolean isAtEnd() {
    return run == 0 && end - at <= 1;
  }

  private void require(int count, int missing) throws FormatException {
    if (at + count > end) {
      throw new FormatException(
          "%s is damaged: its data ends at byte %d, but %d more bytes are needed"
              .formatted(what, end, missing));
    }
  }
}
