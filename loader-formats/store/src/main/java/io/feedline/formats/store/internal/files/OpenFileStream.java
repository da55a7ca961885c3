package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** An unbuffered stream of a file, up to the file's size when the stream was created. */
final class OpenFileStream extends InputStream {

  private final OpenFile file;
  private final long length;
  private final PiecesAhead pieces;

  private long position;

  OpenFileStream(OpenFile file) throws IOException {
    this.file = file;
    this.length = file.length();
    this.pieces =
        file.files().isFar(file.path()) ? new PiecesAhead(file.files(), file.path(), length) : null;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, target.length);
    if (count > 0 && position >= length) {
      return -1;
    }
    int step = (int) Math.min(count, length - position);
    if (pieces == null) {
      file.read(position, target, offset, step);
    } else {
      pieces.read(position, target, offset, step);
    }
    position += step;
    return step;
  }

  @Override
  public long skip(long count) {
    long step = Math.max(0, Math.min(count, length - position));
    position += step;
    return step;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, length - position);
  }

  @Override
  public void close() throws IOException {
    if (pieces != null) {
      pieces.close();
    }
    file.close();
  }
}
