package io.feedline.data;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystemException;
import java.util.List;

/**
 * The failure of the store that has the data: a server that refuses or does not answer, a disk that
 * cannot be read, an object that has changed. The sample that was asked for may be sound, so no
 * {@link io.feedline.ErrorPolicy} skips or replaces it, and no list of broken samples names it.
 *
 * <p>A user's dataset need not throw it if the JDK's exceptions suffice, see {@link #isBehind}.
 * This exception is for a client with its own exceptions, such as a cloud's SDK:
 *
 * <pre>{@code
 * try {
 *   return client.getObjectAsBytes(request).asByteArray();
 * } catch (SdkException refused) {
 *   throw new StoreException("bucket/" + key + ": " + refused.getMessage(), refused);
 * }
 * }</pre>
 */
public class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The beginnings of names of the JDK's classes that read and write files and sockets. */
  private static final List<String> SYSTEM =
      List.of("java.io.", "sun.nio.", "sun.net.", "jdk.internal.net.http.");

  private static final List<String> NETWORK =
      List.of("java.net", "java.net.http", "javax.net.ssl", "java.rmi");

  /** Creates an exception; the problem names the place and the store's answer. */
  public StoreException(String problem) {
    super(problem);
  }

  /** Creates an exception with a cause. */
  public StoreException(String problem, Throwable cause) {
    super(problem, cause);
  }

  /**
   * Tests whether a store failed and not a sample. In the chain of causes, the outermost of the
   * following exceptions decides.
   *
   * <ul>
   *   <li>The store failed if it is a {@link StoreException}, a {@link FileSystemException}, a
   *       {@link FileNotFoundException}, an exception of a network, of TLS, of a closed channel or
   *       file system, or of an interrupted read, or an {@link IOException} that the JDK's own
   *       reading of files and sockets threw, such as "Input/output error".
   *   <li>The sample failed if it is a {@link FormatException}.
   * </ul>
   *
   * <p>The sample failed if the chain has no such exception.
   */
  public static boolean isBehind(Throwable failure) {
    // The bound ends the loop if the causes form a circle.
    Throwable each = failure;
    for (int depth = 0; each != null && depth < 100; depth++) {
      if (each instanceof FormatException) {
        return false;
      }
      if (isOfStore(each)) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  private static boolean isOfStore(Throwable failure) {
    return failure instanceof StoreException
        || failure instanceof FileSystemException
        || failure instanceof FileNotFoundException
        || failure instanceof InterruptedIOException
        || failure instanceof ClosedChannelException
        || failure instanceof FileLockInterruptionException
        || failure instanceof ClosedFileSystemException
        || (failure instanceof IOException
            && (isOfNetwork(failure.getClass())
                || (failure.getClass() == IOException.class && isOfSystem(failure))));
  }

  private static boolean isOfNetwork(Class<?> type) {
    for (Class<?> each = type; each != IOException.class; each = each.getSuperclass()) {
      if (NETWORK.contains(each.getPackageName())) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether the JDK's own code for files and sockets threw a failure, by its stack trace. */
  private static boolean isOfSystem(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    return trace.length > 0 && SYSTEM.stream().anyMatch(trace[0].getClassName()::startsWith);
  }
}
