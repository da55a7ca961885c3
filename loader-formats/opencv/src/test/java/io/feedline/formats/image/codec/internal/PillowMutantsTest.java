package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.PillowMutants.Case;
import io.feedline.formats.image.codec.internal.PillowMutants.Outcome;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Images of all kinds, whole and damaged: what Pillow makes of them, and what we make. */
class PillowMutantsTest {

  /** A BMP whose header has 56 bytes, which Pillow reads from version 10 on. */
  private static final String LONGER_HEADER = "bmp-\\d+-(flip|set|int)14.*";

  private static List<Case> cases;

  @BeforeAll
  static void read() throws IOException {
    cases = PillowMutants.read(new ByteArrayInputStream(Fixtures.bytes("pillow_mutants.gz")));
  }

  private static List<Case> of(String kind) {
    return cases.stream().filter(each -> each.name().startsWith(kind)).toList();
  }

  private static boolean isWhole(Case each) {
    return each.name().matches("[a-z]+-\\d+");
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTO", "OPENCV"})
  void shouldDecodeWholeImagesAsPillowDoes(DecodeOptions.Backend backend) {
    assertDecodedAsPillowDoes(cases.stream().filter(each -> each.width() > 0), backend);
  }

  private static void assertDecodedAsPillowDoes(Stream<Case> some, DecodeOptions.Backend backend) {
    List<Case> whole = some.filter(PillowMutantsTest::isWhole).toList();
    assertThat(whole).hasSizeGreaterThan(70);
    for (Case each : whole) {
      assertThat(each.ours(backend)).as(each.name()).contains(each.pillow());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "tiff", "webp", "bmp", "pnm"})
  void shouldRefuseDamagedImagesOrShowWhatPillowShows(String kind) {
    Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    for (Case each : of(kind)) {
      Outcome outcome = each.outcome(DecodeOptions.Backend.AUTO);
      counts.merge(outcome, 1, Integer::sum);
      assertThat(outcome).as(each.name()).isNotEqualTo(Outcome.DIFFERENT);
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
      refused += flipped.ours(DecodeOptions.Backend.AUTO).isEmpty() ? 1 : 0;
      assertThat(flipped.ours(DecodeOptions.Backend.OPENCV))
          .isEqualTo(flipped.ours(DecodeOptions.Backend.FEEDLINE));
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
      for (DecodeOptions.Backend backend : DecodeOptions.Backend.values()) {
        // RGBA, RGBX and planes: the color is the one of the image without alpha.
        assertThat(each.ours(backend)).as(name).contains("23 x 19 " + transparent.get(0).crc());
      }
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
                assertThat(each.outcome(DecodeOptions.Backend.AUTO))
                    .isEqualTo(each.width() == 0 ? Outcome.BOTH_REFUSE : Outcome.EQUAL));
  }

  @Test
  void shouldDecodeAFractionOfAnyJpegAsPillowsDraftDoes() throws IOException {
    int fractions = 0;
    for (Case each : reported("jpeg")) {
      boolean lossless = each.name().contains("ll_");
      if (each.width() >= 4 && each.height() >= 4) {
        DecodeOptions fast = PillowMutants.OPTIONS.withFast(true);
        ImageSource quarter =
            EncodedSource.of(each.data(), fast, ScanIndexStore.Place.NOWHERE).reduced(4);
        assertThat(quarter == null).as(each.name()).isEqualTo(lossless);
        if (quarter != null) {
          Region whole = new Region(0, 0, quarter.width(), quarter.height());
          String crc = Fixtures.crc(Fixtures.decode(quarter, whole));
          assertThat(crc).as(each.name()).isEqualTo(each.crcBefore());
          fractions++;
        }
      }
    }
    assertThat(fractions).isGreaterThan(150);
  }

  private static List<Case> reported(String kind) throws IOException {
    return PillowMutants.read(new ByteArrayInputStream(Fixtures.bytes("reported_kinds.gz")))
        .stream()
        .filter(each -> each.name().startsWith(kind))
        .toList();
  }
}
