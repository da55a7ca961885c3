package io.feedline.formats.image.codec.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Damage;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/**
 * Decodes broken images in every mode. Whatever they are, there are either pixels or an {@link
 * IOException} that says what was found; and what is decoded in one mode fits to the others.
 */
class ModeFuzzTest {

  private static final int MAX_PIXELS = 1 << 16;
  private static final int PNG_SIGNATURE = 8;

  /** The places of headers of 16-bit images, and of alpha. */
  private static final List<String> SEEDS =
      List.of(
          "png_grey_16bit.png",
          "png_grey_alpha_16bit.png",
          "png_rgb_16bit.png",
          "png_rgba_16bit.png",
          "png_palette_transparent.png",
          "png_rgb_transparent_colour.png",
          "png_grey_2bit.png",
          "tiff_grey_16bit.tif",
          "tiff_grey.tif",
          "tiff_lzw.tif",
          "bmp_rgba.bmp",
          "pnm_grey_16bit.pgm",
          "pnm_maxval_100.pgm",
          "pnm_plain.pgm");

  private final Map<ImageMode, Integer> decoded = new EnumMap<>(ImageMode.class);
  private int refused;

  @Test
  void shouldDecodeBrokenImagesAlikeInAllModesOrRefuseThem() throws IOException {
    List<byte[]> seeds = SEEDS.stream().map(Fixtures::bytes).toList();
    Damage.forEachCase(
        random -> {
          byte[] seed = seeds.get(random.nextInt(seeds.size())).clone();
          check("a broken image", broken(seed, random));
        });
    assertThat(refused).isGreaterThan(Damage.CASES / 2);
    assertThat(decoded.get(ImageMode.GRAY)).isGreaterThan(Damage.CASES / 10);
    assertThat(decoded.get(ImageMode.RGBA)).isGreaterThan(Damage.CASES / 10);
    assertThat(decoded.get(ImageMode.GRAY16)).isGreaterThan(Damage.CASES / 50);
  }

  /** Those of which Pillow's verdict on their colors is known. */
  @Test
  void shouldDecodeWhatPillowWasAskedForAlikeInAllModes() throws IOException {
    List<PillowMutants.Case> cases =
        PillowMutants.read(new ByteArrayInputStream(Fixtures.bytes("pillow_mutants.gz")));
    for (PillowMutants.Case each : cases) {
      check(each.name(), each.data());
    }
    assertThat(decoded.get(ImageMode.RGB)).isGreaterThan(cases.size() / 10);
    assertThat(decoded.get(ImageMode.GRAY16)).isGreaterThan(10);
  }

  private void check(String name, byte[] data) {
    Map<ImageMode, int[]> found = new EnumMap<>(ImageMode.class);
    for (ImageMode mode : ImageMode.values()) {
      try {
        found.put(mode, pixels(data, mode));
        decoded.merge(mode, 1, Integer::sum);
      } catch (IOException refusal) {
        refused++;
        assertThat(refusal.getMessage()).as(name).isNotBlank();
      } catch (RuntimeException | Error escaped) {
        throw new AssertionError("%s in mode %s".formatted(name, mode), escaped);
      }
    }
    int[] rgb = found.get(ImageMode.RGB);
    // Gray needs no more than color does.
    assertThat(found.containsKey(ImageMode.GRAY)).as(name).isEqualTo(rgb != null);
    if (rgb == null) {
      assertThat(found).as(name).doesNotContainKeys(ImageMode.RGBA, ImageMode.GRAY16);
      return;
    }
    assertThat(found.get(ImageMode.GRAY))
        .as(name)
        .isEqualTo(Arrays.stream(rgb).map(PackedRgb::luminance).toArray());
    int[] rgba = found.get(ImageMode.RGBA);
    if (rgba != null) {
      assertThat(Arrays.stream(rgba).map(pixel -> pixel & 0xFFFFFF).toArray())
          .as(name)
          .isEqualTo(rgb);
    }
    int[] wide = found.get(ImageMode.GRAY16);
    if (wide != null) {
      assertThat(Arrays.stream(wide).map(value -> value >> 8).toArray())
          .as(name)
          .isEqualTo(found.get(ImageMode.GRAY));
    }
  }

  private static int[] pixels(byte[] data, ImageMode mode) throws IOException {
    DecodeOptions options = DecodeOptions.DEFAULT.withMaxPixels(MAX_PIXELS).withMode(mode);
    EncodedSource source = EncodedSource.of(data, options, ScanIndexStore.Place.NOWHERE);
    int width = source.width();
    int height = source.height();
    try (PixelRows rows = source.decode(new Region(0, 0, width, height))) {
      int[] pixels = new int[width * height];
      rows.read(0, height, pixels, 0, width);
      return pixels;
    }
  }

  private static byte[] broken(byte[] data, Random random) {
    byte[] out = data;
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(random.nextInt(3) == 0 ? out.length : Math.min(out.length, 64));
      switch (random.nextInt(6)) {
        case 0 -> out[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> out[at] = (byte) random.nextInt();
        case 2 -> out[at] = new byte[] {0, 1, 2, 3, 4, 6, 8, 16, 32, -1}[random.nextInt(10)];
        case 3 -> {
          if (out.length >= 4) {
            ByteBuffer.wrap(out).putInt(Math.min(at, out.length - 4), random.nextInt());
          }
        }
        case 4 -> out = Arrays.copyOf(out, 1 + random.nextInt(out.length));
        // The depth and the color type of a PNG.
        default ->
            out[Math.min(out.length - 1, 24 + random.nextInt(2))] = (byte) (1 << random.nextInt(5));
      }
    }
    if (out[0] == (byte) 0x89 && random.nextInt(5) > 0) {
      sumUp(out);
    }
    return out;
  }

  /** Makes the checksums of a PNG right again, so that damage gets behind them. */
  private static void sumUp(byte[] data) {
    ByteBuffer png = ByteBuffer.wrap(data);
    int at = PNG_SIGNATURE;
    while (at + PngHeader.CHUNK_OVERHEAD <= data.length) {
      long end = at + PngHeader.CHUNK_OVERHEAD + (png.getInt(at) & 0xFFFFFFFFL);
      if (end > data.length) {
        return;
      }
      CRC32 sum = new CRC32();
      sum.update(data, at + 4, (int) end - at - 8);
      png.putInt((int) end - 4, (int) sum.getValue());
      at = (int) end;
    }
  }

  @Test
  void shouldSayWhatIsWrongWithATransparencyChunk() throws IOException {
    byte[] png = Fixtures.bytes("png_rgb_transparent_colour.png");
    int at = new String(png, ISO_8859_1).indexOf("tRNS");
    // Of its 6 bytes 4, and behind it an empty chunk that no reader knows.
    ByteBuffer shorter = ByteBuffer.allocate(png.length + 10);
    shorter.put(png, 0, at - 4).putInt(4).put(png, at, 8).putInt(0);
    shorter.putInt(0).put("xTra".getBytes(ISO_8859_1)).putInt(0);
    shorter.put(png, at + 14, png.length - at - 14);
    sumUp(shorter.array());

    assertThat(pixels(shorter.array(), ImageMode.RGB)).isNotEmpty();
    assertThatThrownBy(() -> pixels(shorter.array(), ImageMode.RGBA))
        .isInstanceOf(FormatException.class)
        .hasMessage("the tRNS chunk at byte %d has 4 bytes, expected 6".formatted(at - 4));
  }
}
