package io.feedline.formats.cli.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class PathOrUriTest {

  private static Path convert(String text) {
    return new PathOrUri().convert(text);
  }

  private static void assertRefused(String text, String... words) {
    assertThatThrownBy(() -> convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContainingAll(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "train", "/data/a b", "data/train-{0..7}.tar", "v:2", "train:v2/x"})
  void shouldTakeAPathAsItIs(String text) {
    assertThat(convert(text)).isEqualTo(Path.of(text));
  }

  /** Half of a surrogate pair is in no locale's encoding, as most characters are not in POSIX's. */
  @Test
  void shouldSayWhyTheJvmCannotNameAPath() {
    assertRefused("a\uD800", "the JVM cannot represent");
    assertRefused("a\0b", "Nul character not allowed");
  }

  @ParameterizedTest
  @CsvSource({
    "file:///data/train, /data/train",
    "FILE:/data/train, /data/train",
    "file:///data/train-{0..7}.tar, /data/train-{0..7}.tar",
    "file:///data/a b, /data/a b",
    "file:///data/a%20b, /data/a b",
    "file:///data/train-*, /data/train-*",
  })
  void shouldTakeAUriOfTheDefaultFileSystem(String uri, String path) {
    assertThat(convert(uri)).isEqualTo(Path.of(path));
  }

  @Test
  void shouldOpenAnArchiveOnce(@TempDir Path directory) throws IOException {
    String archive = "jar:" + directory.resolve("x.zip").toUri();
    try (FileSystem zip =
        FileSystems.newFileSystem(URI.create(archive), Map.of("create", "true"))) {
      Files.writeString(zip.getPath("/a"), "inside");
    }

    Path first = convert(archive + "!/a");
    try (FileSystem opened = first.getFileSystem()) {
      assertThat(first).hasContent("inside");
      assertThat(convert(archive + "!/b").getFileSystem()).isSameAs(opened);
    }
  }

  @Test
  void shouldFindAnOpenFileSystemOfAnInstalledProvider() throws IOException {
    try (FileSystem files = Jimfs.newFileSystem("here", Configuration.unix())) {
      Path path = Files.writeString(files.getPath("/a"), "inside");

      assertThat(convert(path.toUri().toString())).isEqualTo(path);
    }
  }

  @Test
  void shouldNameTheSchemeAndTheInstalledProviders() {
    assertRefused(
        "ftp://bucket/train", "'ftp://bucket/train'", "scheme 'ftp'", "file, jar", "jimfs", "s3");
  }

  @Test
  void shouldNotRepeatWhatMayBeSecretInAUri() {
    for (String uri :
        List.of(
            "https://user:PASSWORD@example.org/a",
            "gs://PASSWORD@bucket/a",
            "az://PASSWORD@container/a",
            "s3://PASSWORD@bucket/a",
            "ftp://PASSWORD@bucket/a?token=PASSWORD&more=PASSWORD")) {
      assertThatThrownBy(() -> convert(uri))
          .isInstanceOf(TypeConversionException.class)
          .hasMessageContaining("://")
          .hasMessageNotContaining("PASSWORD");
    }
    assertThat(convert("https://example.org/train-{0..7}.tar"))
        .hasToString("https://example.org/train-{0..7}.tar");
    assertThat(convert("https://example.org/a?token=PASSWORD").toString())
        .startsWith("https://example.org/a")
        .doesNotContain("PASSWORD");
  }

  @Test
  void shouldSayWhyAUriIsNoPath(@TempDir Path directory) throws IOException {
    URI absent = directory.resolve("absent.zip").toUri();
    assertRefused("jar:" + absent + "!/a", "absent.zip!/a'", "'jar'", "no such file", "file, jar");
    URI text = Files.writeString(directory.resolve("x.txt"), "no archive").toUri();
    assertRefused("jar:" + text + "!/a", "x.txt!/a'", "'jar'");
    assertRefused("jar:" + absent, "absent.zip'", "!/");
    assertRefused("file:data", "'file:data'", "'file'", "hierarchical");
  }
}
