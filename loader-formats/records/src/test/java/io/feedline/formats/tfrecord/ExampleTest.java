package io.feedline.formats.tfrecord;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Strength;
import io.feedline.data.FormatException;
import io.feedline.formats.tfrecord.Example.Feature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExampleTest {

  @TempDir private Path directory;

  private Example fixture(String name) throws IOException {
    Path file = Files.write(directory.resolve(name), Fixtures.bytes(name));
    try (TfRecordReader reader = TfRecordReader.open(file, true, 1 << 20)) {
      return Example.parse(reader.next());
    }
  }

  @Test
  void shouldReadEveryKindOfFeatureThatTensorFlowWrites() throws IOException {
    Example example = fixture("features.tfrecord");

    assertThat(example.text("text")).isEqualTo("grün");
    assertThat(example.int64("int")).isEqualTo(42);
    assertThat(example.float32("float")).isEqualTo(0.1f);
    assertThat(example.int64("")).isEqualTo(7);
    Map<String, Object> all = example.toMap();
    assertThat(all.keySet())
        .containsExactlyInAnyOrder(
            "text", "words", "no words", "int", "ints", "no ints", "float", "floats", "", "unset");
    assertThat((List<?>) all.get("words"))
        .extracting(word -> new String((byte[]) word, UTF_8))
        .containsExactly("one", "", "three");
    assertThat(all.get("ints")).isEqualTo(new long[] {0, -1, Long.MAX_VALUE, Long.MIN_VALUE, 300});
    assertThat(all.get("floats"))
        .isEqualTo(new float[] {-0.0f, Float.POSITIVE_INFINITY, Float.MIN_VALUE, 16777216f});
    assertThat(all.get("no ints")).isEqualTo(new long[0]);
    assertThat(all.get("no words")).isEqualTo(List.of());
    assertThat(all.get("unset")).isEqualTo(List.of());
  }

  @Test
  void shouldReadNumbersThatAreNotPackedAndPassOverUnknownFields() throws IOException {
    Example example = fixture("unpacked.tfrecord");

    assertThat(example.names()).containsExactly("ints", "floats", "nothing");
    assertThat(example.toMap().get("ints")).isEqualTo(new long[] {7, -1});
    assertThat(example.toMap().get("floats")).isEqualTo(new float[] {1.5f, -2f});
    assertThat(example.feature("nothing").size()).isZero();
  }

  @Test
  void shouldReadBackWhatItWrites() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 200; round++) {
      byte[] bytes = new byte[random.nextInt(1, 400)];
      random.nextBytes(bytes);
      int shift = round % Long.SIZE;
      long[] ints = random.longs(random.nextInt(200)).map(n -> n >> shift).toArray();
      float[] floats = new float[random.nextInt(70)];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) random.nextDouble(-1e9, 1e9);
      }

      Example example =
          Example.parse(
              Example.builder()
                  .bytes("b" + "x".repeat(round), bytes)
                  .int64s("i", ints)
                  .floats("f", floats)
                  .text("t", "ä", "")
                  .toBytes());

      assertThat(example.bytes("b" + "x".repeat(round))).isEqualTo(bytes);
      assertThat(example.feature("i")).isEqualTo(new Feature.Int64s(ints));
      assertThat(example.feature("f")).isEqualTo(new Feature.Floats(floats));
      assertThat(((Feature.Bytes) example.feature("t")).get(0)).isEqualTo("ä".getBytes(UTF_8));
    }
  }

  @Test
  void shouldTakeTheLastOfFeaturesWithOneName() throws IOException {
    byte[] first = Example.builder().int64s("n", 1).int64s("m", 3).toBytes();
    byte[] second = Example.builder().int64s("n", 2).toBytes();
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);

    Example example = Example.parse(both);

    assertThat(example.int64("n")).isEqualTo(2);
    assertThat(example.int64("m")).isEqualTo(3);
  }

  @Test
  void shouldNameAFeatureThatIsMissingOrOfAnotherKind() throws IOException {
    Example example = Example.parse(Example.builder().int64s("a", 1).text("b", "c", "d").toBytes());
    refused(FormatException.class, () -> example.bytes("image/encoded"), "image/encoded", "[a, b]");

    assertThatThrownBy(() -> example.bytes("a"))
        .isInstanceOf(FormatException.class)
        .hasMessage("feature a has 1 value of Int64s; one of bytes is expected");
    assertThatThrownBy(() -> example.text("b"))
        .isInstanceOf(FormatException.class)
        .hasMessage("feature b has 2 values of Bytes; one of bytes is expected");
    assertThatThrownBy(() -> example.float32("a")).isInstanceOf(FormatException.class);
    assertThatThrownBy(() -> example.int64("b")).isInstanceOf(FormatException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0a 7f, a field of 127 bytes begins where 0 are left",
    "0a ff ff ff ff 0f, a field of 4294967295 bytes begins where 0 are left",
    "0a ff ff ff ff ff ff ff ff ff 01, a field of 18446744073709551615 bytes",
    "0a ff ff ff ff ff ff ff ff ff ff 01, more than 10 bytes",
    "0a 80, ends within a number",
    "00, no field with the tag 0",
    "f8 ff ff ff ff 01, no field with the tag",
    "0e, wire type 6",
    "0c, wire type 4",
    "73, ends within group 14",
    "73 7c, group 15 ends within group 14",
    "79 00, 8 bytes are expected where 1 are left",
    "0a 04 0a 02 0a 09, a field of 9 bytes begins where 0 are left",
  })
  void shouldSayWhereBytesAreNoExample(String hex, String problem) {
    assertThatThrownBy(() -> Example.parse(bytes(hex)).toMap())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("not a tf.train.Example", problem, "at byte ");
  }

  @ParameterizedTest
  @CsvSource({
    "12 05 0a 03 01 02 03, a list of floats has 3 bytes",
    "12 03 0d 00 00, 4 bytes are expected where 2 are left",
    "1a 03 0a 01 80, ends within a number",
    "0a 03 0a 05 61, a field of 5 bytes begins where 1 are left",
  })
  void shouldNameTheFeatureWhoseValuesAreBroken(String hex, String problem) throws IOException {
    int length = bytes(hex).length;
    String message = "0a %02x 0a %02x 0a 01 6b 12 %02x %s";

    Example example = Example.parse(bytes(message.formatted(length + 7, length + 5, length, hex)));

    refused(FormatException.class, () -> example.feature("k"), "feature k", problem);
  }

  @Test
  void shouldRefuseGroupsThatAreNestedWithoutEnd() {
    byte[] groups = new byte[100_000];
    Arrays.fill(groups, (byte) 0x73);

    refused(FormatException.class, () -> Example.parse(groups), "nested more than 100 deep");
  }

  /** Whatever the bytes, the answer is an example or a FormatException. */
  @Test
  void shouldNeverFailOtherwiseOnDamagedExamples() throws IOException {
    byte[] good =
        Example.builder()
            .bytes("bytes", new byte[40])
            .int64s("ints", 1, 2, 1L << 60)
            .floats("floats", 1, 2, 3)
            .toBytes();
    SplittableRandom random = new SplittableRandom(11);
    int read = 0;
    int refused = 0;
    for (int round = 0; round < Strength.of(20_000); round++) {
      byte[] bad = Arrays.copyOf(good, random.nextInt(2) == 0 ? good.length : random.nextInt(90));
      for (int i = random.nextInt(1, 4); i > 0 && bad.length > 0; i--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      try {
        Example.parse(bad).toMap();
        read++;
      } catch (FormatException expected) {
        refused++;
      }
    }
    assertThat(read).isPositive();
    assertThat(refused).isPositive();
  }

  private static byte[] bytes(String hex) {
    return HexFormat.ofDelimiter(" ").parseHex(hex);
  }
}
