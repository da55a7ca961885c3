package io.feedline.internal;

import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PresenceTest {

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void make() throws IOException {
    file = Files.createFile(directory.resolve("file"));
  }

  @Test
  void shouldSeeFilesAndDirectories() throws IOException {
    assertPresence(file, true, true, false);
    assertPresence(directory, true, false, true);
    assertPresence(Files.createSymbolicLink(directory.resolve("link"), file), true, true, false);
  }

  private static void assertPresence(Path path, Boolean... existsIsFileIsDirectory)
      throws IOException {
    assertThat(List.of(Presence.exists(path), Presence.isFile(path), Presence.isDirectory(path)))
        .as(path.toString())
        .containsExactly(existsIsFileIsDirectory);
  }

  @Test
  void shouldSeeNothingWhereNothingCanBe() throws IOException {
    Path circle = directory.resolve("circle");
    for (Path absent :
        new Path[] {
          directory.resolve("absent"),
          directory.resolve("absent/below"),
          file.resolve("below"),
          file.resolve("below/that"),
          directory.resolve("train-{0,1}".repeat(100)),
          Files.createSymbolicLink(directory.resolve("nowhere"), directory.resolve("absent")),
          Files.createSymbolicLink(circle, circle)
        }) {
      assertPresence(absent, false, false, false);
    }
  }

  @Test
  void shouldNotTakeARefusalForAbsence() throws IOException {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Path inside = Files.createFile(closed.resolve("file"));
    Files.setPosixFilePermissions(closed, Set.of());
    try {
      Assumptions.assumeFalse(Files.exists(inside), "root may read everything");

      assertThrown(AccessDeniedException.class, () -> Presence.exists(inside));
      assertThrown(AccessDeniedException.class, () -> Presence.isFile(inside));
      assertThrown(AccessDeniedException.class, () -> Presence.isDirectory(inside));
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void shouldTellHowFarAPathLeads() {
    for (String missing : new String[] {"a", "a/b/c", "file/a", "a/../b"}) {
      assertThat(MissingPaths.nearest(directory.resolve(missing)))
          .isEqualTo("; the nearest directory that exists is " + directory);
    }
    assertThat(MissingPaths.nearest(Path.of("no-such-directory")))
        .isEqualTo("; the nearest directory that exists is " + Path.of("").toAbsolutePath());
  }
}
