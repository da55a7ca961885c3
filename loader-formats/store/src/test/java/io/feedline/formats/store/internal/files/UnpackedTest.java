package io.feedline.formats.store.internal.files;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.feedline.formats.store.FixtureFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnpackedTest {

  private static final byte[] FIRST = "the first part\n".repeat(9000).getBytes(US_ASCII);
  private static final byte[] SECOND = "and the second\n".repeat(10).getBytes(US_ASCII);

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(out::writeBytes);
    return out.toByteArray();
  }

  private static byte[] zlib(byte[] data) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
      deflater.write(data);
    }
    return out.toByteArray();
  }

  /** A member with all that a header may have: as bgzip's extra field, name, comment, checksum. */
  private static byte[] wholeHeader(byte[] plain) {
    byte[] start = {0x1f, (byte) 0x8b, 8, 31, 0, 0, 0, 0, 0, 3, 4, 0, 'B', 'C', 0, 0};
    byte[] header = join(start, "name\0comment\0".getBytes(US_ASCII));
    CRC32 crc = new CRC32();
    crc.update(header);
    byte[] checksum = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
    return join(header, checksum, Arrays.copyOfRange(plain, 10, plain.length));
  }

  private static byte[] unpack(String kind, byte[] packed) throws IOException {
    InputStream from = new ByteArrayInputStream(packed);
    try (InputStream in = kind.equals("zlib") ? Unpacked.zlib(from) : Unpacked.of(kind, from, "")) {
      return in.readAllBytes();
    }
  }

  private static byte[] pack(String kind, byte[] data) throws IOException {
    return switch (kind) {
      case "gzip" -> FixtureFiles.gzip(data);
      case "zlib" -> zlib(data);
      default -> Zstd.compress(data);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zlib", "Zstandard"})
  void shouldUnpackOnePart(String kind) throws IOException {
    assertThat(unpack(kind, pack(kind, FIRST))).isEqualTo(FIRST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "Zstandard"})
  void shouldUnpackAllParts(String kind) throws IOException {
    byte[] packed = join(pack(kind, FIRST), pack(kind, new byte[0]), pack(kind, SECOND));
    assertThat(unpack(kind, packed)).isEqualTo(join(FIRST, SECOND));
  }

  @Test
  void shouldReadWholeHeadersAndPaddingOfGzip() throws IOException {
    byte[] second = wholeHeader(FixtureFiles.gzip(SECOND));
    byte[] packed =
        join(wholeHeader(FixtureFiles.gzip(FIRST)), new byte[700], second, new byte[70_000]);
    assertThat(unpack("gzip", packed)).isEqualTo(join(FIRST, SECOND));
    second[20] ^= 1;
    assertThatThrownBy(() -> unpack("gzip", join(FixtureFiles.gzip(FIRST), second)))
        .isInstanceOf(ZipException.class)
        .hasMessageContaining("checksum of the gzip header");
  }

  /** Each byte of the second header that a reader can check, and each place where it may end. */
  @Test
  void shouldRefuseDamagedLaterMembers() throws IOException {
    byte[] first = FixtureFiles.gzip(FIRST);
    byte[] second = FixtureFiles.gzip(SECOND);
    for (int at = 0; at < second.length; at++) {
      byte[] cut = join(first, Arrays.copyOf(second, at));
      if (at > 0) {
        assertThatThrownBy(() -> unpack("gzip", cut))
            .as("cut at %d", at)
            .isInstanceOf(EOFException.class);
      }
      boolean unused = at > 3 && at < 10;
      byte[] damaged = join(first, second);
      damaged[first.length + at] ^= (byte) 0x81;
      if (!unused) {
        assertThatThrownBy(() -> unpack("gzip", damaged))
            .as("damaged at %d", at)
            .isInstanceOfAny(ZipException.class, EOFException.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gzip, 1",
    "gzip, 3",
    "gzip, 40",
    "zlib, 1",
    "zlib, 40",
    "Zstandard, 1",
    "Zstandard, 40"
  })
  void shouldRefuseOtherBytesBehindTheEnd(String kind, int count) throws IOException {
    byte[] other = Arrays.copyOf("<html>too many requests</html>".getBytes(US_ASCII), count);
    assertThatThrownBy(() -> unpack(kind, join(pack(kind, FIRST), other)))
        .isInstanceOfAny(ZipException.class, EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zlib", "Zstandard"})
  void shouldRefuseCutOffData(String kind) throws IOException {
    byte[] whole = pack(kind, FIRST);
    for (int length = 1; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> unpack(kind, cut))
          .isInstanceOfAny(ZipException.class, EOFException.class);
    }
  }

  @Test
  void shouldNameACompressionThatIsNotRead() {
    refused(ZipException.class, () -> unpack("xz", new byte[10]), "compressed with xz");
  }

  /** A failure of the packed stream is no damage: it may be read again. */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "Zstandard"})
  void shouldPassOnTheFailureToRead(String kind) throws IOException {
    byte[] whole = pack(kind, SECOND);
    IOException lost = new IOException("the connection is lost");
    InputStream failing =
        new InputStream() {
          private int next;

          @Override
          public int read() throws IOException {
            if (next == whole.length - 6) {
              throw lost;
            }
            return whole[next++];
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            target[offset] = (byte) read();
            return 1;
          }
        };
    try (InputStream in = Unpacked.of(kind, failing, "")) {
      assertThatThrownBy(in::readAllBytes).isSameAs(lost);
    }
  }
}
