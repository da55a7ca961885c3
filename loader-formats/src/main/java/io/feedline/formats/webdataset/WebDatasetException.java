package io.feedline.formats.webdataset;

import java.io.IOException;

/**
 * A shard or a sample is not what it should be: truncated, corrupt, or without the field that is
 * asked for. The message says which shard, which entry or key, where, what was found and what was
 * expected.
 */
public final class WebDatasetException extends IOException {

  private static final long serialVersionUID = 1L;

  WebDatasetException(String message) {
    super(message);
  }

  WebDatasetException(String message, Throwable cause) {
    super(message, cause);
  }
}
