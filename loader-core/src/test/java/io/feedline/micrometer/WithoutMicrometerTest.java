package io.feedline.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A program that has no Micrometer: the package of its meters costs nothing, not even a class. */
class WithoutMicrometerTest {

  @Test
  void shouldLoadNoClassOfTheMetersWhereMicrometerIsAbsent() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!entry.contains("micrometer")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    Set<String> asked = ConcurrentHashMap.newKeySet();
    try (URLClassLoader without =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            asked.add(name);
            return super.findClass(name);
          }
        }) {
      assertThat(without.findResource("io/micrometer/core/instrument/Meter.class")).isNull();

      Method method =
          Class.forName(getClass().getName(), true, without).getDeclaredMethod("samplesOfAnEpoch");
      method.setAccessible(true);
      assertThat(method.invoke(null)).isEqualTo(10L);
    }
    assertThat(asked)
        .contains(DataLoader.class.getName())
        .noneMatch(name -> name.startsWith("io.micrometer."))
        .doesNotContain("io.feedline.micrometer.LoaderMetrics");
  }

  /** Called by reflection, so that it runs with the classes of its own loader. */
  static long samplesOfAnEpoch() {
    long samples = 0;
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(10, index -> index)).batchSize(4).numWorkers(2).build()) {
      for (Batch batch : loader) {
        try (batch) {
          samples += batch.size();
        }
      }
      assertThat(loader.stats().samples()).isEqualTo(samples);
    }
    return samples;
  }
}
