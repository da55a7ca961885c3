package io.feedline.examples;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuideTest {
  @Test
  void print(@TempDir Path temp) throws Exception {
    new GuideErrors(temp).messages().forEach((k, v) -> System.out.println("## " + k + "\n" + v));
  }
}
