package io.feedline.formats.hdf5;

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

/** The same code with a class path that lacks jHDF. */
class WithoutJhdfTest {

  @TempDir private Path directory;

  @Test
  void shouldSayWhatToAddWhereJhdfIsAbsent() throws Exception {
    Path file = Fixtures.copy(directory, "groups.h5");
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!entry.contains("jhdf")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      for (String method : new String[] {"openDataset", "openImages"}) {
        assertThatThrownBy(() -> call(loader, method, file))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("io.jhdf:jhdf:0.13.0")
            .hasMessageContaining(file.toString());
      }
    }
  }

  /** Called by reflection, so that it runs with the classes of its own loader. */
  static void openDataset(Path file) throws IOException {
    Hdf5Dataset.of(file, "x").close();
  }

  static void openImages(Path file) throws IOException {
    Hdf5Images.builder(file).build().close();
  }

  private static void call(ClassLoader loader, String name, Path file) throws Exception {
    Method method =
        Class.forName(WithoutJhdfTest.class.getName(), true, loader)
            .getDeclaredMethod(name, Path.class);
    method.setAccessible(true);
    try {
      method.invoke(null, file);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }
}
