package io.feedline.formats.folder;

import io.feedline.formats.store.ImageFormat;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The options that select image files: extensions, or a predicate on paths. Not thread-safe. */
final class WantedFiles {

  private static final Logger LOG = LoggerFactory.getLogger(WantedFiles.class);

  private List<String> extensions;
  private Predicate<? super Path> filter;

  void extensions(String... newExtensions) {
    this.extensions = List.of(newExtensions);
  }

  void filter(Predicate<? super Path> newFilter) {
    this.filter = Objects.requireNonNull(newFilter, "filter");
  }

  private List<String> effectiveExtensions() {
    return extensions == null ? ImageFormat.EXTENSIONS : extensions;
  }

  String soughtInVain() {
    return filter == null
        ? "looked for " + String.join(", ", effectiveExtensions())
        : "the filter accepted none of their files";
  }

  /** Warns of files left out by extension if the caller set neither extensions nor a filter. */
  void warnOfOthers(Path root, FolderWalk walk) {
    if (filter == null && extensions == null && !walk.passedOver().isEmpty()) {
      LOG.warn("{}: {}", root, walk.passedOver());
    }
  }

  Predicate<? super Path> predicate() {
    if (filter != null && extensions != null) {
      throw new IllegalArgumentException(
          "give extensions " + extensions + " or a filter, not both");
    }
    if (filter != null) {
      return filter;
    }
    String[] ends =
        effectiveExtensions().stream()
            .map(extension -> extension.toLowerCase(Locale.ROOT))
            .toArray(String[]::new);
    if (ends.length == 0 || !Arrays.stream(ends).allMatch(end -> end.startsWith("."))) {
      throw new IllegalArgumentException(
          "extensions must be one or more, each beginning with a dot, were "
              + effectiveExtensions());
    }
    return path -> {
      String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
      for (String end : ends) {
        if (name.endsWith(end)) {
          return true;
        }
      }
      return false;
    };
  }
}
