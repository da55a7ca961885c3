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
 * The numbers of a category's names, for an embedding or a one-hot vector: fitted on the training
 * data, saved beside the model, and loaded where the model is used. Like scikit-learn's {@code
 * OrdinalEncoder}.
 *
 * <pre>{@code
 * Vocabulary cities = Vocabulary.fit(Path.of("train.parquet"), "city").withUnknown();
 * cities.save(Path.of("cities.json"));
 * }</pre>
 *
 * <p>A name that the vocabulary does not have is an error, unless {@link #withUnknown} gives all
 * such names one number. Immutable and thread-safe.
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

  /** Returns a vocabulary of names in the order of their numbers; no name may come twice. */
  public static Vocabulary of(List<String> names) {
    return new Vocabulary(names, false);
  }

  /**
   * Returns a vocabulary of the names in a column of a table, sorted, without nulls. Reads only
   * that column. A whole number is a name, too. A CSV file has tabs or commas by its file name; if
   * it has another delimiter, fit the dataset:
   *
   * <pre>{@code
   * try (var rows = TableDataset.builder(file).delimiter(';').columns("city").build()) {
   *   Vocabulary cities = Vocabulary.fit(rows.map(row -> (String) row.get("city")));
   * }
   * }</pre>
   *
   * @param table a file, a pattern or a directory, as for {@link TableDataset#builder(Path)}
   * @throws IOException if it cannot be read, has no such column or a broken row
   */
  public static Vocabulary fit(Path table, String column) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    TableSource.open(table, TableSource.Options.DEFAULT).names(column, names::add);
    return new Vocabulary(names, false);
  }

  /**
   * Returns a vocabulary of the names in a dataset, sorted. The dataset is made of the training
   * part, for instance {@code train.map(row -> row.city())}. Reads each sample once.
   *
   * @throws Exception the failure of a sample
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

  /** Returns this vocabulary with one more number, the last, for all other names. */
  public Vocabulary withUnknown() {
    return new Vocabulary(names, true);
  }

  /** Returns how many numbers there are, with that of unknown names: an embedding's rows. */
  public int size() {
    return names.size() + (unknown ? 1 : 0);
  }

  /** Returns the names in the order of their numbers. */
  public List<String> names() {
    return names;
  }

  /** Returns the number of a name, from 0; fails if neither it nor unknown names have one. */
  public int number(String name) {
    int number = find(name);
    if (number < 0) {
      throw new IllegalArgumentException(problem(name));
    }
    return number;
  }

  /** Returns the number of a name; -1 if it has none. */
  int find(String name) {
    Integer number = numbers.get(name);
    return number != null ? number : unknown ? names.size() : -1;
  }

  String problem(String name) {
    return "'%s' is none of the %d names of the vocabulary; withUnknown() gives such names a number"
        .formatted(name, names.size());
  }

  /** Returns a text that changes when a number changes. */
  String fingerprint() {
    return Digest.of(names + ":" + unknown);
  }

  @Override
  public String toString() {
    return "Vocabulary of %d names%s".formatted(names.size(), unknown ? ", and unknown ones" : "");
  }
}
