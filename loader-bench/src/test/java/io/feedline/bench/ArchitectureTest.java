package io.feedline.bench;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keeps the arrows between modules and packages pointing one way.
 *
 * <pre>
 * formats -> core <- gpu        bench, examples -> all three
 * </pre>
 *
 * <p>Packages are matched by name, so a new package is covered from its first class. A rule about a
 * package that is still empty holds.
 */
class ArchitectureTest {
  private static final String FORMATS = "io.feedline.formats..";
  private static final String GPU = "io.feedline.gpu..";
  private static final String[] CUDA = {
    "io.feedline.gpu.internal..", "io.feedline.gpu.cuda..", "io.feedline.gpu.nvml.."
  };
  private static final String BENCH = "io.feedline.bench..";
  private static final String EXAMPLES = "io.feedline.examples..";
  private static final String CLI = "io.feedline.formats.cli..";

  private static final JavaClasses FEEDLINE =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("io.feedline");

  /** Whatever is in no other module. */
  private static final DescribedPredicate<JavaClass> CORE =
      resideInAPackage("io.feedline..")
          .and(resideOutsideOfPackages(FORMATS, GPU, BENCH, EXAMPLES))
          .as("classes of loader-core");

  private static final DescribedPredicate<JavaClass> LIBRARIES =
      CORE.or(resideInAnyPackage(FORMATS, GPU)).as("classes of the libraries");

  /** Without this, a module that fell off the class path would obey every rule below. */
  @Test
  void shouldKeepEveryModuleInSight() {
    assertThat(FEEDLINE.stream().filter(CORE)).isNotEmpty();
    for (String module : new String[] {FORMATS, GPU, BENCH, EXAMPLES}) {
      assertThat(FEEDLINE.stream().filter(resideInAPackage(module))).as(module).isNotEmpty();
    }
  }

  @Test
  void shouldKeepFormatsAndGpuApart() {
    check(noClasses().that().resideInAPackage(FORMATS).should().dependOnClassesThat(in(GPU)));
    check(noClasses().that().resideInAPackage(GPU).should().dependOnClassesThat(in(FORMATS)));
  }

  @Test
  void shouldKeepCoreFreeOfEverythingButTheJdkAndSlf4j() {
    check(
        classes()
            .that(CORE)
            .should()
            .onlyDependOnClassesThat(
                CORE.or(
                    resideInAnyPackage(
                        "java..",
                        "org.slf4j..",
                        "org.jspecify.annotations..",
                        "com.google.errorprone.annotations.."))));
  }

  @Test
  void shouldKeepBenchAndExamplesUnknownToTheLibraries() {
    check(noClasses().that(LIBRARIES).should().dependOnClassesThat(in(BENCH, EXAMPLES)));
  }

  @Test
  void shouldKeepBenchAndExamplesApart() {
    check(noClasses().that().resideInAPackage(BENCH).should().dependOnClassesThat(in(EXAMPLES)));
    check(noClasses().that().resideInAPackage(EXAMPLES).should().dependOnClassesThat(in(BENCH)));
  }

  /**
   * And in the four classes of one benchmark: what a loader costs a training step cannot be
   * measured without training.
   */
  @Test
  void shouldKeepDjlInGpuExamplesAndTheTrainingThatIsMeasured() {
    DescribedPredicate<JavaClass> training =
        resideInAPackage(BENCH)
            .and(nameMatching(".*\\.(TrainStep|StepTurns|Training|ResidualNetwork)(\\$.*)?"));
    check(
        noClasses()
            .that(not(training))
            .and()
            .resideOutsideOfPackages(GPU, EXAMPLES)
            .should()
            .dependOnClassesThat(in("ai.djl..")));
  }

  @Test
  void shouldKeepDjlOutOfTheCudaBinding() {
    check(noClasses().that().resideInAnyPackage(CUDA).should().dependOnClassesThat(in("ai.djl..")));
  }

  @ParameterizedTest
  @CsvSource({
    "org.bytedeco.., io.feedline.formats.image..",
    "org.lmdbjava.., io.feedline.formats.lmdb..",
    "net.jpountz.., io.feedline.formats.lmdb..",
    "com.github.luben.zstd.., io.feedline.formats.mds..",
  })
  void shouldKeepALibraryInTheOnePackageThatWrapsIt(String library, String home) {
    check(onlyKnownTo(library, home));
  }

  /** The CUDA binding has it, and the one class that asks PyTorch's own library for addresses. */
  @Test
  void shouldKeepJnaInTheBindings() {
    check(
        noClasses()
            .that(not(nameMatching("io\\.feedline\\.gpu\\.TorchAbi(\\$.*)?")))
            .and()
            .resideOutsideOfPackages(CUDA)
            .should()
            .dependOnClassesThat(in("com.sun.jna..")));
  }

  /** Feedline writes no HDF5, so the example makes its file with the library itself. */
  @Test
  void shouldKeepJhdfInItsPackageAndItsExample() {
    check(onlyKnownTo("io.jhdf..", "io.feedline.formats.hdf5..", EXAMPLES));
  }

  /** Such classes are loaded where the module is present, by VectorApi, and linked by nobody. */
  @Test
  void shouldKeepTheVectorApiInClassesThatAreLoadedByName() {
    DescribedPredicate<JavaClass> vectorKernels =
        resideInAPackage(FORMATS)
            .and(nameMatching(".*\\.Vector[^.]*"))
            .and(not(nameMatching(".*\\.VectorApi(\\$.*)?")));
    check(
        noClasses()
            .that(not(vectorKernels))
            .should()
            .dependOnClassesThat(in("jdk.incubator.vector..").or(vectorKernels)));
  }

  /** All formats see stores, images and what they share; the command line finds them by name. */
  @Test
  void shouldKeepEachFormatIndependentOfItsSiblings() {
    check(
        slices()
            .matching("io.feedline.formats.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                alwaysTrue(),
                resideInAnyPackage(
                    "io.feedline.formats.image..",
                    "io.feedline.formats.jpeg..",
                    "io.feedline.formats.store..",
                    "io.feedline.formats.internal..")));
  }

  @Test
  void shouldKeepStoresBelowImagesAndFormats() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.feedline.formats.store..")
            .should()
            .dependOnClassesThat(
                resideInAPackage(FORMATS)
                    .and(resideOutsideOfPackages("io.feedline.formats.store.."))));
  }

  /** So that a user can write every transform that Feedline has. */
  @Test
  void shouldKeepImagesUnknownToTheirTransforms() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.feedline.formats.image")
            .should()
            .dependOnClassesThat(in("io.feedline.formats.image.transform..")));
  }

  @Test
  void shouldKeepTheJpegDecoderBelowImages() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.feedline.formats.jpeg..")
            .should()
            .dependOnClassesThat(in("io.feedline.formats.image..")));
  }

  @Test
  void shouldHaveNoCircleOfPackages() {
    check(slices().matching("io.feedline.(**)").should().beFreeOfCycles());
  }

  /**
   * What is internal to a module is for Feedline's own modules: examples show what users can do.
   */
  @Test
  void shouldKeepExamplesToWhatIsPublished() {
    check(
        noClasses()
            .that()
            .resideInAPackage(EXAMPLES)
            .should()
            .dependOnClassesThat(in("io.feedline..internal..")));
  }

  @Test
  void shouldKeepSamplersBelowTheEngine() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.feedline.sampler..")
            .should()
            .dependOnClassesThat(in("io.feedline")));
  }

  /** Libraries log; only a command line may print. */
  @Test
  void shouldKeepLibrariesSilent() {
    check(
        noClasses()
            .that(LIBRARIES)
            .and()
            .resideOutsideOfPackage(CLI)
            .should(ACCESS_STANDARD_STREAMS));
  }

  private static ArchRule onlyKnownTo(String library, String... homes) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(homes)
        .should()
        .dependOnClassesThat(in(library));
  }

  private static DescribedPredicate<JavaClass> in(String... packages) {
    return resideInAnyPackage(packages);
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(FEEDLINE);
  }
}
