package io.feedline.formats;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A file for what native code says on standard error. OpenCV's libraries complain of every broken
 * image there, past {@link System#err}, so nothing in Java can capture it.
 *
 * <p>JUnit finds this extension by itself in Maven's builds, which name the file in the system
 * property {@code feedline.native.messages}. Without the property, and on Windows, it does nothing.
 */
public final class NativeMessages implements BeforeAllCallback {

  private static final int STANDARD_ERROR = 2;

  private static boolean redirected;

  /** The functions of the C library that are used here. */
  public interface LibC extends Library {
    /** Creates or empties a file, and returns its descriptor or -1. */
    int creat(String path, int mode);

    /** Makes the second descriptor mean what the first one does, and returns it or -1. */
    int dup2(int descriptor, int copy);

    /** Closes a descriptor. */
    int close(int descriptor);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    String file = System.getProperty("feedline.native.messages");
    if (file != null && !Platform.isWindows()) {
      redirectOnce(Path.of(file));
    }
  }

  private static synchronized void redirectOnce(Path file) throws IOException {
    if (redirected) {
      return;
    }
    redirected = true;
    Files.createDirectories(file.getParent());
    LibC c = Native.load("c", LibC.class);
    int descriptor = c.creat(file.toString(), 0644);
    if (descriptor < 0) {
      throw new IOException("cannot write " + file);
    }
    try {
      if (c.dup2(descriptor, STANDARD_ERROR) < 0) {
        throw new IOException("cannot redirect standard error to " + file);
      }
    } finally {
      c.close(descriptor);
    }
  }
}
