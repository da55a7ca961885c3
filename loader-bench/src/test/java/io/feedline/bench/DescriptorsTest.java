package io.feedline.bench;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The descriptor of a library's jar exports the packages that users may name, and opens its
 * internal packages to Feedline's own modules only. Needs jars, which {@code mvn verify} makes
 * before it runs this module's tests.
 */
class DescriptorsTest {

  /** Libraries, their natives too, that a module path cannot have; see the descriptors. */
  private static final String NO_MODULES = "native-\\d.*|parquet-.*|loader-tables-.*";

  private static final Set<String> LIBRARIES =
      Set.of(
          "io.feedline.annotations",
          "io.feedline.command",
          "io.feedline.core",
          "io.feedline.gpu",
          "io.feedline.hdf5",
          "io.feedline.images",
          "io.feedline.lmdb",
          "io.feedline.media",
          "io.feedline.opencv",
          "io.feedline.records",
          "io.feedline.remote",
          "io.feedline.store",
          "io.feedline.text");

  /** With names alone: Spark's jars and Parquet's are no modules, and bench is no library. */
  private static final Set<String> ONLY_NAMED =
      Set.of("io.feedline.bench", "io.feedline.spark", "io.feedline.tables");

  private static List<Path> jars;
  private static Map<String, ModuleReference> modules;

  @TempDir private Path directory;

  @BeforeAll
  static void findJars() {
    jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(path -> path.toString().endsWith(".jar"))
            .toList();
    List<Path> own = jars("(loader-[a-z0-9]+|feedline)-\\d.*(?<!-tests)");
    assumeFalse(own.isEmpty(), "Maven has made no jars");
    assumeFalse(
        own.stream().anyMatch(jar -> jar.getParent().endsWith(Path.of("target", "quick"))),
        "profiles quick and train leave descriptors out");
    modules =
        ModuleFinder.of(own.toArray(Path[]::new)).findAll().stream()
            .filter(module -> !module.descriptor().isAutomatic())
            .collect(toMap(module -> module.descriptor().name(), module -> module));
  }

  private static List<Path> jars(String name) {
    return jars.stream()
        .filter(jar -> jar.getFileName().toString().matches(name + "\\.jar"))
        .toList();
  }

  @Test
  void shouldGiveEachLibraryADescriptor() {
    assertThat(modules.keySet()).containsExactlyInAnyOrderElementsOf(LIBRARIES);
  }

  /** The command's own packages are internal too: it is a program. */
  @Test
  void shouldExportWhatIsNotInternalAndNothingElse() {
    for (ModuleReference module : modules.values()) {
      ModuleDescriptor descriptor = module.descriptor();
      Set<String> exported =
          descriptor.exports().stream()
              .filter(export -> !export.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(toSet());
      assertThat(exported)
          .as(descriptor.name())
          .isEqualTo(
              descriptor.packages().stream()
                  .filter(name -> !isInternal(name) && !name.matches(".*\\.(cli|chartjs)(\\..*)?"))
                  .collect(toSet()));
    }
  }

  @Test
  void shouldShowInternalPackagesToFeedlinesOwnModulesOnly() {
    for (ModuleReference module : modules.values()) {
      for (ModuleDescriptor.Exports export : module.descriptor().exports()) {
        if (export.isQualified()) {
          assertThat(isInternal(export.source())).as(export.toString()).isTrue();
          assertThat(export.targets())
              .as(export.toString())
              .allMatch(target -> LIBRARIES.contains(target) || ONLY_NAMED.contains(target));
        }
      }
    }
  }

  /** Otherwise the first use of a class on the module path is an IllegalAccessError. */
  @Test
  void shouldShowInternalPackagesToEachModuleThatUsesThem() throws IOException {
    Map<String, ModuleDescriptor> owners = new HashMap<>();
    for (ModuleReference module : modules.values()) {
      module.descriptor().packages().forEach(name -> owners.put(name, module.descriptor()));
    }
    for (ModuleReference module : modules.values()) {
      String user = module.descriptor().name();
      Set<String> missing = new TreeSet<>();
      try (JarFile jar = new JarFile(new File(module.location().orElseThrow()))) {
        for (JavaClass type : new ClassFileImporter().importJar(jar)) {
          for (Dependency use : type.getDirectDependenciesFromSelf()) {
            String used = use.getTargetClass().getBaseComponentType().getPackageName();
            ModuleDescriptor owner = owners.get(used);
            if (owner != null && !owner.name().equals(user) && !isShown(owner, used, user)) {
              missing.add("%s to %s, for %s".formatted(used, user, type.getSimpleName()));
            }
          }
        }
      }
      assertThat(missing).as("exports that are missing").isEmpty();
    }
  }

  private static boolean isShown(ModuleDescriptor owner, String name, String user) {
    return owner.exports().stream()
        .filter(export -> export.source().equals(name))
        .anyMatch(export -> !export.isQualified() || export.targets().contains(user));
  }

  /** The class path reads the same services in META-INF/services. */
  @Test
  void shouldProvideTheSameServicesAsOnTheClassPath() throws IOException {
    for (ModuleReference module : modules.values()) {
      assertThat(
              module.descriptor().provides().stream()
                  .collect(
                      toMap(
                          ModuleDescriptor.Provides::service,
                          ModuleDescriptor.Provides::providers)))
          .as(module.descriptor().name())
          .isEqualTo(servicesOfTheClassPath(module));
    }
  }

  private static Map<String, List<String>> servicesOfTheClassPath(ModuleReference module)
      throws IOException {
    try (var reader = module.open()) {
      return reader
          .list()
          .filter(entry -> entry.matches("META-INF/services/[^/]+"))
          .collect(
              toMap(
                  entry -> entry.substring(entry.lastIndexOf('/') + 1),
                  entry -> {
                    try (var in = reader.open(entry).orElseThrow()) {
                      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
                    } catch (IOException failure) {
                      throw new UncheckedIOException(failure);
                    }
                  }));
    }
  }

  /**
   * All at once, as a program would have them: no two share a package, each finds what it needs.
   */
  @Test
  void shouldResolveAllLibrariesTogether() {
    assertThat(resolve(LIBRARIES).modules().stream().map(module -> module.name()))
        .containsAll(LIBRARIES);
  }

  /** Programs that decode nothing need neither a screen library nor a codec. */
  @ParameterizedTest
  @ValueSource(strings = {"io.feedline.store", "io.feedline.text"})
  void shouldResolveWithoutImagesAndCodecs(String library) {
    assertThat(resolve(Set.of(library)).modules().stream().map(module -> module.name()))
        .contains("io.feedline.store")
        .doesNotContain("io.feedline.images", "java.desktop", "org.lz4.java");
  }

  @Test
  void shouldDecodeAnImageInAModule() throws Exception {
    ImageIO.write(
        new BufferedImage(5, 3, BufferedImage.TYPE_INT_RGB),
        "png",
        directory.resolve("image.png").toFile());
    String errors =
        compile(
            """
            var file = java.nio.file.Path.of(%s);
            return io.feedline.formats.image.Image
                .ofEncoded(java.nio.file.Files.readAllBytes(file), "image.png").pixels().width();
            """
                .formatted(
                    '"' + directory.resolve("image.png").toString().replace("\\", "\\\\") + '"'));
    assertThat(errors).isEmpty();

    ModuleLayer layer =
        ModuleLayer.boot()
            .defineModulesWithOneLoader(
                resolve(Set.of("user", "io.feedline.images")),
                ClassLoader.getPlatformClassLoader());
    assertThat(layer.findLoader("user").loadClass("user.Main").getMethod("run").invoke(null))
        .isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return io.feedline.internal.Json.class.getName();",
        "return io.feedline.formats.jpeg.internal.ScanIndex.class.getName();"
      })
  void shouldRefuseToCompileAgainstWhatIsInternal(String code) throws IOException {
    assertThat(compile(code)).contains("error: package ", "is not visible");
  }

  /** The compiler's errors. */
  private String compile(String code) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    List<String> options =
        List.of(
            "--release",
            "17",
            "-proc:none",
            "-d",
            Files.createDirectories(directory.resolve("user")).toString(),
            "--module-path",
            moduleJars().map(Path::toString).collect(joining(File.pathSeparator)));
    compiler
        .getTask(
            errors,
            null,
            null,
            options,
            null,
            List.of(
                new Source(
                    "module-info", "module user { requires io.feedline.images; exports user; }"),
                new Source(
                    "user/Main",
                    """
                    package user;
                    public class Main {
                      public static Object run() throws Exception {
                        %s
                      }
                    }
                    """
                        .formatted(code))))
        .call();
    return errors.toString();
  }

  private Configuration resolve(Set<String> roots) {
    Path[] path =
        Stream.concat(Stream.of(directory.resolve("user")), moduleJars()).toArray(Path[]::new);
    return Configuration.resolve(
        ModuleFinder.of(path),
        List.of(ModuleLayer.boot().configuration()),
        ModuleFinder.ofSystem(),
        roots);
  }

  /** Feedline's, and what they need of others'; not all that is on this class path. */
  private static Stream<Path> moduleJars() {
    return jars(
            "(loader-(?!bench|spark|formats)[a-z0-9]+|feedline|slf4j-api|jspecify|snakeyaml-engine|lz4-java|zstd-jni|commons-[a-z0-9]+"
                + "|lmdbjava|jffi|jnr-.*|jhdf|gson|picocli|javacpp|opencv|ffmpeg|openblas|api|jna|auth|.*-spi"
                + "|profiles|regions|sdk-core)-\\d.*(?<!-tests)")
        .stream()
        .filter(jar -> !jar.getFileName().toString().matches(NO_MODULES));
  }

  private static boolean isInternal(String packageName) {
    return packageName.matches(".*\\.internal(\\..*)?");
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
