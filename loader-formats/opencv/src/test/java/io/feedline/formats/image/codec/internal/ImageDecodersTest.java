package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Fixtures.Fixture;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Both decoders against Pillow, over every kind of image that they meet. */
class ImageDecodersTest {

  private static final List<DecodeOptions.Backend> BACKENDS =
      List.of(DecodeOptions.Backend.OPENCV, DecodeOptions.Backend.FEEDLINE);

  static Stream<Arguments> images() {
    return Fixtures.images("golden.csv").stream()
        .flatMap(fixture -> BACKENDS.stream().map(backend -> Arguments.of(fixture, backend)));
  }

  private static DecodeOptions with(DecodeOptions.Backend backend) {
    return DecodeOptions.DEFAULT.withBackend(backend);
  }

  @ParameterizedTest(name = "{0} by {1}")
  @MethodSource("images")
  void shouldDecodeWhatPillowDecodes(Fixture fixture, DecodeOptions.Backend backend)
      throws IOException {
    byte[] data = Fixtures.bytes(fixture.name());
    EncodedSource image = EncodedSource.of(data, with(backend), ScanIndexStore.Place.NOWHERE);
    assertThat(image.width()).isEqualTo(fixture.width());
    assertThat(image.height()).isEqualTo(fixture.height());

    byte[] rgb = Fixtures.decode(data, with(backend));

    assertThat(Fixtures.crc(rgb)).isEqualTo(fixture.crc());
  }

  @ParameterizedTest(name = "{0} by {1}")
  @MethodSource("images")
  void shouldDecodeARegionAsThatPartOfTheWhole(Fixture fixture, DecodeOptions.Backend backend)
      throws IOException {
    byte[] data = Fixtures.bytes(fixture.name());
    EncodedSource image = EncodedSource.of(data, with(backend), ScanIndexStore.Place.NOWHERE);
    byte[] whole = Fixtures.decode(data, with(backend));
    int width = fixture.width();
    int height = fixture.height();
    Region part =
        new Region(width / 3, height / 4, Math.max(1, width / 2), Math.max(1, height * 2 / 3));

    byte[] rgb = Fixtures.decode(image, part);

    Fixtures.requirePart(rgb, part, whole, width, 3);
  }

  @ParameterizedTest
  @MethodSource("turned")
  void shouldTurnByExifOrientationAsPillowDoes(Fixture fixture) throws IOException {
    byte[] data = Fixtures.bytes(fixture.name());
    DecodeOptions options = with(DecodeOptions.Backend.OPENCV).withExifRotation(true);
    EncodedSource image = EncodedSource.of(data, options, ScanIndexStore.Place.NOWHERE);

    assertThat(image.width()).isEqualTo(fixture.width());
    assertThat(image.height()).isEqualTo(fixture.height());
    byte[] whole = Fixtures.decode(data, options);
    assertThat(Fixtures.crc(whole)).isEqualTo(fixture.crc());

    Region part = new Region(2, 3, 7, 5);
    byte[] rgb = Fixtures.decode(image, part);
    Fixtures.requirePart(rgb, part, whole, fixture.width(), 3);
  }

  static List<Fixture> turned() {
    return Fixtures.images("exif_golden.csv");
  }
}
