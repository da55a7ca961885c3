package io.feedline.formats.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.data.SampleContext;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.internal.Digest;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A mapping from the names of a category to numbers, for an embedding or a one-hot vector; like
 * scikit-learn's {@code OrdinalEncoder}. Fit it on the training data, save it beside the model, and
 * load it where the model is used.
 *
 * <pre>{@code
 * Vocabulary cities = Vocabulary.fit(Path.of("train.parquet"), "city").withUnknown();
 * cities.save(Path.of("cities.json"));
 * }</pre>
 *
 * <p>A name that is not in the vocabulary is an error, unless {@link #withUnknown} gives all
 * unknown names one number. Immutable and thread-safe.
 */
public final class Vocabulary {

  private static final long MAX_FILE_BYTES = 1 << 28;

  private final List<String> names;
  private final boolean unknown;
  private final Map<String, Integer> numbers = new HashMap<>();

  private Vocabulary(Collection<String> names, boolean unknown) {
    this.names = List.copyOf(names);
    this.unknown = unknown;
    for (String name : this.names) {
      if (numbers.put(name, numbers.size()) != null) {
        throw new IllegalArgumentException("the name '%s' comes twice".formatted(name));
      }
    }
  }

  /** Returns a vocabulary that gives a name its index in the list; names must be distinct. */
  public static Vocabulary of(List<String> names) {
    return new Vocabulary(names, false);
  }

  /**
   * Returns a vocabulary of the names in a column of a table, sorted, without nulls. Reads only
   * that column. The column may contain whole numbers, which count as names. The delimiter of a CSV
   * file is a tab for {@code .tsv}, otherwise a comma; with another delimiter, fit the dataset:
   *
   * <pre>{@code
   * try (var rows = TableDataset.builder(file).delimiter(';').columns("city").build()) {
   *   Vocabulary cities = Vocabulary.fit(rows.map(row -> (String) row.get("city")));
   * }
   * }</pre>
   *
   * @param table a file, a pattern or a directory, as for {@link TableDataset#builder(Path)}
   * @throws IOException if the table cannot be read, lacks the column, or has a broken row
   */
  public static Vocabulary fit(Path table, String column) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    TableSource.open(table, TableSource.Options.DEFAULT).names(column, names::add);
    return new Vocabulary(names, false);
  }

  /**
   * Returns a vocabulary of the names in a dataset, sorted. Take the names from the training part,
   * for instance by {@code train.map(row -> row.city())}. Reads each sample once.
   *
   * @throws Exception if a sample cannot be read
   */
  public static Vocabulary fit(Dataset<String> names) throws Exception {
    TreeSet<String> found = new TreeSet<>();
    for (long i = 0; i < names.size(); i++) {
      found.add(names.get(i, new SampleContext(0, 0, i)));
    }
    return new Vocabulary(found, false);
  }

  /** Reads a vocabulary from a file that {@link #save} has written. */
  public static Vocabulary load(Path file) throws IOException {
    String text;
    try (OpenFiles files = new OpenFiles(1)) {
      text = new String(files.readAll(file, MAX_FILE_BYTES), UTF_8);
    }
    try {
      JsonMembers json = JsonMembers.read("its JSON", text);
      return new Vocabulary(json.strings("names"), json.flag("unknown"));
    } catch (IllegalArgumentException damaged) {
      throw FormatException.in(file, "this is not a vocabulary: " + damaged.getMessage(), damaged);
    }
  }

  /** Writes a JSON file: {@code {"names": ["Bonn", "Rome"], "unknown": true}}. */
  public void save(Path file) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("names", names);
    members.put("unknown", unknown);
    Files.writeString(file, Json.write(members));
  }

  /** Returns this vocabulary with one more number, the largest, for all names that it lacks. */
  public Vocabulary withUnknown() {
    return new Vocabulary(names, true);
  }

  /** Returns the count of numbers, including that of unknown names: the rows of an embedding. */
  public int size() {
    return names.size() + (unknown ? 1 : 0);
  }

  /** Returns the names in the order of their numbers. */
  public List<String> names() {
    return names;
  }

  /** Returns the number of a name, from 0; fails if the name is unknown and has no number. */
  public int number(String name) {
    int number = find(name);
    if (number < 0) {
      throw new IllegalArgumentException(problem(name));
    }
    return number;
  }

  /** Returns the number of a name; -1 if the name is unknown and has no number. */
  int find(String name) {
    Integer number = numbers.get(name);
    return number != null ? number : unknown ? names.size() : -1;
  }

  String problem(String name) {
    return "'%s' is none of the %d names of the vocabulary; withUnknown() gives such names a number"
        .formatted(name, names.size());
  }

  /** Returns a text that differs between vocabularies that give a name different numbers. */
  String fingerprint() {
    return Digest.of(names + ":" + unknown);
  }

  @Override
  public String toString() {
    return "Vocabulary of %d names%s".formatted(names.size(), unknown ? ", and unknown ones" : "");
  }
}
