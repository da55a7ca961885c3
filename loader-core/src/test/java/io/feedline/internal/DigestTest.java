package io.feedline.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DigestTest {

  @Test
  void shouldGiveEqualWordsEqualDigests() {
    assertThat(Digest.of("train:1000")).isEqualTo(Digest.of("train:1000"));
    assertThat(Digest.of("train:1000")).isEqualTo("5569525c-a");
  }

  @Test
  void shouldGiveTheCrc32cOfLines() {
    assertThat(Digest.ofLines(Stream.of())).isEqualTo("00000000");
    assertThat(Digest.ofLines(Stream.of("123456789"))).isEqualTo("a8dab577");
    assertThat(Digest.ofLines(Stream.of("a", "b"))).isEqualTo("52a4fb0b");
  }

  @Test
  void shouldTellApartWhatDiffersInAValueTheOrderOrTheNumber() {
    Set<String> digests = new HashSet<>();
    long[][] all = {{}, {0}, {0, 0}, {1}, {1, 2}, {2, 1}, {1L << 63}, {-1}, {256}, {1L << 32}};
    for (long[] numbers : all) {
      Digest digest = new Digest();
      for (long number : numbers) {
        digest.add(number);
      }
      digests.add(digest.toString());
    }
    assertThat(digests).hasSize(all.length);
    assertThat(Digest.of("\ud83d\ude00")).isNotEqualTo(Digest.of("\ud83d"));
  }
}
