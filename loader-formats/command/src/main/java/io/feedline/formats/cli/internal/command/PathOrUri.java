package io.feedline.formats.cli.internal.command;

import io.feedline.formats.store.internal.files.LocalFiles;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A converter of paths on the command line. A text is a path of the default file system, or the URI
 * of a path of any installed file system provider, such as {@code file:///data/train}, {@code
 * jar:file:///data.zip!/train} or {@code s3://bucket/train}. Characters that are not allowed in a
 * URI, such as the braces of a pattern, need no escape.
 *
 * <p>A text is a URI if it begins with an installed provider's scheme, or with any scheme and
 * {@code ://}. File systems of URIs stay open until the process ends. Errors do not repeat a URI's
 * user and query, which may be secret.
 */
public final class PathOrUri implements ITypeConverter<Path> {

  /** A text that begins with a scheme of two characters or more; one letter is a Windows drive. */
  private static final Pattern URI_TEXT =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(//)?.*", Pattern.DOTALL);

  private static final Pattern USER = Pattern.compile("://[^/\\s]*@");
  private static final Pattern QUERY = Pattern.compile("(://[^?\\s]*\\?)[^'\\s]+");

  private static final String ILLEGAL = " \"<>[]\\^`{|}";

  @Override
  public Path convert(String text) {
    Matcher uri = URI_TEXT.matcher(text);
    if (uri.matches()) {
      Optional<FileSystemProvider> provider =
          FileSystemProvider.installedProviders().stream()
              .filter(each -> each.getScheme().equalsIgnoreCase(uri.group(1)))
              .findFirst();
      if (provider.isPresent()) {
        return path(text, provider.get());
      }
      if (uri.group(2) != null) {
        throw new TypeConversionException(
            "'%s': there is no file system provider for the scheme '%s'; installed are %s. A provider's jar has to be on the class path"
                .formatted(shown(text), uri.group(1), installed()));
      }
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException invalid) {
      throw new TypeConversionException(
          "'%s' is not a path: %s".formatted(text, LocalFiles.reason(invalid)));
    }
  }

  private static Path path(String text, FileSystemProvider provider) {
    try {
      URI uri = new URI(escaped(text));
      try {
        return provider.getPath(uri);
      } catch (FileSystemNotFoundException notOpen) {
        provider.newFileSystem(uri, Map.of());
        return provider.getPath(uri);
      }
    } catch (URISyntaxException
        | IOException
        | IllegalArgumentException
        | IllegalStateException
        | FileSystemNotFoundException
        | UnsupportedOperationException
        | SecurityException failure) {
      throw new TypeConversionException(
          "'%s' is not a path of the provider '%s': %s; installed are %s"
              .formatted(
                  shown(text), provider.getScheme(), shown(FailureWords.of(failure)), installed()));
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

  private static String shown(String text) {
    String withoutUser = USER.matcher(text).replaceAll("://...@");
    return QUERY.matcher(withoutUser).replaceAll("$1...");
  }

  private static String installed() {
    return FileSystemProvider.installedProviders().stream()
        .map(FileSystemProvider::getScheme)
        .collect(Collectors.joining(", "));
  }
}
