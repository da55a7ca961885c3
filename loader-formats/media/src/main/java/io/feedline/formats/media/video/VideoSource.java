package io.feedline.formats.media.video;

import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.formats.media.internal.MediaInput;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * @param name the name of the video, for errors
 * @param path the path of the file; null for bytes in memory
 * @param bytes the bytes; the {@link VideoDecoders} that opened them closes them
 */
record VideoSource(String name, @Nullable Path path, MediaBytes bytes) {

  MediaInput open() throws IOException {
    return MediaInput.open(name, bytes);
  }

  /** Returns the index of the video: from a kept index file if there is one, or else made now. */
  FrameIndex index(VideoFile.Options options) throws IOException {
    return path == null
        ? FrameIndex.scan(name, bytes, options)
        : FrameIndexFile.of(path, bytes, options);
  }

  /** Returns whether another source has the same bytes. */
  boolean isSame(VideoSource other) {
    return path == null ? bytes == other.bytes : path.equals(other.path);
  }
}
