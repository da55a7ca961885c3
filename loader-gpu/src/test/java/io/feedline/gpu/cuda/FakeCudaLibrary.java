package io.feedline.gpu.cuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.naturalOrder;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fake driver as a file: {@code target/fake-cuda/libcuda.so.1}, compiled from {@code
 * src/test/native} when it is missing or older than that. Several JVMs may do so at once.
 */
final class FakeCudaLibrary {
  private static final String NAME = "libcuda.so.1";
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
          "-Wl,-soname," + NAME,
          // Its threads outlive whoever loaded it.
          "-Wl,-z,nodelete");

  private static NativeLibrary loaded;

  private FakeCudaLibrary() {}

  /** What this machine lacks to have a fake driver, in words; empty if it lacks nothing. */
  static Optional<String> missing() {
    if (!Platform.isLinux()) {
      return Optional.of(
          "the fake CUDA driver is a Linux library, this is " + System.getProperty("os.name"));
    }
    return compiler().isPresent()
        ? Optional.empty()
        : Optional.of(
            "the fake CUDA driver needs a C compiler; neither of %s is on the PATH"
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
   * Loads it by its path. Whoever asks for {@code libcuda.so.1} from then on is given it, because
   * the dynamic linker looks among the names of what is loaded first.
   *
   * @throws IOException if it cannot be compiled
   * @throws IllegalStateException if another library of that name has been loaded before
   */
  static synchronized NativeLibrary load() throws IOException {
    if (loaded == null) {
      NativeLibrary library = NativeLibrary.getInstance(build().toString());
      // Fails where the name leads to a driver that was loaded earlier.
      NativeLibrary.getInstance(NAME).getFunction("fake_cuda_reset");
      loaded = library;
    }
    return loaded;
  }

  private static Path build() throws IOException {
    Path target = classes().getParent();
    List<Path> sources = files(target.resolveSibling("src/test/native"));
    Path library = target.resolve("fake-cuda").resolve(NAME);
    if (lastModified(library).compareTo(newest(sources)) < 0) {
      Files.createDirectories(library.getParent());
      Path made = Files.createTempFile(library.getParent(), NAME, ".tmp");
      try {
        compile(sources, made);
        Files.move(made, library, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(made);
      }
    }
    return library;
  }

  /** The directory that this class was loaded from, {@code target/test-classes}. */
  private static Path classes() {
    try {
      return Path.of(
          FakeCudaLibrary.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no path leads to the classes of the tests", e);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static FileTime newest(List<Path> files) throws IOException {
    List<FileTime> times = new ArrayList<>();
    for (Path file : files) {
      times.add(Files.getLastModifiedTime(file));
    }
    return times.stream().max(naturalOrder()).orElseThrow();
  }

  /** The beginning of time if there is no such file. */
  private static FileTime lastModified(Path file) throws IOException {
    try {
      return Files.getLastModifiedTime(file);
    } catch (NoSuchFileException absent) {
      return FileTime.fromMillis(0);
    }
  }

  private static void compile(List<Path> sources, Path library) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(compiler().orElseThrow());
    command.addAll(OPTIONS);
    command.add("-o");
    command.add(library.toString());
    sources.stream().map(Path::toString).filter(name -> name.endsWith(".c")).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try (InputStream output = process.getInputStream()) {
      String said = new String(output.readAllBytes(), UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException("cannot compile the fake CUDA driver: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while compiling the fake CUDA driver", e);
    } finally {
      process.destroy();
    }
  }
}
