package io.feedline.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissingPathsTest {

  @Test
  void shouldTellHowFarAPathLeads(@TempDir Path temp) throws Exception {
    Files.createFile(temp.resolve("file"));
    for (String missing : new String[] {"a", "a/b/c", "file/a", "file", "a/../b"}) {
      assertThat(MissingPaths.nearest(temp.resolve(missing)))
          .isEqualTo("; the nearest directory that exists is " + temp);
    }
    assertThat(MissingPaths.nearest(Path.of("no-such-directory")))
        .isEqualTo("; the nearest directory that exists is " + Path.of("").toAbsolutePath());
  }
}
