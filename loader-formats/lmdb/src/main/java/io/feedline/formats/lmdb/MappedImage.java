package io.feedline.formats.lmdb;

import io.feedline.formats.store.internal.files.OwnedImage;
import io.feedline.internal.ReadMeter;
import java.nio.ByteBuffer;

/** An image in the memory that LMDB has mapped, which a read transaction keeps there. */
final class MappedImage extends OwnedImage {

  private final ByteBuffer bytes;
  private final SharedDatabase.Reader reader;

  /**
   * An image of the calling thread.
   *
   * @param bytes from 0 to its capacity
   * @param reader what read it; closed with the image
   */
  MappedImage(ByteBuffer bytes, int label, SharedDatabase.Reader reader) {
    super("an image of an LMDB database", label, bytes.capacity());
    this.bytes = bytes;
    this.reader = reader;
  }

  @Override
  protected void copy(int position, byte[] target, int offset, int count) {
    bytes.get(position, target, offset, count);
    ReadMeter.add(count);
  }

  @Override
  protected void release() {
    reader.close();
  }
}
