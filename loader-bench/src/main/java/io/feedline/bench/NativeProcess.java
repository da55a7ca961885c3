package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A running {@link NativeProgram}, or a script that works in the same way: it waits for a line,
 * does what the line says, and answers with a line. It uses no CPU time while it waits, so that
 * this process and other processes can take turns.
 *
 * <p>Not thread-safe. The caller closes it, which ends the process.
 */
final class NativeProcess implements AutoCloseable {
  private static final String READY = "ready ";
  private static final String DUMPED = "dumped ";

  private final String name;
  private final Process process;
  private final BufferedWriter requests;
  private final BufferedReader answers;
  private final String loaded;

  /**
   * Starts a command, and waits until the process has loaded its data.
   *
   * @throws IOException if the process cannot be started, or ends early; its messages are printed
   *     to standard error
   */
  NativeProcess(List<String> command) throws IOException {
    this.name = String.valueOf(Path.of(command.get(0)).getFileName());
    this.process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    this.requests = process.outputWriter(UTF_8);
    this.answers = process.inputReader(UTF_8);
    try {
      String line = answer();
      if (!line.startsWith(READY)) {
        throw new IOException(name + " should have said that it is ready, said: " + line);
      }
      this.loaded = line.substring(READY.length());
    } catch (IOException e) {
      process.destroy();
      throw e;
    }
  }

  /** Starts a program on its data, and waits until the program has loaded the data. */
  static NativeProcess start(Path executable, Path data) throws IOException {
    return new NativeProcess(List.of(executable.toString(), data.toString()));
  }

  /** Returns the program's report on its data and its library: {@code 986 libjpeg-turbo 2.1.5}. */
  String loaded() {
    return loaded;
  }

  /**
   * Lets the program work until its thread has used this CPU time.
   *
   * @throws IOException if the program does not know the mode, or ends
   */
  Timing run(String mode, double cpuSeconds) throws IOException {
    return Timing.parse(ask(String.format(Locale.ROOT, "run %s %f", mode, cpuSeconds)));
  }

  /**
   * Lets {@link NativeProgram#JPEG_REFERENCE} write its result for one image to a file.
   *
   * @param index the index of the image in the program's list
   * @throws IOException if the program reports an error, or ends
   */
  void dump(String mode, int index, Path file) throws IOException {
    String answer = ask("dump " + mode + " " + index + " " + file);
    if (!answer.startsWith(DUMPED)) {
      throw new IOException(name + " should have written " + file + ", said: " + answer);
    }
  }

  private String ask(String request) throws IOException {
    requests.write(request + "\n");
    requests.flush();
    return answer();
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line != null) {
      return line;
    }
    try {
      throw new IOException("%s ended early with exit code %d".formatted(name, process.waitFor()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + name, e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
