package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Fixtures.Fixture;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.store.WithoutJars;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same code with other class paths: without OpenCV, with its classes but no natives, and with
 * all of it for an image that needs none of it.
 */
class WithoutOpenCvTest {

  @ParameterizedTest
  @ValueSource(strings = {"bytedeco", "-linux-,-macosx-,-windows-"})
  void shouldDecodeWhereOpenCvOrItsNativesAreAbsent(String left) throws Exception {
    WithoutJars.call(getClass(), "decode", Path.of("png_rgb.png"), left.split(",", -1));
  }

  @Test
  void shouldSayWhatToAddWhereOpenCvIsNeededOrAskedFor() {
    assertThatThrownBy(
            () -> WithoutJars.call(getClass(), "decode", Path.of("webp_lossless.webp"), "bytedeco"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("WebP", "not on the class path", "io.feedline:loader-opencv");
    assertThatThrownBy(
            () ->
                WithoutJars.call(getClass(), "decodeByOpenCv", Path.of("png_rgb.png"), "bytedeco"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("not on the class path", "io.feedline:loader-opencv");
  }

  /** Called by reflection, with the classes of its own loader. */
  static void decode(Path fixture) throws IOException {
    Fixture expected =
        Fixtures.images("golden.csv").stream()
            .filter(image -> image.name().equals(fixture.toString()))
            .findFirst()
            .orElseThrow();
    byte[] rgb = Fixtures.decode(Fixtures.bytes(expected.name()), DecodeOptions.DEFAULT);
    assertThat(Fixtures.crc(rgb)).isEqualTo(expected.crc());
  }

  /** Called by reflection, with the classes of its own loader. */
  static void decodeByOpenCv(Path fixture) throws IOException {
    Fixtures.decode(
        Fixtures.bytes(fixture.toString()),
        DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.OPENCV));
  }

  /** Saves 0.4 CPU-seconds and 50 MB at the start. */
  @Test
  void shouldLoadNothingOfOpenCvForJpegs() throws Exception {
    Set<String> asked = ConcurrentHashMap.newKeySet();
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            asked.add(name);
            return super.findClass(name);
          }
        }) {
      assertThat(loader.findResource("org/bytedeco/opencv/global/opencv_core.class")).isNotNull();
      Method decode =
          Class.forName(getClass().getName(), true, loader).getDeclaredMethod("decode", Path.class);
      decode.setAccessible(true);

      for (String name : List.of("jpeg_420.jpg", "jpeg_progressive.jpg", "jpeg_cmyk_adobe.jpg")) {
        decode.invoke(null, Path.of(name));
      }
    }
    assertThat(asked)
        .contains(JavaJpegDecoder.class.getName())
        .noneMatch(name -> name.startsWith("org.bytedeco."));
  }
}
