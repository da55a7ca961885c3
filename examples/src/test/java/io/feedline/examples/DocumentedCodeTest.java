package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The documented code exists: Java code of a README or another page occurs in an example that is
 * compiled and run, but for line breaks and indentation, and links lead to files and headings. The
 * same goes for the code in the Javadoc of the types that users meet first: {@code @snippet}, which
 * would do that too, needs the javadoc tool of JDK 18, and the libraries are built with 17.
 */
@Tag("once")
class DocumentedCodeTest {

  private static final Path ROOT = Path.of("..");

  private static final Pattern BLOCK =
      Pattern.compile("^```java\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  /** A table of translations: its header, and its rows. */
  private static final Pattern TRANSLATIONS =
      Pattern.compile(
          "^\\|[^|\n]*\\| Feedline \\|.*\n\\|[-|]+\\|\n((?:\\|.*\n)+)", Pattern.MULTILINE);

  private static final Pattern PYTHON =
      Pattern.compile("`(?:v2\\.|tv_tensors\\.|torch\\.)?([A-Z]\\w+|\\w+(?==))");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]\n]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
  private static final Pattern FENCED =
      Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);

  /** The types that users meet first, below the root, with the module that has them. */
  private static final List<String> MET_FIRST =
      List.of(
          "loader-core/src/main/java/io/feedline/BatchIterator.java",
          "loader-core/src/main/java/io/feedline/DataLoader.java",
          "loader-core/src/main/java/io/feedline/DataLoaderBuilder.java",
          "loader-core/src/main/java/io/feedline/ErrorPolicy.java",
          "loader-core/src/main/java/io/feedline/LoaderState.java",
          "loader-core/src/main/java/io/feedline/batch/Batch.java",
          "loader-core/src/main/java/io/feedline/batch/Collator.java",
          "loader-core/src/main/java/io/feedline/batch/PaddingCollator.java",
          "loader-core/src/main/java/io/feedline/batch/Tensor.java",
          "loader-core/src/main/java/io/feedline/data/Dataset.java",
          "loader-core/src/main/java/io/feedline/data/IterableDataset.java",
          "loader-core/src/main/java/io/feedline/sampler/WeightedRandomSampler.java",
          "loader-core/src/main/java/io/feedline/transform/RandomTransform.java",
          "loader-formats/images/src/main/java/io/feedline/formats/folder/ImageFolder.java",
          "loader-formats/images/src/main/java/io/feedline/formats/image/BoundingBoxes.java",
          "loader-formats/images/src/main/java/io/feedline/formats/image/JointTransform.java",
          "loader-formats/images/src/main/java/io/feedline/formats/image/Mask.java",
          "loader-formats/images/src/main/java/io/feedline/formats/image/dataset/ImageDataset.java",
          "loader-gpu/src/main/java/io/feedline/gpu/DeviceLoader.java",
          "loader-gpu/src/main/java/io/feedline/gpu/DjlDataset.java");

  /** The Javadoc of a file's type, and a block of code in it. */
  private static final Pattern TYPE_COMMENT =
      Pattern.compile("/\\*\\*(.*?)\\*/(?=\\s*(?:@\\w+\\s+)*public )", Pattern.DOTALL);

  private static final Pattern JAVADOC_BLOCK =
      Pattern.compile("<pre>\\{@code(.*?)^ \\* \\}</pre>", Pattern.DOTALL | Pattern.MULTILINE);

  private final List<String> sources = sources();

  DocumentedCodeTest() throws IOException {}

  private static List<String> sources() throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path root :
        List.of(
            Path.of("src", "main", "java"),
            Path.of("src", "test", "java", "com"),
            Path.of("starter", "src"),
            Path.of("spark", "src"),
            Path.of("frameworks", "src"))) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          texts.add(withoutSpaces(Files.readString(file)));
        }
      }
    }
    return texts;
  }

  private static String withoutSpaces(String code) {
    return code.replaceAll("\\s", "");
  }

  /** All pages of the project, results of measurements included, without what builds make. */
  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.endsWith("target") || folder.endsWith(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    pages.sort(Comparator.naturalOrder());
    return pages;
  }

  @TestFactory
  Stream<DynamicTest> shouldShowCodeThatIsCompiledAndRun() throws IOException {
    return pages().stream()
        .map(page -> DynamicTest.dynamicTest(ROOT.relativize(page).toString(), () -> check(page)));
  }

  private void check(Path page) throws IOException {
    String text = Files.readString(page);
    for (MatchResult block : BLOCK.matcher(text).results().toList()) {
      shouldBeInAnExample(block.group(1));
    }
    for (String row : translations(text)) {
      List<String> code =
          CODE.matcher(row.split("\\|", -1)[2]).results().map(span -> span.group(1)).toList();
      assertThat(code).as("Java of the row " + row).isNotEmpty();
      code.forEach(this::shouldBeInAnExample);
    }
  }

  private static List<String> translations(String text) {
    return TRANSLATIONS.matcher(text).results().flatMap(table -> table.group(1).lines()).toList();
  }

  @Test
  void shouldTranslateFromPyTorch() throws IOException {
    assertThat(translations(Files.readString(Path.of("FROM-PYTORCH.md"))))
        .hasSizeGreaterThan(60)
        .allMatch(row -> row.matches("\\|([^|]+\\|){2}[^|]*\\|"));
  }

  /** The name with which the first code of a row begins, without its package. */
  @Test
  void shouldFindEachNameOfPyTorchInTheIndex() throws IOException {
    String page = Files.readString(Path.of("FROM-PYTORCH.md"));
    List<String> missing = new ArrayList<>();
    for (String row : translations(page)) {
      PYTHON
          .matcher(row.split("\\|", -1)[1])
          .results()
          .map(name -> name.group(1))
          .filter(name -> !page.contains("[`" + name + "`](#"))
          .forEach(missing::add);
    }
    assertThat(missing).isEmpty();
  }

  private void shouldBeInAnExample(String code) {
    String wanted = withoutSpaces(code);
    assertThat(sources.stream().anyMatch(source -> source.contains(wanted)))
        .as("in examples: " + code)
        .isTrue();
  }

  @TestFactory
  Stream<DynamicTest> shouldShowSuchCodeInTheJavadocOfTypesThatUsersMeetFirst() {
    return MET_FIRST.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file, () -> checkJavadoc(Files.readString(ROOT.resolve(file)))));
  }

  private void checkJavadoc(String source) {
    Matcher comment = TYPE_COMMENT.matcher(source);
    assertThat(comment.find()).isTrue();
    List<String> blocks =
        JAVADOC_BLOCK
            .matcher(comment.group(1))
            .results()
            .map(block -> block.group(1).replaceAll("(?m)^ \\*", ""))
            .toList();
    assertThat(blocks).isNotEmpty();
    blocks.forEach(this::shouldBeInAnExample);
  }

  @TestFactory
  Stream<DynamicTest> shouldLinkToWhatIsThere() throws IOException {
    return pages().stream()
        .map(
            page ->
                DynamicTest.dynamicTest(
                    ROOT.relativize(page).toString(),
                    () -> assertThat(brokenLinks(page)).isEmpty()));
  }

  private static List<String> brokenLinks(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    String text = FENCED.matcher(Files.readString(page)).replaceAll("");
    for (MatchResult link : LINK.matcher(text).results().toList()) {
      String target = link.group(1);
      if (target.contains("://")) {
        continue;
      }
      String[] parts = target.split("#", 2);
      Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
      if (!Files.exists(file) || (parts.length > 1 && !anchors(file).contains(parts[1]))) {
        broken.add(target);
      }
    }
    return broken;
  }

  /** The anchors of a page's headings, as GitHub makes them. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new TreeSet<>();
    String text = FENCED.matcher(Files.readString(page)).replaceAll("");
    for (MatchResult heading : HEADING.matcher(text).results().toList()) {
      anchors.add(
          heading
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-'));
    }
    return anchors;
  }
}
