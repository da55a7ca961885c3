package io.feedline.data;

import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import io.feedline.internal.MissingPaths;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The samples of a dataset that an {@link io.feedline.ErrorPolicy} tolerated: to be looked at, and
 * to be left out next time. Immutable.
 *
 * @param entries by index, each index once
 */
public record Quarantine(List<Entry> entries) {

  /**
   * A sample that failed.
   *
   * @param index the index in the loader's dataset; -1 if the sample failed before it had an index
   * @param description the dataset's description of the sample: its path or key
   * @param cause the text of the original exception
   */
  public record Entry(long index, String description, String cause) {}

  /** Copies the list. */
  public Quarantine {
    entries = List.copyOf(entries);
  }

  /** Returns the list of failed samples; a failure that concerns no single sample has index -1. */
  public static Quarantine of(Collection<LoaderException> failures) {
    return new Quarantine(
        failures.stream()
            .map(
                failure ->
                    new Entry(
                        failure.index().orElse(-1),
                        failure.description(),
                        LoaderException.causeOf(failure)))
            .toList());
  }

  /** Returns the indices, ascending, without -1. */
  public long[] indices() {
    return entries.stream()
        .mapToLong(Entry::index)
        .filter(index -> index >= 0)
        .sorted()
        .distinct()
        .toArray();
  }

  /** Throws if the dataset has other samples at the indices of this list. */
  void requireOf(Dataset<?> dataset) {
    for (Entry entry : entries) {
      if (entry.index() >= dataset.size()) {
        throw new IllegalArgumentException(
            "the quarantine list excludes index %d; %s has %d samples"
                .formatted(entry.index(), dataset.name(), dataset.size()));
      }
      if (entry.index() >= 0) {
        String there = dataset.describe(entry.index());
        if (!fileName(there).equals(fileName(entry.description()))) {
          throw new IllegalArgumentException(
              "the quarantine list has '%s' at index %d, and %s has '%s' there: make the list of this dataset, as it is now"
                  .formatted(entry.description(), entry.index(), dataset.name(), there));
        }
      }
    }
  }

  /** Returns a description without the directory of a path: directories differ between machines. */
  private static String fileName(String description) {
    return description.substring(
        Math.max(description.lastIndexOf('/'), description.lastIndexOf('\\')) + 1);
  }

  /**
   * Writes the list as JSON, one line for each entry. The file appears whole or not at all; an
   * existing file is replaced.
   *
   * @throws IOException if the file cannot be written
   */
  public void save(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Entry entry : entries) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("index", entry.index());
      json.put("description", entry.description());
      json.put("cause", entry.cause());
      lines.add(Json.write(json));
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      Files.write(file, lines); // a device, such as /dev/stdout
      return;
    }
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try {
      Files.write(partial, lines);
    } catch (NoSuchFileException absent) {
      throw MissingPaths.ofDirectory(file, absent);
    }
    Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads a file of {@link #save}.
   *
   * @throws IOException if the file cannot be read, or a line of it is not an entry; the message
   *     names file and line
   */
  public static Quarantine load(Path file) throws IOException {
    List<Entry> entries = new ArrayList<>();
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (CharacterCodingException noText) {
      throw new IOException(file + " is not a quarantine list: it is not UTF-8", noText);
    } catch (IOException unreadable) {
      if (Files.isDirectory(file)) {
        throw new IOException(file + " is not a quarantine list but a directory", unreadable);
      }
      throw unreadable;
    }
    for (int i = 0; i < lines.size(); i++) {
      try {
        JsonMembers json = JsonMembers.read("its text", lines.get(i));
        entries.add(
            new Entry(json.whole("index"), json.string("description"), json.string("cause")));
      } catch (IllegalArgumentException e) {
        throw new IOException(
            "line %d of %s is not an entry of a quarantine list: %s"
                .formatted(i + 1, file, e.getMessage()),
            e);
      }
    }
    return new Quarantine(entries);
  }
}
