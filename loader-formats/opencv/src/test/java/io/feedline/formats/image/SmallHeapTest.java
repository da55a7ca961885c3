package io.feedline.formats.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

/** Images of 125 megapixels, which maxPixels allows, in a JVM with a heap of 64 MB. */
class SmallHeapTest {

  private static final int WIDTH = 120;
  private static final int HEIGHT = 1 << 20;

  @Test
  void shouldRefuseAnImageThatDoesNotFitAndDecodeItsParts() throws Exception {
    Process java =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeapTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), UTF_8);

    assertThat(java.waitFor()).as(said).isZero();
    String tooLarge = "an image of 120 x 1048576 pixels is too large";
    String rowTooLarge = "an image of 16000000 x 1 pixels is too large";
    assertThat(said.lines().filter(line -> !line.matches("(WARNING|SLF4J).*")))
        .as("PNG, TIFF and BMP, whole and in part; masks, whole and in part; long rows")
        .containsExactly(
            tooLarge,
            "255",
            tooLarge,
            "255",
            tooLarge,
            "255",
            "an image of 786433 x 91 pixels is too large",
            "[1, 1, 1, 1]",
            tooLarge,
            rowTooLarge,
            rowTooLarge,
            rowTooLarge,
            rowTooLarge,
            "the TIFF is truncated",
            "the PNM is truncated",
            "8 x 8");
  }

  /** In the other JVM. */
  public static void main(String[] arguments) throws Exception {
    for (byte[] data : new byte[][] {png(), tiff(), bmp()}) {
      EncodedSource image =
          EncodedSource.of(data, DecodeOptions.DEFAULT, ScanIndexStore.Place.NOWHERE);
      say(() -> Fixtures.decode(image, new Region(0, 0, WIDTH, HEIGHT)).length);
      byte[] part = Fixtures.decode(image, new Region(10, HEIGHT - 300, 20, 300));
      say(() -> part[part.length - 1] & 0xFF);
    }
    Mask mask = Mask.ofEncoded(png(), "name");
    // A turned mask is read whole, at four bytes an id.
    say(() -> mask.with(mask.geometry().rotate90(1).resize(4, 4)).ids().length);
    Region part = new Region(10, HEIGHT - 300, 20, 300);
    say(() -> Arrays.toString(mask.with(mask.geometry().crop(part).resize(2, 2)).ids()));
    InstanceMasks masks = InstanceMasks.painted(1, WIDTH, HEIGHT, (object, painted) -> {});
    say(
        () -> {
          masks.with(masks.geometry().resize(4, 4)).writeTo(ByteBuffer.allocate(16));
          return "written";
        });
    byte[] line = png(16_000_000, 1, deflated(new byte[1 + 2_000_000]));
    for (Interpolation filter :
        new Interpolation[] {Interpolation.BILINEAR, Interpolation.BICUBIC}) {
      // The second time its thread has what it kept of the first.
      say(() -> resized(line, filter));
      say(() -> resized(line, filter));
    }
    for (byte[] data :
        List.of(
            tiff(16_711_681, 1, new byte[8]),
            "P3 16000000 1 255 ".getBytes(UTF_8),
            "P3 1 1 255 1 2 3".getBytes(UTF_8))) {
      say(() -> resized(data, Interpolation.BILINEAR));
    }
  }

  /** Prints a result, or the reason why an image is refused: up to the first colon. */
  private static void say(Callable<?> call) throws Exception {
    try {
      System.out.println(call.call());
    } catch (IOException refused) {
      System.out.println(refused.getMessage().replaceFirst("^name: ", "").split(":", 2)[0]);
    }
  }

  private static String resized(byte[] data, Interpolation filter) throws IOException {
    Pixels pixels = Image.ofEncoded(data, "name").resize(8, 8, filter).pixels();
    return pixels.width() + " x " + pixels.height();
  }

  /** White, of one bit a pixel. */
  private static byte[] png() throws IOException {
    return png(WIDTH, HEIGHT, whiteBits(1));
  }

  /** An image of one bit a pixel. */
  static byte[] png(int width, int height, byte[] rows) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(Fixtures.bytes("png_1bit.png"), 0, 8);
    byte[] kind = {1, 0, 0, 0, 0};
    writeChunk(out, "IHDR", ByteBuffer.allocate(13).putInt(width).putInt(height).put(kind).array());
    writeChunk(out, "IDAT", rows);
    writeChunk(out, "IEND", new byte[0]);
    return out.toByteArray();
  }

  static byte[] deflated(byte[] rows) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflated = new DeflaterOutputStream(out)) {
      deflated.write(rows);
    }
    return out.toByteArray();
  }

  private static void writeChunk(ByteArrayOutputStream out, String type, byte[] content) {
    byte[] typed =
        ByteBuffer.allocate(4 + content.length).put(type.getBytes(UTF_8)).put(content).array();
    CRC32 crc = new CRC32();
    crc.update(typed);
    out.writeBytes(ByteBuffer.allocate(4).putInt(content.length).array());
    out.writeBytes(typed);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  /** Rows that are compressed, each of so many zeros and then ones. */
  private static byte[] whiteBits(int zeros) throws IOException {
    byte[] row = new byte[zeros + WIDTH / 8];
    Arrays.fill(row, zeros, row.length, (byte) 255);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflated =
        new DeflaterOutputStream(out, new Deflater(Deflater.BEST_SPEED))) {
      for (int y = 0; y < HEIGHT; y++) {
        deflated.write(row);
      }
    }
    return out.toByteArray();
  }

  /** White, of one bit a pixel, in one strip. */
  private static byte[] tiff() throws IOException {
    return tiff(WIDTH, HEIGHT, whiteBits(0));
  }

  private static byte[] tiff(int width, int height, byte[] strip) {
    int[][] entries = {
      {256, width},
      {257, height},
      {258, 1},
      {259, 8},
      {262, 1},
      {273, 8},
      {277, 1},
      {279, strip.length}
    };
    ByteBuffer out =
        ByteBuffer.allocate(8 + strip.length + 2 + 12 * entries.length + 4)
            .order(ByteOrder.LITTLE_ENDIAN);
    out.put("II*\0".getBytes(UTF_8)).putInt(8 + strip.length).put(strip);
    out.putShort((short) entries.length);
    for (int[] entry : entries) {
      out.putShort((short) entry[0]).putShort((short) 4).putInt(1).putInt(entry[1]);
    }
    return out.array();
  }

  /** White, of one bit a pixel. */
  private static byte[] bmp() {
    int offset = 62;
    ByteBuffer out =
        ByteBuffer.allocate(offset + WIDTH / 8 * HEIGHT + HEIGHT).order(ByteOrder.LITTLE_ENDIAN);
    out.put("BM".getBytes(UTF_8)).putInt(out.capacity()).putInt(0).putInt(offset);
    out.putInt(40).putInt(WIDTH).putInt(HEIGHT).putShort((short) 1).putShort((short) 1);
    out.position(54).putInt(0xFFFFFF).putInt(0);
    return out.array();
  }
}
