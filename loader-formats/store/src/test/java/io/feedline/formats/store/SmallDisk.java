package io.feedline.formats.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;

/**
 * A file system that is soon full: a tmpfs, where mounting one is permitted; otherwise the test is
 * skipped.
 */
public final class SmallDisk implements AutoCloseable {

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  public static SmallDisk mount(Path directory, int kibibytes) throws IOException {
    boolean mounted;
    try {
      mounted = run("mount", "-t", "tmpfs", "-o", "size=" + kibibytes + "k", "none", directory);
    } catch (IOException noSuchCommand) {
      mounted = false;
    }
    assumeTrue(mounted, "a tmpfs cannot be mounted here, which needs root on Linux");
    return new SmallDisk(directory);
  }

  private static boolean run(Object... command) throws IOException {
    String[] words = new String[command.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = command[i].toString();
    }
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + words[0] + " ran");
    }
  }

  @Override
  public void close() throws IOException {
    // Lazily: files that the JVM has mapped keep it busy until their memory is collected.
    if (!run("umount", "-l", directory)) {
      throw new IOException(directory + " cannot be unmounted");
    }
  }
}
