package io.feedline.formats.folder;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.internal.Counts;
import io.feedline.internal.Presence;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The files and labels that a CSV file lists. */
final class FileTable {

  private static final int NAMED = 3;

  private static final int MAX_DIGITS = 10;

  /** A line of the CSV file, with name and label as written; the label is null if it is absent. */
  private record Line(long number, String file, String label) {
    FormatException problem(Path csv, String problem) {
      return FormatException.in(csv, "line " + number + ": " + problem);
    }
  }

  private final Path csv;
  private final String labelColumn;
  private final List<Line> lines;

  private FileTable(Path csv, String labelColumn, List<Line> lines) {
    this.csv = csv;
    this.labelColumn = labelColumn;
    this.lines = lines;
  }

  static FileTable read(Path csv, char delimiter, String imageColumn, @Nullable String labelColumn)
      throws IOException {
    List<Line> lines = new ArrayList<>();
    // Many rows have the same label, so equal labels share one string.
    Map<String, String> known = new HashMap<>();
    try (CsvReader rows = new CsvReader(csv, delimiter)) {
      List<String> header = rows.next();
      if (header == null) {
        throw FormatException.in(csv, "an empty file; its first line names the columns");
      }
      int file = column(csv, header, imageColumn);
      int label = labelColumn == null ? -1 : column(csv, header, labelColumn);
      for (List<String> row = rows.next(); row != null; row = rows.next()) {
        if (row.size() != header.size()) {
          throw rows.problem(
              "%s, but the first line names %s"
                  .formatted(Counts.of(row.size(), "field"), Counts.of(header.size(), "column")));
        }
        lines.add(
            new Line(
                rows.line(),
                filled(rows, row.get(file), imageColumn),
                label < 0
                    ? null
                    : known.computeIfAbsent(
                        filled(rows, row.get(label), labelColumn), same -> same)));
      }
    }
    if (lines.isEmpty()) {
      throw FormatException.in(csv, "no rows behind the line that names the columns");
    }
    return new FileTable(csv, labelColumn, lines);
  }

  private static int column(Path csv, List<String> header, String name) throws FormatException {
    int first = header.indexOf(name);
    String columns = header.stream().collect(Collectors.joining("', '", "'", "'"));
    if (first < 0) {
      throw FormatException.in(
          csv,
          "there is no column '%s'; the first line names %s%s"
              .formatted(name, columns, header.size() == 1 ? ". Is the delimiter another?" : ""));
    }
    if (header.lastIndexOf(name) != first) {
      throw FormatException.in(csv, "two columns are called '%s': %s".formatted(name, columns));
    }
    return first;
  }

  private static String filled(CsvReader rows, String field, String column) throws FormatException {
    if (field.isEmpty()) {
      throw rows.problem("column '" + column + "' is empty");
    }
    return field;
  }

  /**
   * Returns the files in the order of the lines.
   *
   * @param suffix the text to append to each name in the column
   * @param labels the label of each text in the column of labels
   */
  FileList files(Path root, String suffix, boolean mustExist, Map<String, Integer> labels)
      throws IOException {
    FileList.Builder files = new FileList.Builder();
    List<String> missing = new ArrayList<>();
    int absent = 0;
    for (Line line : lines) {
      Path path;
      try {
        path = root.resolve(line.file() + suffix);
      } catch (InvalidPathException invalid) {
        throw line.problem(
            csv,
            "'%s' is not a name of a file: %s".formatted(line.file(), LocalFiles.reason(invalid)));
      }
      if (mustExist && !Presence.isFile(path) && absent++ < NAMED) {
        missing.add(
            "line %d: %s %s"
                .formatted(
                    line.number(),
                    path,
                    Presence.exists(path) ? "is not a file" : "does not exist"));
      }
      files.file(
          line.file() + suffix,
          line.label() == null ? EncodedImage.NO_LABEL : labels.get(line.label()));
    }
    if (absent > 0) {
      throw new FileNotFoundException(
          "%s, %s. %d of the %d files are missing; names count from %s"
              .formatted(csv, String.join("; ", missing), absent, lines.size(), describe(root)));
    }
    return files.build();
  }

  private static Path describe(Path root) {
    return root.toString().isEmpty() ? root.toAbsolutePath() : root;
  }

  /** The labels by class name, if classes have names, and by text in the column of labels. */
  record Labels(Map<String, Integer> classToIndex, Map<String, Integer> byText) {}

  /**
   * Returns the label of each class and of each text in the column of labels.
   *
   * @param classes the allowed names, in the order of their labels. If null: the labels are the
   *     column's numbers if all texts are numbers, otherwise the classes are the texts, sorted
   */
  Labels labels(@Nullable List<String> classes) throws FormatException {
    if (labelColumn == null) {
      return new Labels(Map.of(), Map.of());
    }
    if (classes == null && lines.stream().allMatch(line -> line.label().matches("-?[0-9]+"))) {
      return new Labels(Map.of(), numbers());
    }
    Map<String, Integer> indexes = new LinkedHashMap<>();
    List<String> names = classes;
    if (names == null) {
      names = lines.stream().map(Line::label).distinct().sorted(FolderWalk.BY_CODE_POINTS).toList();
    }
    names.forEach(name -> indexes.put(name, indexes.size()));
    for (Line line : lines) {
      if (!indexes.containsKey(line.label())) {
        throw line.problem(
            csv, "label '%s' is none of the classes %s".formatted(line.label(), names));
      }
    }
    return new Labels(indexes, indexes);
  }

  private Map<String, Integer> numbers() throws FormatException {
    Map<String, Integer> numbers = new HashMap<>();
    for (Line line : lines) {
      String text = line.label();
      if (!numbers.containsKey(text)) {
        long number = text.length() > MAX_DIGITS ? -1 : Long.parseLong(text);
        if (number < 0 || number > Integer.MAX_VALUE) {
          throw line.problem(
              csv,
              "label '%s' is out of range; where all labels are numbers, they are from 0 to %s"
                  .formatted(text, Integer.toString(Integer.MAX_VALUE)));
        }
        numbers.put(text, (int) number);
      }
    }
    return numbers;
  }
}
