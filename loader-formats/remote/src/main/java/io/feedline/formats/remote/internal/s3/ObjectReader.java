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

  /** Returns the address of the server; empty if the URIs of objects determine it. */
  default String server() {
    return "";
  }

  /** Returns a listener to a loader's order of reads below a root; null if unused. */
  default @Nullable ReadOrderListener listener(URI root) {
    return null;
  }

  /** Returns an object with its present version; throws {@link FileNotFoundException} if absent. */
  RemoteObject stat(URI uri) throws IOException;

  /** Passes all objects whose keys begin with a prefix to {@code sink}, in the server's order. */
  void list(URI prefix, Consumer<RemoteObject> sink) throws IOException;

  /** Fills the target; fails if the object is too short, has changed, or cannot be read. */
  void read(RemoteObject object, long position, ByteBuffer target) throws IOException;
}
