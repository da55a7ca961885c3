package io.feedline.formats.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same code without zstd-jni on the class path. */
class WithoutZstdTest {

  @TempDir Path root;

  @Test
  void shouldReadGzipAndSayWhatZstdNeeds() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!entry.contains("zstd-jni")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      assertThat(firstLabel(loader, "gz")).isZero();
      assertThatThrownBy(() -> firstLabel(loader, "zstd"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("com.github.luben:zstd-jni");
    }
  }

  /** Called by reflection, so that it runs with the classes of its own loader. */
  static int firstLabel(String dataset, Path root) throws IOException {
    try (MdsImages images = MdsImages.of(Fixtures.copy(dataset, root))) {
      return images.encoded(0).label();
    }
  }

  private int firstLabel(ClassLoader loader, String dataset) throws Exception {
    Method method =
        Class.forName(WithoutZstdTest.class.getName(), true, loader)
            .getDeclaredMethod("firstLabel", String.class, Path.class);
    method.setAccessible(true);
    try {
      return (int) method.invoke(null, dataset, root);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }
}
