package io.feedline.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.table.BrokenTables;
import io.feedline.formats.table.TableImages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files with broken bytes, and headers that lie. Whatever they are, there are images or an error
 * that names the file.
 */
class ArrowFuzzTest {

  @TempDir private Path directory;

  private static byte[] sound(String name) {
    return FixtureFiles.bytes(ArrowFuzzTest.class, name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"stream.arrow", "file.arrow", "large.arrow", "nulls.arrow", "among.arrow"})
  void shouldReadBrokenFilesOrRefuseThem(String name) throws IOException {
    byte[] sound = sound(name);
    // Half of the cases change the schema and the first batch's header.
    BrokenTables.read(directory.resolve(name), sound, 0, Math.min(1500, sound.length), 0);
  }

  /** A stream may end behind any message; elsewhere it is cut off. */
  @ParameterizedTest
  @ValueSource(strings = {"stream.arrow", "file.arrow"})
  void shouldRefuseFilesThatAreCutOff(String name) throws IOException {
    byte[] sound = sound(name);
    BrokenTables.cut(directory.resolve("cut.arrow"), sound, sound.length - 8);
  }

  /**
   * The first record batch of a stream.
   *
   * @param file all of it
   * @param at where the batch's header begins
   * @param body where its body begins
   */
  private record Batch(ByteBuffer file, int at, int body, Message message, RecordBatch header) {

    static Batch of(byte[] stream) {
      ByteBuffer file = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
      int at = 8 + file.getInt(4) + 8;
      ByteBuffer own = file.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(at);
      Message message = Message.getRootAsMessage(own);
      int body = at + file.getInt(at - 4);
      return new Batch(file, at, body, message, (RecordBatch) message.header(new RecordBatch()));
    }

    /** Has the header say something else of a buffer. */
    void move(int number, long offset, long length) {
      Buffer buffer = header.buffers(number);
      for (int i = at; i < body - 8; i++) {
        if (file.getLong(i) == buffer.offset() && file.getLong(i + 8) == buffer.length()) {
          file.putLong(i, offset).putLong(i + 8, length);
          return;
        }
      }
      throw new AssertionError("there is no buffer " + number);
    }

    /** Has the header say something else, wherever it says a number. */
    void say(long instead, long of) {
      boolean found = false;
      for (int i = at; i < body; i += 4) {
        if (file.getLong(i) == of) {
          file.putLong(i, instead);
          found = true;
        }
      }
      assertThat(found).isTrue();
    }
  }

  private void refused(Consumer<Batch> lie, String... words) throws IOException {
    Batch batch = Batch.of(sound("stream.arrow"));
    lie.accept(batch);
    Path lying = Files.write(directory.resolve("lying.arrow"), batch.file().array());
    BrokenTables.refused(lying, 1, words);
  }

  /** Buffers 2 and 3 are the offsets and the data of image.bytes. */
  @Test
  void shouldRefuseNumbersThatCannotBe() throws IOException {
    refused(batch -> batch.file().putInt(batch.at() - 4, 1 << 30), "header has 1073741824 bytes");
    refused(batch -> batch.file().putInt(batch.at() - 4, -8), "header has 4294967288 bytes");
    refused(batch -> batch.say(1L << 40, batch.message().bodyLength()), "body has 1099511627776");
    refused(batch -> batch.say(-1, batch.message().bodyLength()), "body has -1 bytes");
    refused(batch -> batch.say(6, batch.header().length()), "image.bytes", "offsets take 24");
    refused(batch -> batch.say(-5, batch.header().length()), "-5 rows");
    refused(batch -> batch.say(1L << 40, batch.header().length()), "1099511627776 rows");
    refused(batch -> batch.move(2, 0, 8), "image.bytes", "offsets take 8 bytes, expected 24");
    refused(batch -> batch.move(2, -8, 24), "record batch 0", "24 bytes at -8");
    refused(batch -> batch.move(3, 1L << 50, 9), "9 bytes at 1125899906842624");
    refused(batch -> batch.move(3, 8, Long.MAX_VALUE), "9223372036854775807 bytes");
    refused(batch -> batch.move(3, 0, 3), "record batch 0, row 1", "of 3");
    int offsets = (int) Batch.of(sound("stream.arrow")).header().buffers(2).offset();
    refused(
        batch -> batch.file().putInt(batch.body() + offsets + 4, -5), "row 1: image.bytes", "-5");
    refused(
        batch -> batch.file().putInt(batch.body() + offsets + 8, 0), "row 1: image.bytes", "to 0");
  }

  /** The samples in front of it are read; the structure is not sound. */
  @Test
  void shouldFindOffsetsOutOfOrder() throws IOException {
    Batch batch = Batch.of(sound("stream.arrow"));
    int offsets = batch.body() + (int) batch.header().buffers(2).offset();
    batch.file().putInt(offsets + 4 * 4, 1);
    Path file = Files.write(directory.resolve("order.arrow"), batch.file().array());
    try (ImageDataset images = TableImages.of(file)) {
      assertThat(images.encoded(1).bytes()).isNotEmpty();
      assertThatThrownBy(() -> images.store().checkStructure())
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("order.arrow, record batch 0", "offset 4 is 1");
    }
  }
}
