package io.feedline.formats.media.video;

import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.internal.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The open decoders of some videos. Each use takes a decoder for itself; the most recently used
 * decoders stay open, up to a limit, so that the next clip of the same video continues there.
 *
 * <p>Thread-safe. The opener closes the pool, which closes idle decoders at once and decoders in
 * use when they are given back.
 */
final class VideoDecoders implements Closeable {

  private final VideoOptions options;
  private final int limit;
  private final OpenFiles files;

  /** The last used first; guarded by itself, as is {@link #closed}. */
  private final Deque<VideoDecoder> idle = new ArrayDeque<>();

  private boolean closed;

  /**
   * @param limit how many stay open while they are not used, 1 or more
   */
  VideoDecoders(VideoOptions options, int limit) {
    this.options = options;
    this.limit = limit;
    this.files = new OpenFiles(limit);
  }

  VideoOptions options() {
    return options;
  }

  VideoSource source(Path path) {
    return new VideoSource(path.toString(), path, MediaBytes.of(new OpenFile(files, path)));
  }

  /** For the calling thread alone, to be given back or closed. */
  VideoDecoder take(VideoSource source) throws IOException {
    synchronized (idle) {
      if (closed) {
        throw new IllegalStateException(source.name() + " is read after it was closed");
      }
      Iterator<VideoDecoder> each = idle.iterator();
      while (each.hasNext()) {
        VideoDecoder decoder = each.next();
        if (decoder.source().isSame(source)) {
          each.remove();
          return decoder;
        }
      }
    }
    return VideoDecoder.open(source, options);
  }

  /** None of the decoder's methods has failed. */
  void give(VideoDecoder decoder) {
    VideoDecoder spare = decoder;
    synchronized (idle) {
      if (!closed) {
        idle.addFirst(decoder);
        spare = idle.size() > limit ? idle.removeLast() : null;
      }
    }
    Closing.all(spare);
  }

  @Override
  public void close() throws IOException {
    VideoDecoder[] open;
    synchronized (idle) {
      closed = true;
      open = idle.toArray(VideoDecoder[]::new);
      idle.clear();
    }
    try {
      Closing.all(open);
    } finally {
      files.close();
    }
  }
}
