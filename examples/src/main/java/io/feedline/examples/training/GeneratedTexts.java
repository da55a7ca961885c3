package io.feedline.examples.training;

import io.feedline.examples.shared.Unfinished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Texts that count up or down, 2 to 60 words long and most of them short, in a file with one text
 * per line, and a tokenizer for them in the format of Hugging Face's {@code tokenizers}:
 *
 * <pre>
 *   down three two one nine eight
 * </pre>
 *
 * <p>The next word depends on the previous word, and on the first word of the text.
 *
 * @param parent the directory that holds the files, or will hold them
 */
record GeneratedTexts(Path parent, int texts, long seed) {

  private static final List<String> NUMBERS =
      List.of("one", "two", "three", "four", "five", "six", "seven", "eight", "nine");

  private static final int LONGEST = 60;

  /** Writes the files, unless they exist; returns their directory. */
  Path make() throws IOException {
    return Unfinished.directory(
        parent.resolve("texts-" + texts + "-seed" + seed),
        unfinished -> {
          Files.write(texts(unfinished), lines());
          Files.writeString(tokenizer(unfinished), tokenizer());
        });
  }

  static Path texts(Path directory) {
    return directory.resolve("texts.txt");
  }

  static Path tokenizer(Path directory) {
    return directory.resolve("tokenizer.json");
  }

  /** Returns the tokens by id: padding, an unknown word, the end of a text, and words. */
  static List<String> vocabulary() {
    List<String> words = new ArrayList<>(List.of("[PAD]", "[UNK]", "[EOS]", "up", "down"));
    words.addAll(NUMBERS);
    return words;
  }

  private List<String> lines() {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < texts; i++) {
      boolean up = random.nextBoolean();
      int number = random.nextInt(NUMBERS.size());
      int length = 1 + (int) ((LONGEST - 1) * Math.pow(random.nextDouble(), 3));
      StringBuilder line = new StringBuilder(up ? "up" : "down");
      for (int word = 0; word < length; word++) {
        line.append(' ').append(NUMBERS.get(number));
        number = Math.floorMod(number + (up ? 1 : -1), NUMBERS.size());
      }
      lines.add(line.toString());
    }
    return lines;
  }

  /** Returns a tokenizer that splits at spaces, and adds the end of the text. */
  private static String tokenizer() {
    List<String> words = vocabulary();
    String ids =
        IntStream.range(0, words.size())
            .mapToObj(id -> "\"" + words.get(id) + "\": " + id)
            .collect(Collectors.joining(", "));
    return """
        {
          "version": "1.0",
          "added_tokens": [],
          "pre_tokenizer": {"type": "WhitespaceSplit"},
          "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {IDS}},
          "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[EOS]", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
            "special_tokens": {"[EOS]": {"id": "[EOS]", "ids": [END], "tokens": ["[EOS]"]}}
          }
        }
        """
        .replace("IDS", ids)
        .replace("END", Integer.toString(words.indexOf("[EOS]")));
  }
}
