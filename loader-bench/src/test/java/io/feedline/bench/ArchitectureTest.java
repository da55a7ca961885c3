package io.feedline.bench;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps the arrows between modules and packages pointing one way.
 *
 * <pre>
 * command, spark -&gt; formats -&gt; images -&gt; store -&gt; core &lt;- gpu        bench, examples -&gt; all
 *                   text, tables, remote -&gt; store
 * </pre>
 *
 * <p>Packages of formats that are not images' see only images and stores, whichever module they are
 * in: so no module of formats sees another. Each module's descriptor says which of its packages
 * other modules see, and {@link DescriptorsTest} holds those.
 *
 * <p>Packages are matched by name, so a new package is covered from its first class. A rule about a
 * package that is still empty holds.
 */
@Tag("once")
class ArchitectureTest {
  private static final String FORMATS = "io.feedline.formats..";
  private static final String GPU = "io.feedline.gpu..";
  private static final String[] CUDA = {"io.feedline.gpu.internal..", "io.feedline.gpu.cuda.."};
  private static final String SPARK = "io.feedline.spark..";
  private static final String BENCH = "io.feedline.bench..";
  private static final String EXAMPLES = "io.feedline.examples..";
  private static final String CLI = "io.feedline.formats.cli..";
  private static final String REPORT = "io.feedline.formats.report..";
  private static final String IMAGE = "io.feedline.formats.image";
  private static final String[] BELOW_TRANSFORMS = {IMAGE, IMAGE + ".pixel", IMAGE + ".dataset"};
  private static final String TRANSFORM = "io.feedline.formats.image.transform..";
  private static final String JPEG = "io.feedline.formats.jpeg..";
  private static final String STORE = "io.feedline.formats.store..";
  private static final String STORE_INTERNAL = "io.feedline.formats.store.internal..";
  private static final String INTERNAL = "io.feedline.formats.internal..";

  // In each loader-core meets a library that it can do without.
  private static final String MICROMETER = "io.feedline.micrometer..";
  private static final String PROGRESS = "io.feedline.progress..";

  private static final Set<String> METHODS_THAT_READ =
      Set.of(
          "newInputStream",
          "newByteChannel",
          "newBufferedReader",
          "readAllBytes",
          "readAllLines",
          "readString",
          "lines");

  private static final JavaClasses FEEDLINE =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.feedline");

  /** Whatever is in no other module. */
  private static final DescribedPredicate<JavaClass> CORE =
      resideInAPackage("io.feedline..")
          .and(resideOutsideOfPackages(FORMATS, GPU, SPARK, BENCH, EXAMPLES))
          .as("classes of loader-core");

  private static final DescribedPredicate<JavaClass> LIBRARIES =
      CORE.or(resideInAnyPackage(FORMATS, GPU, SPARK)).as("classes of the libraries");

  /** The packages of formats, one each; a new one is among them by its name alone. */
  private static final DescribedPredicate<JavaClass> FORMAT_PACKAGES =
      resideInAPackage(FORMATS)
          .and(
              resideOutsideOfPackages(
                  "io.feedline.formats", IMAGE + "..", JPEG, STORE, INTERNAL, CLI, REPORT))
          .as("packages of formats");

  /** Without this, a module that fell off the class path would obey every rule below. */
  @Test
  void shouldKeepEveryModuleInSight() {
    assertThat(FEEDLINE.stream().filter(CORE)).isNotEmpty();
    for (String module : new String[] {FORMATS, GPU, SPARK, BENCH, EXAMPLES}) {
      assertThat(FEEDLINE.stream().filter(resideInAPackage(module))).as(module).isNotEmpty();
    }
    assertThat(FEEDLINE.stream().filter(FORMAT_PACKAGES).map(JavaClass::getPackageName))
        .contains("io.feedline.formats.folder", "io.feedline.formats.mds");
  }

  /** Modules that do not know each other, and packages that stand below others. */
  @ParameterizedTest
  @MethodSource
  void shouldNotDependOn(String user, String used) {
    check(noClasses().that().resideInAPackage(user).should().dependOnClassesThat(in(used)));
  }

  static Stream<Arguments> shouldNotDependOn() {
    return Stream.of(
        arguments(FORMATS, GPU),
        arguments(GPU, FORMATS),
        arguments(SPARK, GPU),
        arguments(BENCH, EXAMPLES),
        arguments(EXAMPLES, BENCH),
        arguments(EXAMPLES, "io.feedline..internal.."),
        arguments(BENCH, STORE_INTERNAL),
        arguments("io.feedline.formats.remote", "io.feedline.formats.remote.internal.."),
        arguments(IMAGE, TRANSFORM),
        arguments(JPEG, IMAGE + ".."),
        arguments("io.feedline.sampler..", "io.feedline"));
  }

  @Test
  void shouldKeepDjlOutOfTheCudaBinding() {
    check(noClasses().that().resideInAnyPackage(CUDA).should().dependOnClassesThat(in("ai.djl..")));
  }

  /** Spark is no burden to those who do without it. */
  @Test
  void shouldKeepSparkToItself() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(SPARK, "io.feedline.examples.spark..")
            .should()
            .dependOnClassesThat(
                in(SPARK, "org.apache.spark..", "org.apache.hadoop..", "scala..")));
  }

  @Test
  void shouldKeepCoreFreeOfEverythingButTheJdkAndSlf4j() {
    check(
        classes()
            .that(CORE)
            .and()
            .resideOutsideOfPackages(MICROMETER, PROGRESS)
            .should()
            .onlyDependOnClassesThat(
                CORE.and(resideOutsideOfPackages(MICROMETER, PROGRESS))
                    .or(
                        resideInAnyPackage(
                            "java..",
                            "javax.management..",
                            "com.sun.management..",
                            "jdk.jfr..",
                            "org.slf4j..",
                            "org.jspecify.annotations..",
                            "com.google.errorprone.annotations.."))));
  }

  @Test
  void shouldKeepBenchAndExamplesUnknownToTheLibraries() {
    check(noClasses().that(LIBRARIES).should().dependOnClassesThat(in(BENCH, EXAMPLES)));
  }

  /**
   * And in the four classes of one benchmark: what a loader costs a training step cannot be
   * measured without training.
   */
  @Test
  void shouldKeepDjlInGpuExamplesAndTheTrainingThatIsMeasured() {
    DescribedPredicate<JavaClass> training =
        resideInAPackage(BENCH)
            .and(
                nameMatching(
                    ".*\\.(TrainStep|StepTurns|Training|ResidualNetwork|DeviceTransforms|Serving)(\\$.*)?"));
    check(
        noClasses()
            .that(not(training))
            .and()
            .resideOutsideOfPackages(GPU, EXAMPLES)
            .should()
            .dependOnClassesThat(in("ai.djl..")));
  }

  /** Packages are those of {@code io.feedline}; an example writes HDF5 and Zstandard itself. */
  @ParameterizedTest
  @CsvSource({
    "org.bytedeco.opencv.., formats.image.opencv.internal..",
    "org.bytedeco.ffmpeg.., formats.media..",
    "org.lmdbjava.., formats.lmdb..",
    "org.apache.parquet.., formats.parquet..",
    "org.apache.arrow.., formats.arrow..",
    "com.google.flatbuffers.., formats.arrow..",
    "org.xerial.snappy.., formats.parquet..",
    "io.micrometer.., micrometer..",
    "me.tongfei.., progress..",
    "software.amazon.awssdk.., formats.remote..",
    "net.jpountz.., formats.arrow.. formats.lmdb.. formats.image.internal.. formats.parquet..",
    "com.google.gson.., formats.coco.. formats.text..",
    "org.apache.commons.compress.., formats.webdataset.. formats.zip..",
    "com.github.luben.zstd.., examples.. formats.arrow.. formats.mds.. formats.parquet.. formats.store.internal.files..",
    "io.jhdf.., examples.. formats.hdf5..",
  })
  void shouldKeepALibraryInThePackagesThatWrapIt(String library, String homes) {
    String[] packages =
        Stream.of(homes.split(" ", -1)).map("io.feedline."::concat).toArray(String[]::new);
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(packages)
            .should()
            .dependOnClassesThat(in(library)));
  }

  /** The bindings of CUDA and NVML have it, and the class that asks PyTorch for addresses. */
  @Test
  void shouldKeepJnaInTheBindings() {
    check(
        noClasses()
            .that(not(nameMatching("io\\.feedline\\.gpu\\.TorchAbi(\\$.*)?")))
            .and()
            .resideOutsideOfPackages(CUDA)
            .and()
            .resideOutsideOfPackage("io.feedline.bench.nvml..")
            .should()
            .dependOnClassesThat(in("com.sun.jna..")));
  }

  /**
   * Such classes are loaded where the module is present, by VectorApi; no other class links them.
   * Their names are what the guide's flags of the compiler match: {@code *.internal.Vector*}.
   */
  @Test
  void shouldKeepTheVectorApiInClassesThatAreLoadedByName() {
    DescribedPredicate<JavaClass> vectorKernels =
        resideInAPackage(FORMATS)
            .and(nameMatching(".*\\.internal\\.Vector[^.]*"))
            .and(not(nameMatching(".*\\.VectorApi(\\$.*)?")));
    check(
        noClasses()
            .that(not(vectorKernels))
            .should()
            .dependOnClassesThat(in("jdk.incubator.vector..").or(vectorKernels)));
  }

  @Test
  void shouldKeepEachFormatIndependentOfItsSiblings() {
    check(
        slices()
            .matching("io.feedline.formats.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(not(FORMAT_PACKAGES), not(FORMAT_PACKAGES))
            .ignoreDependency(
                FORMAT_PACKAGES,
                resideInAnyPackage(
                    IMAGE, IMAGE + ".pixel", IMAGE + ".codec", IMAGE + ".dataset", STORE, INTERNAL))
            // Folders, lists and CSV files name videos as they name images.
            .ignoreDependency(
                resideInAPackage("io.feedline.formats.media.."),
                resideInAPackage("io.feedline.formats.folder"))
            .ignoreDependency(resideInAnyPackage(CLI, REPORT), alwaysTrue()));
  }

  @Test
  void shouldKeepStoresBelowFormatsAndImages() {
    check(
        noClasses()
            .that()
            .resideInAPackage(STORE)
            .should()
            .dependOnClassesThat(resideInAPackage(FORMATS).and(resideOutsideOfPackages(STORE))));
    check(
        noClasses()
            .that()
            .resideInAPackage(STORE)
            .and()
            .resideOutsideOfPackage(STORE_INTERNAL)
            .should()
            .dependOnClassesThat(in(STORE_INTERNAL)));
  }

  /** Users name a format's images and samples; its entry in the registry is for the registry. */
  @Test
  void shouldHideWhatTheRegistryOfFormatsKnows() {
    check(
        noClasses()
            .that()
            .implement("io.feedline.formats.store.StoreFormat")
            .and()
            .areTopLevelClasses()
            .and()
            .resideOutsideOfPackage("..internal..")
            .should()
            .bePublic());
  }

  /** Text, tables of numbers and object stores bring no java.desktop and no codec. */
  @Test
  void shouldKeepImagesOutOfWhatStandsOnStores() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                STORE,
                "io.feedline.formats.text..",
                "io.feedline.formats.table..",
                "io.feedline.formats.remote..")
            .and()
            .haveNameNotMatching(".*\\.TableImages(\\$.*)?")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    IMAGE + "..",
                    JPEG,
                    INTERNAL,
                    "java.awt..",
                    "javax.imageio..",
                    "net.jpountz..")));
  }

  /** From the ground up. */
  @ParameterizedTest
  @CsvSource({
    "io.feedline, batch, internal",
    "io.feedline, transform, batch internal",
    "io.feedline, sampler, transform internal",
    "io.feedline, data, batch sampler transform internal",
    "io.feedline, stats, batch data internal",
    "io.feedline, stats.internal, stats internal",
    "io.feedline, packing, batch data sampler internal",
    "io.feedline.formats.store.internal, files, ''",
    "io.feedline.formats.store.internal, values, ''",
    "io.feedline.formats.store.internal, keyfs, files",
    "io.feedline.formats.store.internal, staging, files",
    "io.feedline.formats.store.internal, samples, files staging",
    "io.feedline.formats.store.internal, shards, files staging samples",
    "io.feedline.formats.store.internal, jobs, files staging shards",
    "io.feedline.formats.image, pixel, ''",
    "io.feedline.formats.image, codec, pixel",
    "io.feedline.formats.image, pixel.internal, pixel codec",
    "io.feedline.formats.image, internal, ''",
    "io.feedline.formats.image, kernel.internal, pixel pixel.internal",
    "io.feedline.formats.image, codec.internal, pixel codec pixel.internal internal",
    "io.feedline.formats.image, opencv.internal, pixel codec pixel.internal codec.internal",
    "io.feedline.formats.jpeg, internal, ''",
    "io.feedline.formats.media, internal, ''",
    "io.feedline.formats.jpeg, index.internal, internal",
    "io.feedline.formats.jpeg, coefficients.internal, internal",
    "io.feedline.formats.cli.internal, command, ''",
    "io.feedline.formats.cli.internal, stores, command",
    "io.feedline.formats.cli.internal, plan, command",
    "io.feedline.formats.cli.internal, runs, command",
    "io.feedline.formats.cli.internal, doctor, command plan",
  })
  void shouldStackTheRoomsOfAHouse(String house, String room, String below) {
    String[] known =
        Stream.concat(
                Stream.of(room), Stream.of(below.split(" ", -1)).filter(name -> !name.isEmpty()))
            .map(name -> house + "." + name)
            .toArray(String[]::new);
    check(
        noClasses()
            .that()
            .resideInAPackage(house + "." + room)
            .should()
            .dependOnClassesThat(
                resideInAPackage(house + "..")
                    .and(house.equals("io.feedline") ? CORE : alwaysTrue())
                    .and(resideOutsideOfPackages(known))));
  }

  /** A room fits in a head. */
  @Test
  void shouldKeepRoomsSmall() {
    Map<String, Long> types =
        FEEDLINE.stream()
            .filter(LIBRARIES)
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    types.values().removeIf(count -> count <= 60);
    assertThat(types).isEmpty();
  }

  /** The registry finds formats; what is made of a store does not know which one it is. */
  @Test
  void shouldKeepImagesFreeOfFormats() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(IMAGE + "..", JPEG, INTERNAL)
            .should()
            .dependOnClassesThat(FORMAT_PACKAGES.or(resideInAPackage(CLI))));
  }

  /** A transform can be written outside of Feedline: it takes what the users of images see. */
  @Test
  void shouldBuildTransformsOnPublicImagesAlone() {
    check(
        classes()
            .that()
            .resideInAPackage(TRANSFORM)
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(BELOW_TRANSFORMS)
                    .and(modifier(JavaModifier.PUBLIC))
                    .or(resideInAnyPackage(TRANSFORM, INTERNAL, "java.."))
                    .or(CORE)
                    .or(
                        resideInAnyPackage(
                            "com.google.errorprone.annotations..", "org.jspecify.annotations.."))));
    check(
        noClasses()
            .that()
            .resideInAPackage(TRANSFORM)
            .should()
            .accessTargetWhere(
                describe(
                    "is a member of images that is not public",
                    access ->
                        List.of(BELOW_TRANSFORMS).contains(access.getTargetOwner().getPackageName())
                            && access.getTarget().resolveMember().stream()
                                .anyMatch(
                                    member ->
                                        !member.getModifiers().contains(JavaModifier.PUBLIC)))));
  }

  /** So that limits on open files, errors and remote stores have one place. */
  @Test
  void shouldOpenFilesForReadingInOnePlace() {
    check(
        noClasses()
            .that()
            .resideInAPackage(FORMATS)
            .and()
            .resideOutsideOfPackages(STORE_INTERNAL, "io.feedline.formats.lmdb..", CLI)
            .and()
            // Looks at what nothing on the class path opens.
            .doNotHaveSimpleName("ModuleFormat")
            .should(OPEN_FOR_READING));
  }

  /** {@code Files} says that there is nothing where a server or a directory refuses to say. */
  @Test
  void shouldAskInOnePlaceWhetherSomethingIsThere() {
    check(
        noClasses()
            .that()
            .resideInAPackage(FORMATS)
            .and()
            // These write, or keep files of their own, on the disk.
            .resideOutsideOfPackages(
                "io.feedline.formats.store.internal.files..",
                "io.feedline.formats.store.internal.staging..",
                "io.feedline.formats.store.internal.jobs..",
                "io.feedline.formats.remote.internal..",
                CLI)
            .and()
            .doNotHaveSimpleName("UnfinishedDatabase")
            .should()
            .callMethodWhere(
                describe(
                    "is Files.exists or its like",
                    call ->
                        call.getTargetOwner().isEquivalentTo(Files.class)
                            && Set.of("exists", "notExists", "isDirectory", "isRegularFile")
                                .contains(call.getName()))));
  }

  /** A path of another file system provider is no {@link java.io.File}; LMDB refuses those. */
  @Test
  void shouldTakePathsOfAnyProvider() {
    check(
        noClasses()
            .that()
            .resideInAPackage(FORMATS)
            .and()
            .resideOutsideOfPackage("io.feedline.formats.lmdb..")
            .should()
            .callMethod(Path.class, "toFile"));
  }

  @Test
  void shouldHaveNoCircleOfPackages() {
    check(slices().matching("io.feedline.(**)").should().beFreeOfCycles());
  }

  /**
   * A promise of a public type would be one of each type that its signatures name, and of the
   * methods of a hidden base, which the Javadoc could not name. A try block knows from the type
   * whether closing can fail.
   */
  @ParameterizedTest
  @FieldSource("PUBLIC_FACE")
  void shouldKeepThePublicFace(ArchCondition<JavaClass> rule) {
    check(
        classes()
            .that(LIBRARIES)
            .and(describe("are visible to users", ArchitectureTest::isShown))
            .should(rule));
  }

  /** Libraries log; only a command line may print, and what shows progress. */
  @Test
  void shouldKeepLibrariesSilent() {
    check(
        noClasses()
            .that(LIBRARIES)
            .and()
            .resideOutsideOfPackages(CLI, PROGRESS)
            .should(ACCESS_STANDARD_STREAMS));
  }

  private static final ArchCondition<JavaClass> OPEN_FOR_READING =
      new ArchCondition<>("open files for reading") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
          for (JavaAccess<?> access : type.getAccessesFromSelf()) {
            if (access instanceof JavaCall<?> call) {
              events.add(new SimpleConditionEvent(type, opens(call), call.getDescription()));
            }
          }
        }
      };

  private static final ArchCondition<JavaClass> EXTEND_SHOWN_CLASSES =
      new ArchCondition<>("extend classes that are visible to users, too") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
          JavaClass base = type.getRawSuperclass().orElse(type);
          boolean hidden = base.getName().startsWith("io.feedline.") && !isShown(base);
          events.add(
              new SimpleConditionEvent(
                  type, !hidden, type.getName() + " extends " + base.getName()));
        }
      };

  private static final ArchCondition<JavaClass> CLOSE_AS_THEIR_TYPE_SAYS =
      new ArchCondition<>("be Closeable exactly where close() throws an IOException") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
          type.tryGetMethod("close")
              .ifPresent(
                  close -> {
                    boolean throwing = close.getThrowsClause().containsType(IOException.class);
                    boolean agrees = throwing == type.isAssignableTo(Closeable.class);
                    events.add(
                        new SimpleConditionEvent(
                            type, agrees, type.getName() + " throws IOException: " + throwing));
                  });
        }
      };

  private static final ArchCondition<JavaClass> SHOW_NO_INTERNAL_TYPE =
      new ArchCondition<>("show no internal type") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
          Stream<JavaClass> above =
              Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
                  .flatMap(parent -> parent.getAllInvolvedRawTypes().stream());
          Stream<JavaClass> bounds =
              type.getTypeParameters().stream()
                  .flatMap(parameter -> parameter.getAllInvolvedRawTypes().stream());
          Stream<JavaClass> members =
              type.getMembers().stream()
                  .filter(ArchitectureTest::isShown)
                  .flatMap(member -> member.getAllInvolvedRawTypes().stream());
          Stream.of(above, bounds, permitted(type), members)
              .flatMap(named -> named)
              .filter(ArchitectureTest::isInternal)
              .distinct()
              .forEach(
                  internal ->
                      events.add(
                          SimpleConditionEvent.violated(
                              type, type.getName() + " shows " + internal.getName())));
        }
      };

  @SuppressWarnings("unused") // by FieldSource
  private static final List<ArchCondition<JavaClass>> PUBLIC_FACE =
      List.of(SHOW_NO_INTERNAL_TYPE, EXTEND_SHOWN_CLASSES, CLOSE_AS_THEIR_TYPE_SAYS);

  /** The subclasses of a sealed type, which has nothing of other libraries above it. */
  private static Stream<JavaClass> permitted(JavaClass type) {
    boolean ofOurs =
        Stream.concat(type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream())
            .allMatch(above -> above.getName().matches("(java|io\\.feedline)\\..*"));
    if (!ofOurs) {
      return Stream.of();
    }
    Class<?>[] permitted = type.reflect().getPermittedSubclasses();
    return permitted == null ? Stream.of() : Stream.of(permitted).map(FEEDLINE::get);
  }

  private static boolean isShown(JavaClass type) {
    return isVisible(type)
        && !isInternal(type)
        && type.getEnclosingClass().map(ArchitectureTest::isShown).orElse(true);
  }

  private static boolean isShown(JavaMember member) {
    return isVisible(member) && !member.getModifiers().contains(JavaModifier.SYNTHETIC);
  }

  private static boolean isVisible(HasModifiers named) {
    return named.getModifiers().contains(JavaModifier.PUBLIC)
        || named.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static boolean isInternal(JavaClass type) {
    return type.getName().startsWith("io.feedline.") && type.getPackageName().contains(".internal");
  }

  private static boolean opens(JavaCall<?> call) {
    JavaClass owner = call.getTargetOwner();
    String name = call.getTarget().getName();
    if (owner.isEquivalentTo(FileChannel.class) && name.equals("open")) {
      // A call that may write is a writer's: the options are those that its method names.
      return call.getOrigin().getFieldAccesses().stream()
          .filter(option -> option.getTargetOwner().isEquivalentTo(StandardOpenOption.class))
          .allMatch(option -> option.getTarget().getName().equals("READ"));
    }
    if (owner.isEquivalentTo(Files.class)) {
      return METHODS_THAT_READ.contains(name);
    }
    return name.equals("<init>")
        && (owner.isEquivalentTo(FileInputStream.class)
            || owner.isEquivalentTo(RandomAccessFile.class));
  }

  private static DescribedPredicate<JavaClass> in(String... packages) {
    return resideInAnyPackage(packages);
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(FEEDLINE);
  }
}
