package io.feedline.gpu.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fake of the driver's library as a file in {@code target/fake-cuda}, compiled from {@code
 * src/test/native} when it is missing or older than that. Several JVMs may do so at once. Where the
 * classes of the tests are in a jar, {@code -Dfeedline.fake.home} names a directory that has {@code
 * src/test/native} and gets {@code fake-cuda}.
 */
final class FakeLibrary {

  /** The name by which the real one is found. */
  private static final String FILE_NAME = "libcuda.so.1";

  private static final List<String> COMPILERS = List.of("gcc", "cc");

  private static final List<String> OPTIONS =
      List.of(
          "-std=c11",
          "-O2",
          "-Wall",
          "-Wextra",
          "-Werror",
          "-fPIC",
          "-fvisibility=hidden",
          "-shared",
          "-pthread",
          // Its threads outlive the class that loaded it.
          "-Wl,-z,nodelete");

  private static NativeLibrary loaded;

  private FakeLibrary() {}

  static Optional<String> missing() {
    if (!Platform.isLinux()) {
      return Optional.of(
          "the fakes of the driver are Linux libraries, this is " + System.getProperty("os.name"));
    }
    return compiler().isPresent()
        ? Optional.empty()
        : Optional.of(
            "the fakes of the driver need a C compiler; neither of %s is on the PATH"
                .formatted(COMPILERS));
  }

  private static Optional<String> compiler() {
    return COMPILERS.stream()
        .filter(
            name ->
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                    .anyMatch(directory -> Files.isExecutable(Path.of(directory, name))))
        .findFirst();
  }

  /**
   * Loads it by its path. A caller that asks for the real one's name from then on is given it,
   * because the dynamic linker looks among the names of the loaded libraries first.
   *
   * @throws IOException if it cannot be compiled
   * @throws UnsatisfiedLinkError if another library of that name has been loaded before
   */
  static synchronized NativeLibrary load() throws IOException {
    if (loaded == null) {
      NativeLibrary library = NativeLibrary.getInstance(build().toString());
      // Fails where the name leads to a driver that was loaded earlier. The class loader is named
      // because JNA, asked as above, would answer from what it has loaded itself.
      NativeLibrary.getInstance(FILE_NAME, FakeLibrary.class.getClassLoader())
          .getFunction("fake_cuda_reset");
      loaded = library;
    }
    return loaded;
  }

  private static Path build() throws IOException {
    String home = System.getProperty("feedline.fake.home");
    Path target = home == null ? classes().getParent() : Path.of(home);
    List<File> sources = files(module(target).resolve("src/test/native"));
    Path library = target.resolve("fake-cuda").resolve(FILE_NAME);
    long newest = sources.stream().mapToLong(File::lastModified).max().orElseThrow();
    if (library.toFile().lastModified() < newest) { // 0 if there is no such file
      Files.createDirectories(library.getParent());
      Path made = Files.createTempFile(library.getParent(), FILE_NAME, ".tmp");
      try {
        compile(sources, made);
        Files.move(made, library, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(made);
      }
    }
    return library;
  }

  /** Returns the module's directory, which has the build's directories at any depth. */
  private static Path module(Path target) {
    Path directory = target;
    while (!Files.exists(directory.resolve("src/test/native"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  private static Path classes() {
    try {
      return Path.of(FakeLibrary.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no path leads to the classes of the tests", e);
    }
  }

  private static List<File> files(Path directory) {
    return Stream.of(directory.toFile().listFiles(File::isFile)).sorted().toList();
  }

  private static void compile(List<File> sources, Path library) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(compiler().orElseThrow());
    command.addAll(OPTIONS);
    command.add("-Wl,-soname," + FILE_NAME);
    command.add("-o");
    command.add(library.toString());
    sources.stream().map(File::toString).filter(name -> name.endsWith(".c")).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try (InputStream output = process.getInputStream()) {
      String said = new String(output.readAllBytes(), UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException("cannot compile the fake " + FILE_NAME + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while compiling the fake " + FILE_NAME, e);
    } finally {
      process.destroy();
    }
  }
}
