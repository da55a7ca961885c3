package io.feedline.formats.remote.internal.fs;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/**
 * The contract of all servers. A subclass is a {@code @ParameterizedClass} of {@link
 * S3Server.Kind}s; all its tests of a kind have the same server.
 */
abstract class ServerContract {

  private static S3Server server;

  @Parameter(0)
  private S3Server.Kind kind;

  private ObjectFileSystem files;

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  @BeforeEach
  void open() throws Exception {
    if (server == null) {
      server = kind.open();
    }
    files = server.files();
  }

  @AfterEach
  void close() {
    if (files != null) {
      files.close();
    }
  }

  /** Reads an epoch of files by four workers, and returns the first byte of each. */
  static List<Long> firstBytes(List<Path> files) throws IOException {
    List<Long> read = new ArrayList<>();
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(files).map(each -> (long) Files.readAllBytes(each)[0]))
            .batchSize(8)
            .numWorkers(4)
            .build()) {
      for (Batch batch : loader) {
        try (batch) {
          LongStream.of(batch.tensor("data").toLongArray()).forEach(read::add);
        }
      }
    }
    return read;
  }

  static S3Server server() {
    return server;
  }

  final S3Server.Kind kind() {
    return kind;
  }

  final ObjectFileSystem files() {
    return files;
  }
}
