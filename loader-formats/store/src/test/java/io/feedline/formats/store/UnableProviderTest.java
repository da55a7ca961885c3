package io.feedline.formats.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.internal.files.FarChannel;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.VersionedAttributes;
import io.feedline.formats.store.internal.keyfs.KeyFileSystem;
import io.feedline.formats.store.internal.keyfs.KeyFileSystemProvider;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class UnableProviderTest {

  static final List<Throwable> FAILURES =
      List.of(
          new UnsupportedOperationException("no channels"),
          new OutOfMemoryError("Required array size too large"));

  @ParameterizedTest
  @FieldSource("FAILURES")
  void shouldNameTheProviderAndAdviseACopy(Throwable failure) throws IOException {
    try (FileSystem unable = new Unable(failure);
        OpenFiles files = new OpenFiles(1)) {
      Path path = unable.getPath("/data/x.tar");

      assertThatThrownBy(() -> files.read(path, 0, new byte[1], 0, 1))
          .isInstanceOf(IOException.class)
          .hasCause(failure)
          .hasMessageContainingAll(
              "/data/x.tar", "'unable'", failure.getMessage(), "copy it to a local path");
    }
  }

  private static final class Unable extends KeyFileSystem {
    private final Throwable failure;

    Unable(Throwable failure) {
      super("unable:/");
      this.failure = failure;
    }

    @Override
    protected FarChannel open(KeyPath file) {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }

    @Override
    public FileSystemProvider provider() {
      return new Provider();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}

    @Override
    protected URI uri(String key) {
      return URI.create("unable:/" + key);
    }

    @Override
    protected VersionedAttributes attributes(KeyPath path) throws IOException {
      throw new NoSuchFileException(path.toString());
    }

    @Override
    protected List<KeyPath> children(KeyPath directory) {
      return List.of();
    }

    @Override
    protected <V extends FileAttributeView> V view(KeyPath path, Class<V> type) {
      return null;
    }
  }

  private static final class Provider extends KeyFileSystemProvider {
    @Override
    public String getScheme() {
      return "unable";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }
  }
}
