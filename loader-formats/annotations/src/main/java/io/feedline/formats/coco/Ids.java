package io.feedline.formats.coco;

import com.google.gson.stream.JsonReader;
import io.feedline.data.FormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ids of a file's images or categories. COCO's ids are numbers. Ids that are texts become
 * numbers after all ids of the file have been read. If all texts are numbers in quotes, they become
 * these numbers. Otherwise a text becomes its index in the order of all texts, by code points.
 * Thread-safe after {@link #number(Path, String)}.
 */
final class Ids {

  /** The number for an id that is absent, null, or not valid. */
  static final long NONE = Long.MIN_VALUE;

  /** The provisional number of the first text; the next text has the next number. */
  private static final long FIRST_TEXT = NONE + 1;

  private final Map<String, Long> provisional = new HashMap<>();
  private boolean numbers;

  /** The texts, ordered by code points; empty if the ids are numbers. */
  private List<String> texts = List.of();

  /** The final number of each text, in the order of the provisional numbers. */
  private long[] numbersOfTexts = {};

  /** Reads an id; returns its provisional number for {@link #number(long)}, or {@link #NONE}. */
  long read(JsonReader json) throws IOException {
    switch (json.peek()) {
      case NUMBER -> {
        numbers = true;
        return json.nextLong();
      }
      case STRING -> {
        String text = json.nextString();
        return text.indexOf(PythonJson.MARK) == 0
            ? NONE
            : provisional.computeIfAbsent(text, added -> FIRST_TEXT + provisional.size());
      }
      default -> {
        json.skipValue();
        return NONE;
      }
    }
  }

  /** Computes the final numbers; fails if some ids are numbers, and some texts are not. */
  void number(Path file, String what) throws FormatException {
    List<String> read =
        provisional.entrySet().stream()
            .sorted(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .toList();
    List<String> others = read.stream().filter(text -> !isNumber(text)).toList();
    if (others.isEmpty()) {
      numbersOfTexts = read.stream().mapToLong(Long::parseLong).toArray();
      return;
    }
    if (numbers) {
      throw FormatException.in(
          file, "the ids of %s are numbers, and texts such as '%s'".formatted(what, others.get(0)));
    }
    texts = read.stream().sorted(BY_CODE_POINTS).toList();
    Map<String, Integer> places = new HashMap<>();
    texts.forEach(text -> places.put(text, places.size()));
    numbersOfTexts = read.stream().mapToLong(places::get).toArray();
  }

  private static final Comparator<String> BY_CODE_POINTS =
      (a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());

  /** Returns true for texts that Java and Python both read as the same number. */
  private static boolean isNumber(String text) {
    return text.matches("0|-?[1-9][0-9]{0,17}");
  }

  /** Returns the final number for a number that {@link #read} returned. */
  long number(long read) {
    boolean isText = read >= FIRST_TEXT && read < FIRST_TEXT + numbersOfTexts.length;
    return isText ? numbersOfTexts[(int) (read - FIRST_TEXT)] : read;
  }

  /** Returns the id of a final number, as the file writes the id. */
  String inWords(long number) {
    return texts.isEmpty() || number < 0 || number >= texts.size()
        ? Long.toString(number)
        : "'%s'".formatted(texts.get((int) number));
  }

  List<String> texts() {
    return texts;
  }
}
