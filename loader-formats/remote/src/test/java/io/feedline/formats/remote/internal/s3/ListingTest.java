package io.feedline.formats.remote.internal.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A listing against a map of strings. */
class ListingTest {

  private static final Comparator<String> BY_UTF8 =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  @Test
  void shouldHaveWhatWasAddedInAnyOrder() {
    Random random = new Random(3);
    String letters = "ab-./ü\uffe0\ud83d\ude00";
    for (int round = 0; round < 300; round++) {
      Map<String, Long> expected = new TreeMap<>(BY_UTF8);
      int count = random.nextInt(30);
      for (int i = 0; i < count; i++) {
        StringBuilder name = new StringBuilder("x");
        for (int k = random.nextInt(6); k > 0; k--) {
          int at = random.nextInt(8);
          name.append(at == 7 ? "\ud83d\ude00" : String.valueOf(letters.charAt(at)));
        }
        expected.put(name.toString(), random.nextLong(1L << 50));
      }
      List<String> names = new ArrayList<>(expected.keySet());
      if (round % 2 == 0) {
        Collections.shuffle(names, random);
      }
      Listing.Builder builder = new Listing.Builder();
      names.forEach(name -> builder.add(name, expected.get(name), "\"" + name.length() + "\""));
      Listing listing = builder.build();

      assertThat(listing.objects()).isEqualTo(expected.size());
      expected.forEach(
          (name, size) -> {
            int object = listing.find(name);
            assertThat(listing.name(object)).isEqualTo(name);
            assertThat(listing.size(object)).isEqualTo(size);
            assertThat(listing.version(object)).isEqualTo("\"" + name.length() + "\"");
            assertThat(listing.find(name + "z")).isNegative();
          });
      TreeSet<String> directories = new TreeSet<>(List.of(""));
      expected
          .keySet()
          .forEach(
              name -> {
                for (int at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
                  directories.add(name.substring(0, at));
                }
              });
      for (String directory : directories) {
        String prefix = directory.isEmpty() ? "" : directory + "/";
        TreeSet<String> children = new TreeSet<>(BY_UTF8);
        expected.keySet().stream()
            .filter(name -> name.startsWith(prefix))
            .forEach(name -> children.add(name.substring(prefix.length()).split("/", -1)[0]));
        assertThat(listing.children(directory))
            .as(expected + " " + directory)
            .containsExactlyInAnyOrderElementsOf(children);
        assertThat(listing.isDirectory(directory)).isEqualTo(!expected.isEmpty());
      }
    }
  }
}
