package io.feedline.formats.cli.internal.stores;

import io.feedline.data.Dataset;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.store.internal.samples.PreviewFormat;
import io.feedline.internal.Counts;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files at a path that are not images but can be drawn, such as videos and sounds: one file, or
 * all such files below a directory, sorted by path.
 */
record PreviewFiles(List<Path> paths) {

  /** Returns the files at a path; empty if no file can be drawn. */
  static Optional<PreviewFiles> find(Path path) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Presence.isDirectory(path)) {
      try (Stream<Path> below = Files.walk(path)) {
        for (Path each : (Iterable<Path>) below.sorted()::iterator) {
          if (PreviewFormat.of(each).isPresent() && Presence.isFile(each)) {
            found.add(each);
          }
        }
      }
    } else if (PreviewFormat.of(path).isPresent()) {
      found.add(path);
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(new PreviewFiles(found));
  }

  PreviewFormat format(int file) {
    return PreviewFormat.of(paths.get(file)).orElseThrow();
  }

  /** Returns the number of files by kind, in words: {@code 12 video files, 1 sound file}. */
  String inWords() {
    Map<String, Integer> counts = new TreeMap<>();
    for (int file = 0; file < paths.size(); file++) {
      counts.merge(format(file).name() + " file", 1, Integer::sum);
    }
    return String.join(
        ", ", counts.entrySet().stream().map(e -> Counts.of(e.getValue(), e.getKey())).toList());
  }

  Map<String, Object> inspect(int file) throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("format", format(file).name());
    facts.put("path", paths.get(file).toString());
    facts.put("bytes", Files.size(paths.get(file)));
    facts.putAll(format(file).inspect(paths.get(file)));
    return facts;
  }

  static String line(Map<String, Object> facts) {
    List<String> words = new ArrayList<>();
    facts.forEach(
        (name, value) -> {
          if (name.equals("bytes")) {
            words.add(ByteSize.words((Long) value));
          } else if (!name.equals("path") && !name.equals("format")) {
            words.add(
                name.replace('_', ' ')
                    + " "
                    + (value instanceof Double number ? "%.2f".formatted(number) : value));
          }
        });
    return "%s: %s, %s".formatted(facts.get("path"), facts.get("format"), String.join(", ", words));
  }

  /** Returns pictures of the only file, or if there are several, the middle picture of each. */
  List<PreviewFormat.Picture> draw(int count) throws Exception {
    if (paths.size() == 1) {
      return format(0).draw(paths.get(0), count);
    }
    int shown = Math.min(count, paths.size());
    List<PreviewFormat.Picture> pictures = new ArrayList<>();
    for (int i = 0; i < shown; i++) {
      int file = (int) InspectCommand.spread(i, shown, paths.size());
      List<PreviewFormat.Picture> parts = format(file).draw(paths.get(file), 3);
      String name = String.valueOf(paths.get(file).getFileName());
      PreviewFormat.Picture middle = parts.get(parts.size() / 2);
      pictures.add(new PreviewFormat.Picture(middle.rgb(), middle.width(), middle.height(), name));
    }
    return pictures;
  }

  Dataset<Long> verified() {
    return new Dataset<>() {
      @Override
      public long size() {
        return paths.size();
      }

      @Override
      public Long get(long index) throws Exception {
        Path file = paths.get((int) index);
        format((int) index).verify(file);
        return Files.size(file);
      }

      @Override
      public String name() {
        return "files";
      }

      @Override
      public String describe(long index) {
        return paths.get((int) index).toString();
      }
    };
  }
}
