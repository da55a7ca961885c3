package io.feedline.formats.remote.internal.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

public final class Failures {

  private Failures() {}

  /** The exception for an answer that does not match its request; a repetition rarely helps. */
  static final class WrongAnswer extends IOException {
    private static final long serialVersionUID = 1;

    WrongAnswer(String problem) {
      super(problem);
    }
  }

  /** Returns the failure inside a {@link CompletionException} or {@link ExecutionException}. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

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

  static boolean lasts(Throwable failure) {
    return isUnresolved(failure)
        || failure instanceof SSLHandshakeException
        || failure instanceof WrongAnswer;
  }

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
