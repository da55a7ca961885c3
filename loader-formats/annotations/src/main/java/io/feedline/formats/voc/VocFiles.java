package io.feedline.formats.voc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.FileSamples;
import io.feedline.internal.Presence;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.CRC32C;

/** The images of a list of VOC, each with a second file of the same name. Thread-safe. */
final class VocFiles {

  private static final int MOST_LIST_BYTES = 1 << 28;

  private static final String IMAGES = "JPEGImages";

  private final FileSamples files = new FileSamples();
  private final Path directory;
  private final String set;
  private final List<String> names;
  private final String others;
  private final String extension;
  private final DecodeOptions options;

  /**
   * @param kind the directory of the list in {@code ImageSets}
   * @param others the directory of the second files
   * @param extension the extension of the second files
   * @throws IOException if there is no such list, or the list cannot be read
   */
  VocFiles(
      Path directory,
      String kind,
      String set,
      String others,
      String extension,
      DecodeOptions options)
      throws IOException {
    this.directory = Objects.requireNonNull(directory, "directory");
    this.options = options;
    this.set = kind + "/" + set;
    this.others = others;
    this.extension = extension;
    Path lists = directory.resolve("ImageSets").resolve(kind);
    Path list = lists.resolve(FileSamples.below(lists, set + ".txt"));
    if (!Presence.exists(list)) {
      throw new FileNotFoundException(
          "%s: there is no such list; VOC's are train, val, trainval and test, in the directory of a year that has ImageSets and JPEGImages, such as VOCdevkit/VOC2012"
              .formatted(list));
    }
    this.names = names(list);
  }

  /** Returns whether each line is a word and 1, 0 or -1, as in the list of a single class. */
  private static boolean isOfOneClass(List<String> lines) {
    return !lines.isEmpty() && lines.stream().allMatch(line -> line.matches("\\S+\\s+-?[01]"));
  }

  Image readImage(long index) throws IOException {
    Path file = image(index);
    return Image.ofEncoded(files.read(file), file.toString(), options);
  }

  byte[] readOther(long index) throws IOException {
    return files.read(other(index));
  }

  Path image(long index) {
    return image(names.get((int) index));
  }

  Path other(long index) {
    return directory.resolve(others).resolve(names.get((int) index) + extension);
  }

  private Path image(String name) {
    return directory.resolve(IMAGES).resolve(name + ".jpg");
  }

  private List<String> names(Path list) throws IOException {
    String text;
    try (OpenFiles files = new OpenFiles(1)) {
      text = new String(files.readAll(list, MOST_LIST_BYTES), UTF_8);
    }
    List<String> names = new ArrayList<>();
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      // Editors of Windows begin a file with a byte order mark.
      String name = (number == 1 && line.startsWith("\uFEFF") ? line.substring(1) : line).strip();
      if (!name.isEmpty()) {
        try {
          names.add(FileSamples.below(directory.resolve(IMAGES), name));
        } catch (FormatException elsewhere) {
          throw elsewhere.at("%s, line %d".formatted(list, number));
        }
      }
    }
    if (isOfOneClass(names) && !Presence.exists(image(names.get(0)))) {
      throw FormatException.in(
          list,
          "line 1 has two columns, '%s': it is a list of one class; take train, val or trainval"
              .formatted(names.get(0)));
    }
    if (names.isEmpty()) {
      throw FormatException.in(list, "the list is empty");
    }
    return List.copyOf(names);
  }

  int size() {
    return names.size();
  }

  @Override
  public String toString() {
    return directory + ", " + set;
  }

  String fingerprint(String kind, String choice) {
    CRC32C crc = new CRC32C();
    for (String name : names) {
      crc.update((name + '\n').getBytes(UTF_8));
    }
    crc.update((others + choice).getBytes(UTF_8));
    return String.format(Locale.ROOT, "%s:%d:%08x", kind, size(), crc.getValue());
  }
}
