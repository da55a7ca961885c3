package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CudaLevelsTest {

  private static final String ALL = "cuda";

  private static final List<String> LEVELS =
      List.of("cuda-driver", "cuda-torch", "cuda-stream", "cuda-mutants", "cuda-exit");

  /**
   * A class without a level would be run with all others only, one without the tag in any build.
   */
  @Test
  void shouldGiveEachClassOneLevel() throws Exception {
    List<String> used = new ArrayList<>();
    for (Class<?> type : classes()) {
      List<String> tags =
          findRepeatableAnnotations(type, Tag.class).stream()
              .map(Tag::value)
              .filter(tag -> tag.startsWith(ALL))
              .toList();
      if (!tags.isEmpty()) {
        assertThat(tags).as("tags of %s", type).contains(ALL).hasSize(2);
        assertThat(LEVELS).as("levels, among them that of %s", type).containsAnyElementsOf(tags);
        used.addAll(tags);
      }
    }
    assertThat(used).containsAll(LEVELS);
  }

  private static List<Class<?>> classes() throws Exception {
    Path root =
        Path.of(CudaLevelsTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(each -> each.toString().endsWith("Test.class")).toList()) {
        String name =
            root.relativize(file).toString().replace(root.getFileSystem().getSeparator(), ".");
        classes.add(
            Class.forName(
                name.substring(0, name.length() - ".class".length()),
                false,
                CudaLevelsTest.class.getClassLoader()));
      }
    }
    return classes;
  }
}
