package io.feedline.formats.store.internal;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;

/**
 * Paths of file system providers, by URIs as people write them. File systems that a URI leads to
 * stay open as long as the process.
 */
public final class ProviderPaths {

  private static final String ILLEGAL = " \"<>[]\\^`{|}";

  private ProviderPaths() {}

  /**
   * Returns the path of a URI.
   *
   * @param text characters that a URI must not have, such as the braces of a pattern, may stand
   *     there as they are
   * @throws URISyntaxException if it is no URI
   * @throws IOException if the file system cannot be opened
   * @throws IllegalArgumentException if it is no path of the provider
   */
  public static Path of(String text, FileSystemProvider provider)
      throws URISyntaxException, IOException {
    URI uri = new URI(escaped(text));
    try {
      return provider.getPath(uri);
    } catch (FileSystemNotFoundException notOpen) {
      provider.newFileSystem(uri, Map.of());
      return provider.getPath(uri);
    }
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (ILLEGAL.indexOf(c) < 0) {
                escaped.appendCodePoint(c);
              } else {
                escaped.append('%').append(Integer.toHexString(c));
              }
            });
    return escaped.toString();
  }
}
