package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Strength;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Lz4FrameTest {

  private static final int SIZE = 150000;
  private static final byte[] CONTENT = Content.of(SIZE);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "default.lz4", "independent.lz4", "block_checksum.lz4",
        "content_checksum.lz4", "no_content_size.lz4", "everything.lz4",
        "max_256k.lz4", "max_4m.lz4", "stream.lz4"
      })
  void shouldReadWhatPythonWrites(String name) throws IOException {
    byte[] frame = Content.fixture(name);

    assertThat(decompress(frame)).isEqualTo(CONTENT);
    ByteBuffer direct = ByteBuffer.allocateDirect(frame.length).put(frame).flip();
    assertThat(decompress(direct, SIZE)).isEqualTo(CONTENT);
    assertThat(decompress(ByteBuffer.wrap(frame).asReadOnlyBuffer(), SIZE)).isEqualTo(CONTENT);
  }

  @Test
  void shouldReadBlocksThatAreStoredAsTheyAre() throws IOException {
    assertThat(decompress(Content.fixture("noise.lz4"))).isEqualTo(Content.noise(5000));
  }

  @Test
  void shouldReadMatchesThatOverlapThemselves() throws IOException {
    String runs = "";
    for (String period : List.of("a", "ab", "abc", "abcdefg")) {
      runs += period.repeat(20000).substring(0, 20000);
    }

    assertThat(decompress(Content.fixture("runs.lz4"))).isEqualTo(runs.getBytes(US_ASCII));
  }

  @Test
  void shouldReadAnEmptyFrame() throws IOException {
    assertThat(decompress(Content.fixture("empty.lz4"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"default.lz4", "everything.lz4", "noise.lz4"})
  void shouldRefuseEveryTruncation(String name) throws IOException {
    byte[] frame = Content.fixture(name);
    for (int length = 0; length < frame.length; length += 1 + length / 40) {
      byte[] cut = Arrays.copyOf(frame, length);
      assertThatThrownBy(() -> decompress(cut))
          .as("the first %d bytes", length)
          .isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"everything.lz4", "block_checksum.lz4"})
  void shouldNoticeEveryChangedByteUnderChecksums(String name) {
    byte[] frame = Content.fixture(name);
    for (int i = 0; i < frame.length; i += 1 + i / 60) {
      byte[] damaged = frame.clone();
      damaged[i] ^= 0x10;
      int at = i;
      assertThatThrownBy(() -> decompress(damaged))
          .as("byte %d", at)
          .isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"default.lz4", "independent.lz4", "stream.lz4", "runs.lz4"})
  void shouldEndInAnErrorOrBytesWhateverTheDamage(String name) {
    byte[] frame = Content.fixture(name);
    Random random = new Random(7);
    for (int round = 0; round < Strength.of(3000); round++) {
      byte[] damaged = frame.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        damaged[15 + random.nextInt(damaged.length - 15)] = (byte) random.nextInt();
      }
      try {
        assertThat(decompress(damaged)).hasSizeLessThanOrEqualTo(SIZE);
      } catch (IOException refused) {
        assertThat(refused).hasMessageMatching("(?s).*\\d.*");
      }
    }
  }

  @Test
  void shouldRefuseToDecompressMoreThanThereIsRoomFor() {
    for (String name : List.of("default.lz4", "no_content_size.lz4", "independent.lz4")) {
      assertThatThrownBy(() -> decompress(ByteBuffer.wrap(Content.fixture(name)), SIZE - 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("left");
    }
  }

  @Test
  void shouldRefuseAFrameThatHoldsLessThanItClaims() {
    assertThatThrownBy(() -> decompress(frame(1L << 60, new byte[] {0x10, 'a'}, false)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("claims 1152921504606846976 bytes of content, and has 1");
  }

  @Test
  void shouldRefuseOffsetsBeforeTheContent() {
    // Linked: one literal in the first block, then a match 2 bytes before it.
    byte[] second = {0x10, 'b', 3, 0, 0x10, 'c'};

    assertThatThrownBy(() -> decompress(linked(new byte[] {0x10, 'a'}, second)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("offset from 1 to 2, found 3");
  }

  @Test
  void shouldFollowOffsetsIntoTheBlockBefore() throws IOException {
    // A literal b, then 4 bytes from 2 back: a b a b; the last sequence is a literal c.
    byte[] second = {0x10, 'b', 2, 0, 0x10, 'c'};

    assertThat(decompress(linked(new byte[] {0x10, 'a'}, second)))
        .isEqualTo("abababc".getBytes(US_ASCII));
  }

  @Test
  void shouldNameWhatIsNoFrame() {
    refused(
        IOException.class, () -> decompress("PK\3\4 is no LZ4".getBytes(US_ASCII)), "0x04034b50");
    assertThatThrownBy(() -> decompress(new byte[0])).isInstanceOf(EOFException.class);
  }

  @Test
  void shouldRefuseWhatFollowsAFrame() {
    byte[] frame = Content.fixture("default.lz4");
    byte[] followed = Arrays.copyOf(frame, frame.length + 20);

    refused(IOException.class, () -> decompress(followed), "byte " + frame.length);
  }

  private static byte[] decompress(byte[] frame) throws IOException {
    return decompress(ByteBuffer.wrap(frame), SIZE);
  }

  /** Decompresses a frame into memory with room for so many bytes. */
  static byte[] decompress(ByteBuffer frame, int room) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(room);
    return Arrays.copyOf(content.array(), Lz4Frame.open(frame, true).decompressRest(content, 0));
  }

  private static byte[] linked(byte[] first, byte[] second) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(first);
    both.writeBytes(
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(second.length).array());
    both.writeBytes(second);
    byte[] frame = frame(-1, both.toByteArray(), true);
    // The first block's size is its own.
    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(7, first.length);
    return frame;
  }

  /** A frame of one block, made by hand. */
  private static byte[] frame(long contentBytes, byte[] block, boolean linked) {
    ByteBuffer out = ByteBuffer.allocate(100 + block.length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0x184D2204).put((byte) (0x40 | (linked ? 0 : 0x20) | (contentBytes < 0 ? 0 : 8)));
    out.put((byte) 0x40);
    if (contentBytes >= 0) {
      out.putLong(contentBytes);
    }
    out.put((byte) (Lz4Frame.hash(out, 4, out.position() - 4) >>> 8));
    out.putInt(block.length).put(block).putInt(0);
    return Arrays.copyOf(out.array(), out.position());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65536, 65537, 150000, 5_000_000})
  void shouldWriteWhatItsReaderAndAnotherRead(int size) throws IOException {
    for (byte[] content : List.of(Content.of(size), Content.noise(size))) {
      byte[] frame = compress(content);

      assertThat(decompress(ByteBuffer.wrap(frame), 5_000_000)).isEqualTo(content);
      assertThat(new LZ4FrameInputStream(new ByteArrayInputStream(frame)).readAllBytes())
          .isEqualTo(content);
    }
  }

  @Test
  void shouldNotGrowWhatDoesNotCompress() {
    assertThat(compress(Content.noise(100_000))).hasSizeLessThan(100_000 + 40);
  }

  @Test
  void shouldBeginABlockWithEachPart() throws IOException {
    byte[] content = Content.of(150_000);
    ByteSink frame = new ByteSink();
    List<ByteBuffer> parts =
        List.of(
            ByteBuffer.wrap(content, 0, 10),
            ByteBuffer.wrap(content, 10, 0),
            ByteBuffer.wrap(content, 10, 140_000),
            ByteBuffer.wrap(content, 140_010, 9_990));

    Lz4FrameWriter.compress(parts, frame);

    Lz4Frame blocks = Lz4Frame.open(frame.written(), true);
    ByteBuffer part = ByteBuffer.allocate(150_000);
    for (int size : new int[] {10, 140_000, 9_990}) {
      assertThat(blocks.next()).isTrue();
      assertThat(blocks.decompress(part, 0, size)).isEqualTo(size);
    }
    assertThat(blocks.next()).isFalse();
    assertThat(decompress(Arrays.copyOf(frame.array(), frame.size()))).isEqualTo(content);
  }

  /** Compresses bytes into a frame, in a new array. */
  static byte[] compress(byte[] content) {
    ByteSink frame = new ByteSink();
    Lz4FrameWriter.compress(List.of(ByteBuffer.wrap(content)), frame);
    return Arrays.copyOf(frame.array(), frame.size());
  }
}
