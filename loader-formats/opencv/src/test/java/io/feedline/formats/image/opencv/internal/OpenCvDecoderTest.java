package io.feedline.formats.image.opencv.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Fixtures.Fixture;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.WithoutJars;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Scalar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WebP by OpenCV, the release of native memory, and class paths without OpenCV or its natives. */
class OpenCvDecoderTest {

  private static final DecodeOptions OPENCV =
      DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.OPENCV);

  @Test
  void shouldCloseAllThatIsNativeWithEachImage() throws IOException {
    decodeAll();
    long before = Pointer.totalCount();

    decodeAll();
    assertThatThrownBy(() -> Fixtures.decode(brokenWebp(), OPENCV))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("OpenCV 4", "cannot decode the WEBP");

    assertThat(Pointer.totalCount()).isEqualTo(before);
  }

  private static void decodeAll() throws IOException {
    for (Fixture image : Fixtures.images("golden.csv")) {
      assertThat(FixtureFiles.crc(Fixtures.decode(Fixtures.bytes(image.name()), OPENCV)))
          .isEqualTo(image.crc());
    }
  }

  /** Intact chunks around a broken stream, which only the decoder can tell. */
  private static byte[] brokenWebp() {
    byte[] data = Fixtures.bytes("webp_lossless.webp");
    Arrays.fill(data, 40, 60, (byte) 255);
    return data;
  }

  @Test
  void shouldDecodeAnImageThatIsLargerThanTheMemoryItKeeps() throws IOException {
    int width = 8_000;
    int height = 3_000;
    assertThat(3L * width * height).isGreaterThan(OpenCvDecoder.KEPT_BYTES);
    EncodedSource image =
        EncodedSource.of(whiteWebp(width, height), OPENCV, ScanIndexStore.Place.NOWHERE);

    byte[] rgb = Fixtures.decode(image, new Region(width - 10, height - 5, 10, 5));

    byte[] white = new byte[3 * 10 * 5];
    Arrays.fill(white, (byte) 255);
    assertThat(rgb).isEqualTo(white);
  }

  private static byte[] whiteWebp(int width, int height) {
    try (Scalar color = Scalar.all(255);
        Mat white = new Mat(height, width, opencv_core.CV_8UC3, color);
        BytePointer webp = new BytePointer()) {
      opencv_imgcodecs.imencode(".webp", white, webp);
      byte[] bytes = new byte[(int) webp.limit()];
      webp.get(bytes);
      return bytes;
    }
  }

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
    Fixtures.decode(Fixtures.bytes(fixture.toString()), DecodeOptions.DEFAULT);
  }

  /** Called by reflection, with the classes of its own loader. */
  static void decodeByOpenCv(Path fixture) throws IOException {
    Fixtures.decode(Fixtures.bytes(fixture.toString()), OPENCV);
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
        .contains(EncodedSource.class.getName())
        .noneMatch(name -> name.startsWith("org.bytedeco."));
  }
}
