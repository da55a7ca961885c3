package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The programs in C that show the limit of a machine. Their sources are in {@code src/native} and
 * in the jar, and are compiled by {@code cc -O3} on the machine that runs them. On x86-64 this
 * compiler uses only instructions that all such processors have; Java uses those of this processor.
 */
enum NativeProgram {
  /** Decodes crops of JPEG files and scales them; its source has the details. */
  JPEG_REFERENCE("jpeglib.h", "jpeg_crop_scanline", "libjpeg-turbo (libjpeg-dev)", "-ljpeg"),

  /** Reads values of an LMDB file in random order; its source has the details. */
  LMDB_RANDOM_READ("lmdb.h", "mdb_txn_renew", "LMDB (liblmdb-dev)", "-llmdb");

  private static final String COMPILER = "cc";

  private final String header;
  private final String function;
  private final String library;
  private final String linked;

  NativeProgram(String header, String function, String library, String linked) {
    this.header = header;
    this.function = function;
    this.library = library;
    this.linked = linked;
  }

  private String source() {
    return this + ".c";
  }

  /**
   * Describes what this machine lacks to compile the program; empty if it lacks nothing.
   *
   * @throws IOException if no temporary file can be written
   */
  Optional<String> missing() throws IOException {
    try (ScratchDirectory scratch = ScratchDirectory.create("feedline-probe")) {
      Path probe = scratch.path().resolve("probe.c");
      Files.writeString(
          probe,
          "#include <stdio.h>\n#include <%s>\nint main(void) { return !&%s; }\n"
              .formatted(header, function));
      return compile(probe, scratch.path().resolve("probe"), linked)
          .map(
              reason ->
                  "%s needs a C compiler named %s and the header and library of %s; it says: %s"
                      .formatted(source(), COMPILER, library, reason));
    }
  }

  /**
   * Compiles the program in a directory, and returns the executable.
   *
   * @throws IOException with the compiler's message if the program cannot be compiled; {@link
   *     #missing} checks the machine beforehand
   */
  Path build(Path directory) throws IOException {
    Path source = directory.resolve(source());
    try (InputStream packed = NativeProgram.class.getResourceAsStream(source())) {
      if (packed == null) {
        throw new FileNotFoundException(source() + " is not on the class path");
      }
      Files.copy(packed, source);
    }
    Path executable = directory.resolve(toString());
    Optional<String> refusal = compile(source, executable, linked);
    if (refusal.isPresent()) {
      throw new IOException("cannot compile " + source + ": " + refusal.get());
    }
    return executable;
  }

  /**
   * Compiles the program in a directory, and starts it for a command. If this machine lacks
   * something, throws the command's exception for wrong options.
   */
  NativeProcess start(BenchCommand command, Path directory, Path data) throws IOException {
    Optional<String> missing = missing();
    if (missing.isPresent()) {
      throw command.wrong(missing.get());
    }
    return NativeProcess.start(build(directory), data);
  }

  /** Compiles a source; returns the compiler's message if it fails. */
  private static Optional<String> compile(Path source, Path executable, String linked)
      throws IOException {
    List<String> command =
        List.of(COMPILER, "-O3", "-o", executable.toString(), source.toString(), linked, "-lm");
    Process compiler;
    try {
      compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException absent) {
      return Optional.of(absent.getMessage());
    }
    compiler.getOutputStream().close();
    try (InputStream output = compiler.getInputStream()) {
      String said = new String(output.readAllBytes(), UTF_8).strip();
      return compiler.waitFor() == 0 ? Optional.empty() : Optional.of(said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while compiling " + source, e);
    } finally {
      compiler.destroy();
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
