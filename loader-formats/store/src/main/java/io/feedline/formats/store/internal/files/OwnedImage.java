package io.feedline.formats.store.internal.files;

import io.feedline.formats.store.ImageStore.StoredImage;
import java.io.IOException;
import java.util.Objects;

/** An image that may be read and closed only by the thread that opened it. */
public abstract class OwnedImage implements StoredImage {

  private final Thread owner = Thread.currentThread();
  private final String what;
  private final int label;
  private final int length;
  private boolean closed;

  protected OwnedImage(String what, int label, int length) {
    this.what = what;
    this.label = label;
    this.length = length;
  }

  @Override
  public final int label() {
    return label;
  }

  @Override
  public final int length() {
    return length;
  }

  @Override
  public final void read(int position, byte[] target, int offset, int count) throws IOException {
    requireOwner("read");
    if (closed) {
      throw new IllegalStateException(
          what + " is read after it was closed; copy what you need longer before that");
    }
    Objects.checkFromIndexSize(position, count, length);
    Objects.checkFromIndexSize(offset, count, target.length);
    copy(position, target, offset, count);
  }

  /** Copies bytes, and adds their number to the {@link io.feedline.internal.ReadMeter}. */
  protected abstract void copy(int position, byte[] target, int offset, int count)
      throws IOException;

  @Override
  public final void close() {
    requireOwner("closed");
    if (!closed) {
      closed = true;
      release();
    }
  }

  protected abstract void release();

  /** Checks the thread, since one thread could read memory that another thread has released. */
  private void requireOwner(String done) {
    if (Thread.currentThread() != owner) {
      throw new IllegalStateException(
          "%s is %s by the thread '%s'; it belongs to '%s'"
              .formatted(what, done, Thread.currentThread().getName(), owner.getName()));
    }
  }
}
