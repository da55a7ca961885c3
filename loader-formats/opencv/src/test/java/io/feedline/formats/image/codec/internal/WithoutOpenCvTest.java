package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The same code with other class paths: without OpenCV, with its classes but no natives, and with
 * all of it for an image that needs none of it.
 */
class WithoutOpenCvTest {

  private static boolean isOpenCv(String jar) {
    return jar.contains("bytedeco");
  }

  private static boolean isNative(String jar) {
    return isOpenCv(jar) && jar.matches(".*-(linux|macosx|windows)-[^/\\\\]*\\.jar");
  }

  @Test
  void shouldDecodeWhereOpenCvIsAbsent() throws Exception {
    try (URLClassLoader loader = classPathWithout(WithoutOpenCvTest::isOpenCv)) {
      assertThat(crcOfDecoded(loader, "png_rgb.png", "AUTO"))
          .isEqualTo(crcOfDecoded(getClass().getClassLoader(), "png_rgb.png", "FEEDLINE"));
    }
  }

  @Test
  void shouldDecodeWhereTheNativesOfOpenCvAreAbsent() throws Exception {
    try (URLClassLoader loader = classPathWithout(WithoutOpenCvTest::isNative)) {
      assertThat(crcOfDecoded(loader, "png_rgb.png", "AUTO"))
          .isEqualTo(crcOfDecoded(getClass().getClassLoader(), "png_rgb.png", "FEEDLINE"));
    }
  }

  @Test
  void shouldSayWhatToAddForWebp() throws Exception {
    try (URLClassLoader loader = classPathWithout(WithoutOpenCvTest::isOpenCv)) {
      assertThatThrownBy(() -> crcOfDecoded(loader, "webp_lossless.webp", "AUTO"))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("WebP", "not on the class path", "io.feedline:loader-opencv");
    }
  }

  @Test
  void shouldRefuseWhenOpenCvIsAskedForAndAbsent() throws Exception {
    try (URLClassLoader loader = classPathWithout(WithoutOpenCvTest::isOpenCv)) {
      assertThatThrownBy(() -> crcOfDecoded(loader, "png_rgb.png", "OPENCV"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("not on the class path", "io.feedline:loader-opencv");
    }
  }

  /** Saves 0.4 CPU-seconds and 50 MB at the start. */
  @Test
  void shouldLoadNothingOfOpenCvForJpegs() throws Exception {
    Set<String> asked = ConcurrentHashMap.newKeySet();
    try (URLClassLoader loader =
        new URLClassLoader(urlsWithout(jar -> false), ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            asked.add(name);
            return super.findClass(name);
          }
        }) {
      assertThat(loader.findResource("org/bytedeco/opencv/global/opencv_core.class")).isNotNull();

      for (String name : List.of("jpeg_420.jpg", "jpeg_progressive.jpg", "jpeg_cmyk_adobe.jpg")) {
        assertThat(crcOfDecoded(loader, name, "AUTO"))
            .isEqualTo(crcOfDecoded(getClass().getClassLoader(), name, "FEEDLINE"));
      }
    }
    assertThat(asked)
        .contains(JavaJpegDecoder.class.getName())
        .noneMatch(name -> name.startsWith("org.bytedeco."));
  }

  /** Called by reflection, so that it runs with the classes of its own loader. */
  static String crcOfDecoded(String fixture, String backend) throws IOException {
    DecodeOptions options =
        DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.valueOf(backend));
    return Fixtures.crc(Fixtures.decode(Fixtures.bytes(fixture), options));
  }

  private static String crcOfDecoded(ClassLoader loader, String fixture, String backend)
      throws Exception {
    Method method =
        Class.forName(WithoutOpenCvTest.class.getName(), true, loader)
            .getDeclaredMethod("crcOfDecoded", String.class, String.class);
    method.setAccessible(true);
    try {
      return (String) method.invoke(null, fixture, backend);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }

  private static URLClassLoader classPathWithout(Predicate<String> left)
      throws MalformedURLException {
    return new URLClassLoader(urlsWithout(left), ClassLoader.getPlatformClassLoader());
  }

  private static URL[] urlsWithout(Predicate<String> left) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!left.test(entry)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return urls.toArray(URL[]::new);
  }
}
