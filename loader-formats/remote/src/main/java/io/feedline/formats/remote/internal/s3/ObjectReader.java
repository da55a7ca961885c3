package io.feedline.formats.remote.internal.s3;

import io.feedline.internal.ReadOrderListener;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of remote objects: a server, or a cache in front of it. Thread-safe. The caller closes
 * it.
 */
public interface ObjectReader extends Closeable {

  /**
   * Returns the server's address, which tells its objects from others with the same URIs; empty if
   * the URIs contain it.
   */
  default String server() {
    return "";
  }

  /** Returns the listener to the order of reads below a root URI; null if there is none. */
  default @Nullable ReadOrderListener listener(URI root) {
    return null;
  }

  /**
   * Returns an object as it is now.
   *
   * @throws FileNotFoundException if it does not exist
   * @throws IOException if the server cannot be asked
   */
  RemoteObject stat(URI uri) throws IOException;

  /**
   * Lists all objects below a prefix, page by page, in the order of their keys' bytes.
   *
   * @throws IOException if they cannot be listed
   */
  void list(URI prefix, Consumer<RemoteObject> sink) throws IOException;

  /**
   * Reads bytes of an object.
   *
   * @param position where in the object they begin
   * @param target filled from its position to its limit
   * @throws EOFException if the object ends before the target is full
   * @throws IOException if the object has changed, or cannot be read
   */
  void read(RemoteObject object, long position, ByteBuffer target) throws IOException;
}
