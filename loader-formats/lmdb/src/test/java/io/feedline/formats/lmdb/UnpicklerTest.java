package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.Strength;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class UnpicklerTest {

  /** A line of pickles.txt, which make_lmdb_fixtures.py wrote. */
  record Pickle(String name, int protocol, byte[] bytes) {
    @Override
    public String toString() {
      return name + " by protocol " + protocol;
    }
  }

  static Stream<Pickle> pickles() {
    return new String(Content.fixture("pickles.txt"), StandardCharsets.US_ASCII)
        .lines()
        .map(line -> line.split(" ", -1))
        .map(
            parts ->
                new Pickle(
                    parts[0], Integer.parseInt(parts[1]), HexFormat.of().parseHex(parts[2])));
  }

  private static Object unpickle(byte[] bytes) throws IOException {
    return Unpickler.unpickle(ByteBuffer.wrap(bytes));
  }

  private static Object unpickle(String latin1) throws IOException {
    return unpickle(latin1.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @MethodSource("pickles")
  void shouldReadWhatPythonWrites(Pickle pickle) throws IOException {
    Object expected =
        switch (pickle.name()) {
          case "picture" -> {
            byte[] bytes = new byte[80];
            for (int i = 0; i < 80; i += 4) {
              System.arraycopy(new byte[] {-1, (byte) 0xD8, 0, (byte) 0xD9}, 0, bytes, i, 4);
            }
            yield List.of(bytes, 7L);
          }
          case "nested" ->
              Arrays.asList(
                  List.of(),
                  List.of(1L),
                  List.of(1L, 2L),
                  List.of(1L, 2L, 3L),
                  List.of(1L, 2L, 3L, 4L),
                  List.of(),
                  Map.of(),
                  Map.of("a", 1L, "b", List.of(Unpickler.None.NONE, true, false)),
                  new byte[0],
                  "",
                  "ä€😀\\u0041\n",
                  0L,
                  -1L,
                  255L,
                  256L,
                  65536L,
                  (long) Integer.MIN_VALUE,
                  Long.MAX_VALUE,
                  Long.MIN_VALUE,
                  1.5,
                  Double.POSITIVE_INFINITY);
          case "numpy" -> List.of(new byte[] {'x'}, 5L, 0.5, 200L, true);
          case "bytearray" -> new byte[] {'a', 'b', 'c', -1};
          case "shared" -> {
            byte[] bytes = "bytes".getBytes(StandardCharsets.US_ASCII);
            yield List.of(List.of("same", "same", "same"), List.of(bytes, bytes));
          }
          case "keys" -> {
            List<byte[]> keys = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
              keys.add(Integer.toString(i).getBytes(StandardCharsets.US_ASCII));
            }
            yield keys;
          }
          default -> throw new AssertionError(pickle.name());
        };

    assertThat(unpickle(pickle.bytes())).usingRecursiveComparison().isEqualTo(expected);
  }

  @Test
  void shouldReadWhatPython2Writes() throws IOException {
    assertThat((byte[]) unpickle("S'\\xff\\n\\'a\\\\'\np0\n.")).containsExactly(-1, 10, 39, 97, 92);
    assertThat((byte[]) unpickle("U\3abc.")).containsExactly('a', 'b', 'c');
    assertThat(unpickle("(I01\nI00\nL12L\nI-3\nF1e3\nt."))
        .isEqualTo(List.of(true, false, 12L, -3L, 1000.0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "cos\\nsystem\\n(S'x'\\ntR.|'c' at byte 0|os.system",
        "\\u008c\\u0008builtins\\u008c\\u0004eval\\u0093.|0x93 at byte 16|builtins.eval",
        "cnumpy.core.multiarray\\n_reconstruct\\n.|'c' at byte 0|_reconstruct",
        "(S'x'\\nios\\nsystem\\n.|'i' at byte 6|INST",
        "(cos\\nsystem\\no.|'c' at byte 1|os.system",
        "K\\u0001Q.|'Q' at byte 2|BINPERSID",
        "Pid\\n.|'P' at byte 0|PERSID",
        "\\u0082\\u0001.|0x82 at byte 0|EXT1",
        ")\\u0081.|0x81 at byte 1|NEWOBJ",
        "\\u008f.|0x8f at byte 0|EMPTY_SET",
        "\\u0097.|0x97 at byte 0|NEXT_BUFFER",
        "\\u0080\\u0006N.|0x80 at byte 0|protocol 6",
        "cbuiltins\\nbytes\\n(K\\u0009tR.|'R' at byte 20|calls BYTES",
        "c_codecs\\nencode\\n(Vx\\nVutf-16\\ntR.|'R' at byte 29|calls ENCODE",
        "cbuiltins\\nbytes\\n.|'.' at byte 16|not data",
        "}K\\u0001b.|'b' at byte 3|sets the state",
        "\\u008a\\u0009\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0001.|0x8a at"
            + " byte 0|64 bits",
        "L99999999999999999999L\\n.|'L' at byte 0|64 bits",
        "?.|'?' at byte 0|no such opcode"
      })
  void shouldRefuseWhatIsMoreThanDataNamingOpcodeAndOffset(
      String escaped, String where, String what) {
    refused(IOException.class, () -> unpickle(unescaped(escaped)), "refused", where, what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "N|1 bytes should follow, 0 are left",
        ".|1 more items",
        "t.|no mark",
        "(a.|'a' at byte 1",
        "h\\u0007.|nothing is remembered as 7",
        "X\\u00ff\\u00ff\\u00ff\\u00ffabc.|4294967295 bytes should follow, 4 are left",
        "\\u008e\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0080.|bytes should follow, 1"
            + " are left",
        "T\\u00ff\\u00ff\\u00ff\\u00ff.|-1 bytes should follow",
        "NNa.|which is not a list",
        "NNNs.|keys and values",
        "I1|should follow",
        "Sabc\\n.|not a quoted string",
        "Fabc\\n.|is not a number",
        "F0x1p3\\n.|is not a number"
      })
  void shouldSayWhatIsCorrupt(String escaped, String what) {
    refused(IOException.class, () -> unpickle(unescaped(escaped)), "corrupt", what);
  }

  @Test
  void shouldNameValuesOfPyarrow() {
    // Counts of tensors and buffers, then a message of an Arrow stream, aligned to 64 bytes.
    byte[] arrow = new byte[200];
    Arrays.fill(arrow, 64, 68, (byte) 0xFF);

    refused(IOException.class, () -> unpickle(arrow), "pyarrow.serialize");
  }

  @Test
  void shouldEndInAnErrorOrDataWhateverTheDamage() {
    Random random = new Random(3);
    pickles()
        .filter(pickle -> !pickle.name().equals("keys"))
        .forEach(
            pickle -> {
              for (int round = 0; round < Strength.of(300); round++) {
                byte[] damaged = pickle.bytes().clone();
                for (int i = random.nextInt(3); i >= 0; i--) {
                  damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                try {
                  assertThat(unpickle(damaged)).isNotNull();
                } catch (IOException refused) {
                  assertThat(refused).hasMessageContaining("byte");
                }
              }
            });
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\n", i)) {
        out.append('\n');
        i++;
      } else if (text.startsWith("\\u", i)) {
        out.append((char) Integer.parseInt(text.substring(i + 2, i + 6), 16));
        i += 5;
      } else {
        out.append(text.charAt(i));
      }
    }
    return out.toString();
  }
}
