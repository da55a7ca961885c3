package io.feedline.formats.image.codec.internal;

import javax.imageio.stream.ImageInputStreamImpl;

/** Bytes in memory as ImageIO wants them: no copy, no cache, no file. */
final class ByteArrayImageInput extends ImageInputStreamImpl {

  private final byte[] data;

  ByteArrayImageInput(byte[] data) {
    this.data = data;
  }

  @Override
  public int read() {
    bitOffset = 0;
    return streamPos < data.length ? data[(int) streamPos++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    bitOffset = 0;
    if (streamPos >= data.length) {
      return -1;
    }
    int count = (int) Math.min(length, data.length - streamPos);
    System.arraycopy(data, (int) streamPos, target, offset, count);
    streamPos += count;
    return count;
  }

  @Override
  public long length() {
    return data.length;
  }
}
