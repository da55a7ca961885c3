package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Lz4FrameWriterTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65536, 65537, 150000, 5_000_000})
  void shouldWriteWhatItsReaderAndAnotherRead(int size) throws IOException {
    for (byte[] content : List.of(Content.of(size), Content.noise(size))) {
      byte[] frame = compress(content);

      assertThat(decompress(frame)).isEqualTo(content);
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

  private static byte[] decompress(byte[] frame) throws IOException {
    return Lz4FrameTest.decompress(ByteBuffer.wrap(frame), 5_000_000);
  }
}
