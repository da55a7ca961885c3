package io.feedline.spark.hadoop.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.remote.internal.fs.ObjectFileSystemProvider;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsHadoop
class HadoopFileSystemsTest {

  @TempDir private Path disk;

  private static Path path(String text) throws IOException {
    return HadoopPaths.path(text, RawFiles.configuration());
  }

  @Test
  void shouldGiveLocalPathsOfTheDefaultFileSystem() throws IOException {
    Path file = Files.write(disk.resolve("a b%20ü"), new byte[3]);
    for (String text : List.of("file://" + file, "file:" + file, file.toString())) {
      assertThat(path(text)).isEqualTo(file);
      assertThat(path(text).getFileSystem()).isSameAs(FileSystems.getDefault());
    }
    assertThat(path("relative/x")).isEqualTo(Path.of("relative/x"));
  }

  @Test
  void shouldGivePathsOfOurOwnObjectStores() throws IOException {
    URI bucket = URI.create("s3://bucket/");
    // So it takes none of AWS's modules.
    try (var files =
        new ObjectFileSystemProvider.S3().newFileSystem(bucket, Map.of("anonymous", "true"))) {
      assertThat(path("s3://bucket/a b%20/c").getFileSystem()).isSameAs(files);
      assertThat(path("s3://bucket/a b%20/c")).hasToString("s3://bucket/a b%20/c");
      Configuration configuration = new Configuration(false);
      configuration.set("fs.defaultFS", "s3://bucket");
      assertThat(HadoopPaths.path("/a/b", configuration)).hasToString("s3://bucket/a/b");
    }
    assertThat(path("https://example.org/x.tar")).hasToString("https://example.org/x.tar");
    assertThat(path("http://localhost:8000/x.tar")).hasToString("http://localhost:8000/x.tar");
  }

  @Test
  void shouldGiveEqualPathsForEqualTexts() throws IOException {
    Path one = path("raw:///a/b");
    assertThat(path("raw:/a//b/")).isEqualTo(one).hasSameHashCodeAs(one);
    assertThat(path("raw:///a").resolve("b")).isEqualTo(one);
    assertThat(one).hasToString("raw:///a/b");
    assertThat(one.toUri()).isEqualTo(URI.create("raw:/a/b"));
    assertThat(one.getFileSystem().getPath(one.toString())).isEqualTo(one);
    assertThat(path("bare:///a/b")).isNotEqualTo(one);
  }

  @Test
  void shouldSayWhichFileSystemHadoopDoesNotHave() {
    assertThatThrownBy(() -> path("nosuch://host/x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nosuch");
    assertThatThrownBy(() -> Path.of(URI.create("viewfs://nosuch/x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("viewfs://nosuch/x");
  }

  /** Which somebody does who has no part in the paths of others. */
  @Test
  void shouldGivePathsOfANewFileSystemWhereOneWasClosed() throws IOException {
    String text = "bare://" + disk.resolve("file");
    Path before = path(text);
    ObjectOutput.of(before).write(new byte[] {1}, ObjectOutput.ABSENT);
    FileSystem.get(URI.create("bare:///"), RawFiles.configuration()).close();

    Path after = path(text);

    assertThat(after).isNotEqualTo(before);
    assertThat(Files.readAllBytes(after)).containsExactly(1);
  }

  /** The JVM loads all installed providers with the first one that is asked for. */
  @Test
  void shouldBeInstalledWithoutHadoop() throws Exception {
    List<URL> without = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path entry = Path.of(each);
      if (!entry.getFileName().toString().matches(".*hadoop.*[.]jar")) {
        without.add(entry.toUri().toURL());
      }
    }
    try (URLClassLoader loader =
        new URLClassLoader(without.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      assertThatThrownBy(() -> loader.loadClass(FileSystem.class.getName()))
          .isInstanceOf(ClassNotFoundException.class);
      List<FileSystemProvider> found = new ArrayList<>();
      ServiceLoader.load(FileSystemProvider.class, loader).forEach(found::add);

      assertThat(found.stream().map(FileSystemProvider::getScheme))
          .contains("hdfs", "viewfs", "abfs", "abfss", "s3a", "s3");
      FileSystemProvider hdfs =
          found.stream().filter(each -> each.getScheme().equals("hdfs")).findFirst().orElseThrow();
      assertThatThrownBy(() -> hdfs.getPath(URI.create("hdfs://host/x")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("hadoop-client-api");
    }
  }
}
