package io.feedline.formats.remote.internal.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.store.internal.files.Sha256;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** A line: {@code lineBytes} bytes of an object; only the last line of an object is shorter. */
record CacheLine(RemoteObject object, int lineBytes, long number) {

  private static final int NAME_BYTES = 16;

  static CacheLine at(RemoteObject object, int lineBytes, long position) {
    return new CacheLine(object, lineBytes, position / lineBytes);
  }

  long start() {
    return number * lineBytes;
  }

  int length() {
    return (int) Math.min(lineBytes, object.size() - start());
  }

  boolean isWhole() {
    return object.size() <= lineBytes;
  }

  /** Returns 32 bytes that identify the line; {@code server} is {@link ObjectReader#server}. */
  byte[] identity(String server) {
    String text =
        "%s\n%s\n%s\n%s\n%s"
                .formatted(object.uri(), object.size(), object.version(), lineBytes, number)
            + (server.isEmpty() ? "" : "\n" + server);
    return Sha256.digest().digest(text.getBytes(UTF_8));
  }

  /** Returns the name of the entry of a line: 32 hexadecimal digits of its identity. */
  static String name(byte[] identity) {
    return HexFormat.of().formatHex(identity, 0, NAME_BYTES);
  }

  /** Returns a number from 0 to 1, evenly distributed over lines and equal in all processes. */
  static double draw(byte[] identity) {
    // The name is the first half of the identity, and the number comes from the second half.
    return (ByteBuffer.wrap(identity).getLong(NAME_BYTES) >>> 11) * 0x1p-53;
  }

  @Override
  public String toString() {
    return isWhole()
        ? object.uri().toString()
        : "%s, bytes %d to %d".formatted(object.uri(), start(), start() + length() - 1);
  }
}
