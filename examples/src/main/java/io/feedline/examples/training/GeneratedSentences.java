package io.feedline.examples.training;

import io.feedline.examples.shared.Unfinished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Sentences about three topics, 3 to 40 words long, in a text file; a line has a topic and a
 * sentence:
 *
 * <pre>
 *   cooking&lt;TAB&gt;then we slowly stir the soup with salt
 * </pre>
 *
 * <p>A quarter of the words belong to one topic; other words occur in all topics. One word in
 * twenty belongs to a wrong topic.
 *
 * @param parent the directory that holds the file, or will hold it
 */
record GeneratedSentences(Path parent, int sentences, long seed) {

  /** The topics, in the order of their labels. */
  static final List<String> TOPICS = List.of("cooking", "sailing", "weather");

  private static final int SHORTEST = 3;
  private static final int LONGEST = 40;

  private static final List<List<String>> WORDS =
      List.of(
          List.of("soup", "salt", "oven", "stir", "flour", "butter", "onion", "boil", "knife"),
          List.of("harbor", "mast", "anchor", "tide", "crew", "deck", "sail", "keel", "rope"),
          List.of("rain", "cloud", "storm", "sunny", "frost", "snow", "thunder", "mild", "fog"));

  private static final List<String> COMMON =
      List.of(
          "the", "a", "we", "they", "then", "with", "and", "slowly", "again", "often", "it", "was",
          "very", "today", "before", "after", "while", "near", "under", "always");

  /** Writes the file, unless it exists. */
  Path make() throws IOException {
    Path directory = parent.resolve("sentences-" + sentences + "-seed" + seed);
    return Unfinished.directory(
            directory, unfinished -> Files.write(unfinished.resolve("topics.tsv"), lines()))
        .resolve("topics.tsv");
  }

  private List<String> lines() {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < sentences; i++) {
      int topic = random.nextInt(TOPICS.size());
      List<String> words = new ArrayList<>();
      for (int left = random.nextInt(SHORTEST, LONGEST + 1); left > 0; left--) {
        words.add(word(topic, random));
      }
      lines.add(TOPICS.get(topic) + "\t" + String.join(" ", words));
    }
    return lines;
  }

  private static String word(int topic, SplittableRandom random) {
    double kind = random.nextDouble();
    if (kind < 0.05) {
      return one(WORDS.get(random.nextInt(WORDS.size())), random);
    }
    return one(kind < 0.3 ? WORDS.get(topic) : COMMON, random);
  }

  private static String one(List<String> words, SplittableRandom random) {
    return words.get(random.nextInt(words.size()));
  }
}
