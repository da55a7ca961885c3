package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
      for (Lz4FrameWriter writer : List.of(Lz4FrameWriter.of(), withEverything(9))) {
        byte[] frame = writer.compress(content);

        assertThat(Lz4FrameReader.of().decompress(frame)).isEqualTo(content);
        assertThat(new LZ4FrameInputStream(new ByteArrayInputStream(frame)).readAllBytes())
            .isEqualTo(content);
      }
    }
  }

  @Test
  void shouldNotGrowWhatDoesNotCompress() {
    assertThat(Lz4FrameWriter.of().compress(Content.noise(100_000))).hasSizeLessThan(100_000 + 40);
  }

  @Test
  void shouldCompressHarderAtHigherLevels() {
    byte[] content = Content.of(150_000);

    assertThat(Lz4FrameWriter.builder().level(9).build().compress(content))
        .hasSizeLessThanOrEqualTo(Lz4FrameWriter.of().compress(content).length);
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

    withEverything(0).compress(parts, frame);

    Lz4Blocks blocks = Lz4Blocks.open(frame.written(), 0, true);
    ByteBuffer part = ByteBuffer.allocate(150_000);
    for (int size : new int[] {10, 140_000, 9_990}) {
      assertThat(blocks.next()).isTrue();
      assertThat(blocks.decompress(part, 0, 0, size)).isEqualTo(size);
    }
    assertThat(blocks.next()).isFalse();
    assertThat(Lz4FrameReader.of().decompress(frame.written())).isEqualTo(content);
  }

  @Test
  void shouldNoticeEveryChangedByte() {
    byte[] frame = Lz4FrameWriter.of().compress(Content.of(20_000));
    for (int i = 0; i < frame.length; i += 1 + i / 60) {
      byte[] damaged = Arrays.copyOf(frame, frame.length);
      damaged[i] ^= 4;
      assertThatThrownBy(() -> Lz4FrameReader.of().decompress(damaged))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldTellItsOptionsAndRefuseImpossibleOnes() {
    Lz4FrameWriter writer = withEverything(3);

    assertThat(writer.level()).isEqualTo(3);
    assertThat(writer.blockChecksums()).isTrue();
    assertThat(writer.contentChecksum()).isTrue();
    assertThatThrownBy(() -> Lz4FrameWriter.builder().level(18).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("18");
  }

  private static Lz4FrameWriter withEverything(int level) {
    return Lz4FrameWriter.builder().level(level).contentChecksum(true).build();
  }
}
