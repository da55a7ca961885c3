package io.feedline.formats.jpeg.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The images that make_pictures.py made, and what libjpeg-turbo decodes them to. */
public final class TestJpegs {

  /** An image, its size, and the CRC-32 of its RGB bytes. */
  public record Fixture(String name, int width, int height, int crc) {
    public byte[] data() {
      return TestJpegs.data(name);
    }

    public JpegImage parse() throws JpegException {
      return JpegImage.parse(data());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Map<String, byte[]> FILES = load();

  private TestJpegs() {}

  public static List<Fixture> sound() {
    return withPrefix("sound/");
  }

  public static List<Fixture> damaged() {
    return withPrefix("damaged/");
  }

  public static List<String> unsupported() {
    return FILES.keySet().stream().filter(name -> name.startsWith("unsupported/")).toList();
  }

  /** A copy of a file's bytes. */
  public static byte[] data(String name) {
    return FILES.get(name).clone();
  }

  /** Returns the start of the entropy-coded data. */
  static int scanStart(byte[] data) throws JpegException {
    return JpegImage.parse(data).scanStart();
  }

  /** The offset in the file at which reading failed, by the message. */
  public static int byteOffset(JpegException damage) {
    return number(damage, "at byte ");
  }

  /** The number of the MCU that could not be read, by the message. */
  static int mcu(JpegException damage) {
    return number(damage, "in MCU ");
  }

  private static int number(JpegException damage, String behind) {
    String message = damage.getMessage();
    String rest = message.substring(message.lastIndexOf(behind) + behind.length());
    return Integer.parseInt(rest.split("\\D", 2)[0]);
  }

  /** The CRC-32 of what is read of a region of this size. */
  public static int crc(int[] pixels) {
    byte[] rgb = new byte[3 * pixels.length];
    for (int i = 0; i < pixels.length; i++) {
      rgb[3 * i] = (byte) pixels[i];
      rgb[3 * i + 1] = (byte) (pixels[i] >> 8);
      rgb[3 * i + 2] = (byte) (pixels[i] >> 16);
    }
    CRC32 crc = new CRC32();
    crc.update(rgb);
    return (int) crc.getValue();
  }

  /** All rows of what a decoder has decoded. */
  public static int[] read(JpegDecoder decoder, int width, int height) {
    int[] pixels = new int[width * height];
    decoder.read(0, height, pixels, 0, width);
    return pixels;
  }

  public static int[] decode(JpegDecoder decoder, JpegImage image) throws JpegException {
    decoder.decode(image, 0, 0, image.width(), image.height());
    return read(decoder, image.width(), image.height());
  }

  /** A rectangle of a whole image's pixels. */
  public static int[] crop(int[] pixels, int stride, int x, int y, int width, int height) {
    int[] cut = new int[width * height];
    for (int row = 0; row < height; row++) {
      System.arraycopy(pixels, (y + row) * stride + x, cut, row * width, width);
    }
    return cut;
  }

  private static List<Fixture> withPrefix(String prefix) {
    List<Fixture> images = new ArrayList<>();
    for (String line : new String(FILES.get("truth.csv"), UTF_8).lines().toList()) {
      String[] cells = line.split(",", -1);
      if (cells[0].startsWith(prefix)) {
        images.add(
            new Fixture(
                cells[0],
                Integer.parseInt(cells[1]),
                Integer.parseInt(cells[2]),
                Integer.parseUnsignedInt(cells[3], 16)));
      }
    }
    return images;
  }

  private static Map<String, byte[]> load() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (InputStream resource = TestJpegs.class.getResourceAsStream("pictures.zip");
        ZipInputStream zip = new ZipInputStream(resource)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), zip.readAllBytes());
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return files;
  }
}
