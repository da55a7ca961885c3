package io.feedline.formats.mds;

import java.io.IOException;

/**
 * An index, a shard or a sample is not what it should be: truncated, corrupt, contradicting another
 * or of an unsupported kind. The message says which file, sample and column, where, what was found
 * and what was expected.
 */
public final class MdsException extends IOException {

  private static final long serialVersionUID = 1L;

  MdsException(String message) {
    super(message);
  }

  MdsException(String message, Throwable cause) {
    super(message, cause);
  }
}
