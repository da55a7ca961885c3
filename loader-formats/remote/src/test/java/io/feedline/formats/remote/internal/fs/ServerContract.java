package io.feedline.formats.remote.internal.fs;

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

  /** The server. */
  static S3Server server() {
    return server;
  }

  /** Its bucket, for this test. */
  final ObjectFileSystem files() {
    return files;
  }
}
