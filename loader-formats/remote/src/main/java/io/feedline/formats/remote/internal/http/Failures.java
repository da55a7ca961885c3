package io.feedline.formats.remote.internal.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** The meaning of a connection's failures. */
public final class Failures {

  private Failures() {}

  /**
   * The failure of an answer that does not match the request; a repeated request rarely gets
   * another answer.
   */
  static final class WrongAnswer extends IOException {
    private static final long serialVersionUID = 1;

    WrongAnswer(String problem) {
      super(problem);
    }
  }

  /** A failure without the wrapping that futures give it. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** A failure as part of a sentence. */
  public static String words(Throwable failure) {
    if (isUnresolved(failure)) {
      return "the host has no address";
    }
    if (failure instanceof ConnectException) {
      return "no connection"
          + (failure.getMessage() == null ? "" : " (" + failure.getMessage() + ")");
    }
    boolean worded = failure instanceof IOException || failure instanceof IllegalArgumentException;
    return worded && failure.getMessage() != null ? failure.getMessage() : failure.toString();
  }

  /**
   * Tests whether a failure is likely to last: a misspelled name, an untrusted certificate, a
   * server whose answers do not match the requests.
   */
  static boolean lasts(Throwable failure) {
    return isUnresolved(failure)
        || failure instanceof SSLHandshakeException
        || failure instanceof WrongAnswer;
  }

  /** Tests whether the text of a failure or of its cause may contain the name of the host. */
  static boolean namesHost(Throwable failure) {
    return isUnresolved(failure) || failure instanceof SSLException;
  }

  private static boolean isUnresolved(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }
}
