package io.feedline.formats.store.internal;

import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** All formats that tasks write, into local directories. */
@ParameterizedClass(name = "{0}")
@MethodSource("names")
class EveryTaskFormatTest extends PackingJobContract {

  @Parameter private String name;

  static List<String> names() {
    return StoreFormat.all().stream()
        .filter(StoreFormat::isWritableByTasks)
        .map(StoreFormat::name)
        .toList();
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named(name);
  }

  @Override
  protected Path target() {
    return disk.resolve("target");
  }

  @Override
  protected Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    if (!Files.exists(target())) {
      return files;
    }
    try (var all = Files.walk(target())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(
            target().relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
    return files;
  }

  @Override
  protected void lose(String file) throws IOException {
    Files.delete(target().resolve(file));
  }

  @Override
  protected void put(String file, byte[] bytes) throws IOException {
    Files.createDirectories(target().resolve(file).getParent());
    Files.write(target().resolve(file), bytes);
  }
}
