package io.feedline.formats.store.internal.samples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A format of files that are not images, but can be shown as images: the frames of a video, the
 * spectrogram of a sound. The command line inspects, shows and verifies such files; it finds the
 * formats by {@link ServiceLoader}.
 *
 * <p>Implementations have no state and are thread-safe.
 */
public interface PreviewFormat {

  @SuppressWarnings("ArrayRecordComponent") // Pictures are never compared.
  record Picture(byte[] rgb, int width, int height, String caption) {}

  String name();

  List<String> extensions();

  /** Returns the properties of a file, if possible without decoding it. */
  Map<String, Object> inspect(Path file) throws IOException;

  List<Picture> draw(Path file, int count) throws Exception;

  void verify(Path file) throws Exception;

  static Optional<PreviewFormat> of(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return ServiceLoader.load(PreviewFormat.class, PreviewFormat.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(kind -> kind.extensions().stream().anyMatch(name::endsWith))
        .findFirst();
  }
}
