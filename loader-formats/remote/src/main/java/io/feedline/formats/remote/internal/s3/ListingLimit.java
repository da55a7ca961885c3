package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A limit on the objects in a server's listing, which may be endless. Not thread-safe. */
final class ListingLimit {

  private static final Logger LOG = LoggerFactory.getLogger(ListingLimit.class);

  private static final int TOLD_EACH = 100_000;

  /** The bytes of memory that an object takes besides its key, for version, size and positions. */
  private static final int BESIDE_KEY = 64;

  private final String listed;
  private final long most;
  private final long mostBytes;
  private long objects;
  private long bytes;

  /** Creates a limit of {@code most} objects; 0 allows objects that take a quarter of the heap. */
  ListingLimit(String listed, long most) {
    this.listed = listed;
    this.most = most == 0 ? Long.MAX_VALUE : most;
    this.mostBytes = most == 0 ? Runtime.getRuntime().maxMemory() / 4 : Long.MAX_VALUE;
  }

  void count(String key) throws IOException {
    objects++;
    bytes += key.length() + BESIDE_KEY;
    if (objects > most || bytes > mostBytes) {
      throw new StoreException(
          "%s: the server lists more than %d objects%s. Name a directory that has fewer, or allow more (listedObjects of RemoteFileSystem, option listed-objects)"
              .formatted(
                  listed, objects - 1, objects > most ? "" : ", which take a quarter of the heap"));
    }
    if (objects % TOLD_EACH == 0) {
      LOG.info("{}: {} objects are listed so far", listed, objects);
    }
  }
}
