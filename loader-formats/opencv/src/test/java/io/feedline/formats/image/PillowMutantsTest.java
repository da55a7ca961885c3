package io.feedline.formats.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.store.FixtureFiles;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Images of all kinds, whole and damaged: what Pillow makes of them, and what we make. */
class PillowMutantsTest {

  /** A BMP whose header has 56 bytes, which Pillow reads from version 10 on. */
  private static final String LONGER_HEADER = "bmp-\\d+-(flip|set|int)14.*";

  /** The limit that Pillow's side was made with. */
  private static final DecodeOptions OPTIONS = DecodeOptions.DEFAULT.withMaxPixels(1 << 20);

  private static List<Case> cases;

  /** The results of two decoders for one image. */
  enum Outcome {
    BOTH_REFUSE,
    EQUAL,
    /** We refuse what Pillow shows: stricter. */
    ONLY_PILLOW,
    /** We show what Pillow refuses, but the pixels are those of before the damage. */
    ONLY_WE_WHOLE,
    /**
     * We show what Pillow refuses, and it is not what it was: a fault, unless it can be said why.
     */
    ONLY_WE,
    /** Both show something, and not the same: a fault. */
    DIFFERENT
  }

  /**
   * One damaged image.
   *
   * @param name its kind, the number of the image that was damaged, and how
   * @param data the image
   * @param width what Pillow decodes it to, 0 where it refuses
   * @param crc of those pixels
   * @param crcBefore of the pixels before the damage
   */
  record Case(String name, byte[] data, int width, int height, String crc, String crcBefore) {
    /** Returns how our result compares with Pillow's. */
    Outcome outcome() {
      Optional<String> ours = ours();
      if (ours.isEmpty()) {
        return width == 0 ? Outcome.BOTH_REFUSE : Outcome.ONLY_PILLOW;
      } else if (width > 0) {
        return ours.get().equals(pillow()) ? Outcome.EQUAL : Outcome.DIFFERENT;
      }
      return ours.get().endsWith(" " + crcBefore) ? Outcome.ONLY_WE_WHOLE : Outcome.ONLY_WE;
    }

    /** The size and the checksum of what Pillow decodes. */
    String pillow() {
      return "%d x %d %s".formatted(width, height, crc);
    }

    /** The size and the checksum of what we decode; empty if we refuse it. */
    Optional<String> ours() {
      try {
        DecodeOptions options = OPTIONS.withExifRotation(name.startsWith("exif"));
        EncodedSource image = EncodedSource.of(data, options, ScanIndexStore.Place.NOWHERE);
        Region whole = new Region(0, 0, image.width(), image.height());
        byte[] rgb = Fixtures.decode(image, whole);
        return Optional.of(
            "%d x %d %s".formatted(image.width(), image.height(), FixtureFiles.crc(rgb)));
      } catch (IOException refused) {
        return Optional.empty();
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases(String file) throws IOException {
    List<Case> cases = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(new GZIPInputStream(new ByteArrayInputStream(Fixtures.bytes(file))))) {
      while (true) {
        cases.add(
            new Case(
                new String(in.readNBytes(in.readInt()), UTF_8),
                in.readNBytes(in.readInt()),
                in.readInt(),
                in.readInt(),
                "%08x".formatted(in.readInt()),
                "%08x".formatted(in.readInt())));
      }
    } catch (EOFException end) {
      return cases;
    }
  }

  @BeforeAll
  static void read() throws IOException {
    cases = cases("pillow_mutants.gz");
  }

  private static List<Case> of(String kind) {
    return cases.stream().filter(each -> each.name().startsWith(kind)).toList();
  }

  private static boolean isWhole(Case each) {
    return each.name().matches("[a-z]+-\\d+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "tiff", "webp", "bmp", "pnm"})
  void shouldRefuseDamagedImagesOrShowWhatPillowShows(String kind) {
    Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    for (Case each : of(kind)) {
      Outcome outcome = each.outcome();
      counts.merge(outcome, 1, Integer::sum);
      assertThat(outcome).as(each.name()).isNotEqualTo(Outcome.DIFFERENT);
      if (isWhole(each) && each.width() > 0) {
        assertThat(outcome).as(each.name()).isEqualTo(Outcome.EQUAL);
      }
      if (!each.name().matches(LONGER_HEADER)) {
        assertThat(outcome).as(each.name()).isNotEqualTo(Outcome.ONLY_WE);
      }
    }
    int all = of(kind).size();
    assertThat(all).isGreaterThan(400);
    assertThat(counts.get(Outcome.EQUAL)).isGreaterThan(all / 10);
    // Stricter than Pillow, but not by much.
    assertThat(counts.getOrDefault(Outcome.ONLY_PILLOW, 0)).isLessThan(all / 12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiff-1", "tiff-2", "tiff-3", "tiff-5", "tiff-6"})
  void shouldRefuseAnyFlippedBitInACompressedStripAsFarAsItCanBeTold(String name)
      throws IOException {
    Case whole = cases.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    int refused = 0;
    int flips = 0;
    for (int at = 20; at < 420; at += 13, flips++) {
      byte[] damaged = whole.data().clone();
      damaged[at] ^= (byte) (1 << at % 8);
      Case flipped = new Case(name, damaged, 0, 0, "", whole.crc());
      refused += flipped.ours().isEmpty() ? 1 : 0;
    }
    // LZW has no checksum: one sample that became another, in a code of its own, cannot be told.
    boolean checksum = !name.equals("tiff-1") && !name.equals("tiff-5");
    assertThat(refused).isGreaterThanOrEqualTo(checksum ? flips : 5);
  }

  @Test
  void shouldNotShowSamplesThatWereMultipliedByAlpha() {
    List<Case> transparent = of("tiff").stream().filter(PillowMutantsTest::isWhole).toList();
    for (String name : Arrays.asList("tiff-7", "tiff-9", "tiff-10", "tiff-11")) {
      Case each = transparent.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
      // RGBA, RGBX and planes: the color is the one of the image without alpha.
      assertThat(each.ours()).as(name).contains("23 x 19 " + transparent.get(0).crc());
    }
  }

  /**
   * Kinds of images that users of such tools reported: markers in scans, several EXIF blocks, odd
   * sampling, ...
   */
  @ParameterizedTest
  @CsvSource({"jpeg, 150", "exif, 300", "gif, 100", "png, 60", "tiff, 10"})
  void shouldDoWithReportedKindsWhatPillowDoes(String kind, int atLeast) throws IOException {
    List<Case> reported = reported(kind);
    assertThat(reported).hasSizeGreaterThan(atLeast);
    assertThat(reported)
        .allSatisfy(
            each ->
                assertThat(each.outcome())
                    .isEqualTo(each.width() == 0 ? Outcome.BOTH_REFUSE : Outcome.EQUAL));
  }

  @Test
  void shouldDecodeAFractionOfAnyJpegAsPillowsDraftDoes() throws IOException {
    int fractions = 0;
    for (Case each : reported("jpeg")) {
      boolean lossless = each.name().contains("ll_");
      if (each.width() >= 4 && each.height() >= 4) {
        DecodeOptions fast = OPTIONS.withFast(true);
        ImageSource quarter =
            EncodedSource.of(each.data(), fast, ScanIndexStore.Place.NOWHERE).reduced(4);
        assertThat(quarter == null).as(each.name()).isEqualTo(lossless);
        if (quarter != null) {
          Region whole = new Region(0, 0, quarter.width(), quarter.height());
          String crc = FixtureFiles.crc(Fixtures.decode(quarter, whole));
          assertThat(crc).as(each.name()).isEqualTo(each.crcBefore());
          fractions++;
        }
      }
    }
    assertThat(fractions).isGreaterThan(150);
  }

  private static List<Case> reported(String kind) throws IOException {
    return cases("reported_kinds.gz").stream()
        .filter(each -> each.name().startsWith(kind))
        .toList();
  }
}
