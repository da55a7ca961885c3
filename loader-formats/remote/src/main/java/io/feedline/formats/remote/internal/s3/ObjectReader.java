package io.feedline.formats.remote.internal.s3;

import io.feedline.internal.ReadOrderListener;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A reader of objects: a server, or a cache in front of it. Thread-safe. The caller closes it. */
public interface ObjectReader extends Closeable {

  /** Returns the server's address; empty if the objects' URIs contain it. */
  default String server() {
    return "";
  }

  /** Returns the listener to the order of reads below a root URI; null if there is none. */
  default @Nullable ReadOrderListener listener(URI root) {
    return null;
  }

  /** Returns an object as it is now; throws {@link FileNotFoundException} if it is absent. */
  RemoteObject stat(URI uri) throws IOException;

  /** Lists all objects below a prefix, in the order of their keys' bytes. */
  void list(URI prefix, Consumer<RemoteObject> sink) throws IOException;

  /** Fills the target; fails if the object ends too early, has changed, or cannot be read. */
  void read(RemoteObject object, long position, ByteBuffer target) throws IOException;
}
