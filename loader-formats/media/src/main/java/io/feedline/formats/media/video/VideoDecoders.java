package io.feedline.formats.media.video;

import io.feedline.formats.media.internal.Idle;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The open decoders of some videos. Each use takes a decoder for itself; the most recently used
 * decoders stay open, up to a limit, so that the next clip of the same video continues at the
 * decoder's position. Thread-safe.
 */
final class VideoDecoders implements Closeable {

  private final VideoFile.Options options;
  private final OpenFiles files;
  private final Idle<VideoDecoder> idle;

  /** Takes the largest number of unused decoders that stay open, 1 or more. */
  VideoDecoders(VideoFile.Options options, int limit) {
    this.options = options;
    this.files = new OpenFiles(limit);
    this.idle = new Idle<>(limit);
  }

  VideoSource source(Path path) {
    return new VideoSource(path.toString(), path, MediaBytes.of(new OpenFile(files, path)));
  }

  /** Takes a decoder for the calling thread alone, which gives it back or closes it. */
  VideoDecoder take(VideoSource source) throws IOException {
    VideoDecoder open = idle.take(source.name(), decoder -> decoder.source().isSame(source));
    return open == null ? VideoDecoder.open(source, options) : open;
  }

  /** Keeps a decoder for its next use; no method of the decoder may have failed. */
  void give(VideoDecoder decoder) throws IOException {
    idle.give(decoder);
  }

  @Override
  public void close() throws IOException {
    try {
      idle.close();
    } finally {
      files.close();
    }
  }
}
