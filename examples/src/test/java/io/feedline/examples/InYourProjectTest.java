package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Model;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/**
 * Users read the same everywhere of what to add to their projects: in the BOM, on its page, in the
 * starter, and in the errors that name a missing artifact. Maven Central finds what it requires.
 */
class InYourProjectTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern ROW =
      Pattern.compile("^\\| (`[^|]+`) \\| ([0-9][^ |]*) \\|", Pattern.MULTILINE);
  private static final Pattern ARTIFACT = Pattern.compile("`([\\w.-]+:[\\w.-]+)`");
  private static final Pattern MODULE_ROW =
      Pattern.compile("^\\| `(loader-\\w+)` \\|", Pattern.MULTILINE);
  private static final Pattern NAMED =
      Pattern.compile("\"(?:[^\"\\n]*\\s)?(?:io\\.feedline:)?(loader-[a-z0-9]+)");
  private static final Pattern OTHERS =
      Pattern.compile("\"[^\"\\n]*\\b[a-z]+(?:\\.[a-z0-9]+)+:[a-z0-9-]+:\\d");
  private static final Pattern XML = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);

  private final Pom bom = Pom.read(ROOT.resolve("loader-core/bom/pom.xml"));
  private final Pom parent = Pom.read(ROOT.resolve("pom.xml"));
  private final Pom starter = Pom.read(Path.of("starter", "pom.xml"));
  private final String page = page();

  InYourProjectTest() throws IOException {}

  private static String page() throws IOException {
    String page = Files.readString(ROOT.resolve("loader-core/bom/README.md"));
    assertThat(page).startsWith("# In your project\n");
    return page;
  }

  /** The version of each artifact in the BOM. */
  private Map<String, String> managed() {
    Map<String, String> versions = new TreeMap<>();
    for (Element entry : bom.all("dependencyManagement/dependencies/dependency")) {
      String artifact = artifact(entry);
      String version = bom.interpolate(Pom.text(entry, "version").orElseThrow());
      assertThat(versions.putIfAbsent(artifact, version))
          .as("another version of " + artifact)
          .isIn(null, version);
    }
    return versions;
  }

  private static String artifact(Element dependency) {
    return Pom.text(dependency, "groupId").orElse("org.apache.maven.plugins")
        + ":"
        + Pom.text(dependency, "artifactId").orElseThrow();
  }

  @Test
  void shouldListOnThePageWhatTheBomManages() {
    Map<String, String> listed = new TreeMap<>();
    for (MatchResult row : ROW.matcher(page).results().toList()) {
      Matcher artifacts = ARTIFACT.matcher(row.group(1));
      while (artifacts.find()) {
        listed.put(artifacts.group(1), row.group(2));
      }
    }

    assertThat(listed).isEqualTo(managed());
  }

  @Test
  void shouldShowOnThePageWhatTheStarterDependsOn() throws IOException {
    Matcher xml = XML.matcher(page);
    assertThat(xml.find()).isTrue();
    Pom shown = Pom.of(xml.group(1));

    for (String path :
        List.of("dependencyManagement/dependencies/dependency", "dependencies/dependency")) {
      assertThat(shown.all(path).stream().map(this::described)).isNotEmpty();
      assertThat(shown.all(path).stream().map(this::described))
          .containsExactlyElementsOf(starter.all(path).stream().map(this::described).toList());
    }
  }

  /** Everything that a dependency says, with the natives of the page's platform. */
  private String described(Element dependency) {
    List<String> parts = new ArrayList<>(List.of(artifact(dependency)));
    for (String part : List.of("version", "type", "classifier", "scope")) {
      Optional<String> text = Pom.text(dependency, part);
      text.ifPresent(
          found ->
              parts.add(
                  part + " " + (found.equals("${pytorch.platform}") ? "linux-x86_64" : found)));
    }
    return String.join(", ", parts);
  }

  @Test
  void shouldGiveAStarterOnlyOneVersionToChoose() {
    List<Element> imported = starter.all("dependencyManagement/dependencies/dependency");
    assertThat(imported).hasSize(1);
    assertThat(artifact(imported.get(0))).isEqualTo("io.feedline:feedline-bom");
    assertThat(Pom.text(imported.get(0), "version")).isEqualTo(bom.text("version"));

    Map<String, String> managed = managed();
    assertThat(starter.all("dependencies/dependency"))
        .filteredOn(dependency -> artifact(dependency).startsWith("io.feedline:"))
        .hasSize(3);
    assertThat(starter.all("dependencies/dependency"))
        .allSatisfy(
            dependency -> {
              assertThat(managed).containsKey(artifact(dependency));
              assertThat(Pom.text(dependency, "version")).isEmpty();
            });
  }

  @Test
  void shouldManageTheNativesOfEachPlatformOfTheStarter() {
    List<String> platforms =
        starter.all("profiles/profile/properties/pytorch.platform").stream()
            .map(Element::getTextContent)
            .toList();

    assertThat(platforms).hasSize(4);
    assertThat(
            bom.all("dependencyManagement/dependencies/dependency").stream()
                .filter(entry -> artifact(entry).equals("ai.djl.pytorch:pytorch-native-cpu"))
                .map(entry -> Pom.text(entry, "classifier").orElse("none")))
        .containsExactlyInAnyOrderElementsOf(platforms);
  }

  /** So that this build has resolved what the starter's needs. */
  @Test
  void shouldBuildTheStarterWithThePluginsOfThisBuild() {
    Map<String, String> plugins = new TreeMap<>();
    for (Element plugin : starter.all("build/plugins/plugin")) {
      plugins.put(artifact(plugin), Pom.text(plugin, "version").orElseThrow());
    }

    assertThat(plugins)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "org.apache.maven.plugins:maven-resources-plugin",
                parent.interpolate("${resources-plugin.version}"),
                "org.apache.maven.plugins:maven-compiler-plugin",
                parent.interpolate("${compiler-plugin.version}"),
                "org.codehaus.mojo:exec-maven-plugin",
                parent.interpolate("${exec-plugin.version}")));
  }

  @Test
  void shouldSayOnThePageWhatEachModuleOfFormatsReads() throws IOException {
    List<String> modules = new ArrayList<>();
    for (Path module : Pom.modules(ROOT.resolve("loader-formats"))) {
      modules.add(Pom.read(module.resolve("pom.xml")).text("artifactId").orElseThrow());
    }
    modules.remove("feedline");

    assertThat(MODULE_ROW.matcher(page).results().map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(modules);
  }

  /** A user adds artifacts of ours, and no other. */
  @Test
  void shouldNameMissingArtifactsInErrorsAsTheBomDoes() throws IOException {
    Set<String> named = new TreeSet<>();
    for (Path module : Pom.modules(ROOT.resolve("loader-formats"))) {
      for (Path file : Pom.sources(module)) {
        String code = Files.readString(file);
        NAMED.matcher(code).results().forEach(found -> named.add("io.feedline:" + found.group(1)));
        assertThat(OTHERS.matcher(code).results().map(MatchResult::group)).as("%s", file).isEmpty();
      }
    }

    assertThat(managed()).containsKeys(named.toArray(String[]::new));
    assertThat(named).contains("io.feedline:loader-opencv", "io.feedline:loader-tables");
  }

  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("^public [\\w -]*?(?:class|interface|record|enum) (\\w+)", Pattern.MULTILINE);
  private static final Pattern LISTED_NAMES =
      Pattern.compile("DJL has these names too:(.*?)\\.\\s", Pattern.DOTALL);
  private static final Pattern LISTED_NAME = Pattern.compile("`(\\w+)`");

  @Test
  void shouldListTheNamesThatDjlHasToo() throws Exception {
    SortedSet<String> both = feedlineNames();
    both.retainAll(djlNames());

    Matcher listed = LISTED_NAMES.matcher(page);
    assertThat(listed.find()).isTrue();
    assertThat(LISTED_NAME.matcher(listed.group(1)).results().map(name -> name.group(1)))
        .containsExactlyElementsOf(both);
  }

  private static SortedSet<String> feedlineNames() throws IOException {
    SortedSet<String> names = new TreeSet<>();
    for (Path module : Pom.modules(Path.of(".."))) {
      for (Path file : Pom.sources(module)) {
        // The types that the rooms of the command share are internal: an example never names them.
        if (!file.toString().matches(".*[/\\\\](internal|cli)[/\\\\].*")) {
          PUBLIC_TYPE
              .matcher(Files.readString(file))
              .results()
              .forEach(type -> names.add(type.group(1)));
        }
      }
    }
    return names;
  }

  /** The public types of DJL's API, which are all that a program can import. */
  private static SortedSet<String> djlNames() throws Exception {
    SortedSet<String> names = new TreeSet<>();
    Path jar = Path.of(Model.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (JarFile api = new JarFile(jar.toFile())) {
      for (String entry : api.stream().map(Object::toString).toList()) {
        if (entry.matches("ai/djl/[\\w/]+\\.class")) {
          String type = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
          if (Modifier.isPublic(
              Class.forName(type, false, Model.class.getClassLoader()).getModifiers())) {
            names.add(type.substring(type.lastIndexOf('.') + 1));
          }
        }
      }
    }
    return names;
  }

  // ---- Maven Central's requirements on each pom, and that only the libraries get there
  // ------------

  /** The root's modules, with theirs, and the poms above them. */
  static List<String> published() throws IOException {
    Stream<String> modules =
        Pom.modules(ROOT).stream().map(module -> ROOT.relativize(module) + "/pom.xml");
    return Stream.concat(Stream.of("pom.xml"), modules).toList();
  }

  @Test
  void shouldPublishTheLibrariesAndThePomsAboveThem() throws IOException {
    assertThat(published())
        .containsExactly(
            "pom.xml",
            "loader-core/bom/pom.xml",
            "loader-core/pom.xml",
            "loader-formats/pom.xml",
            "loader-formats/store/pom.xml",
            "loader-formats/images/pom.xml",
            "loader-formats/opencv/pom.xml",
            "loader-formats/records/pom.xml",
            "loader-formats/lmdb/pom.xml",
            "loader-formats/hdf5/pom.xml",
            "loader-formats/tables/pom.xml",
            "loader-formats/annotations/pom.xml",
            "loader-formats/text/pom.xml",
            "loader-formats/media/pom.xml",
            "loader-formats/remote/pom.xml",
            "loader-formats/all/pom.xml",
            "loader-formats/command/pom.xml",
            "loader-gpu/pom.xml");
  }

  @ParameterizedTest
  @MethodSource("published")
  void shouldSayWhatMavenCentralRequires(String path) throws IOException {
    Pom pom = Pom.read(ROOT.resolve(path));

    assertThat(pom.text("name").orElse("")).startsWith("Feedline");
    assertThat(pom.text("description").orElse("")).endsWith(".");
    assertThat(pom.inherited("licenses/license/name")).contains("Apache-2.0");
    for (String required :
        List.of(
            "url",
            "licenses/license/url",
            "developers/developer/name",
            "developers/developer/url",
            "scm/connection",
            "scm/developerConnection",
            "scm/url")) {
      assertThat(pom.inherited(required)).as(required).isPresent();
    }
  }

  /** Maven appends the names of modules to these, which gives no pages that exist. */
  @Test
  void shouldHandDownItsAddressesAsTheyAre() throws IOException {

    assertThat(bom.project().getAttribute("child.project.url.inherit.append.path"))
        .isEqualTo("false");
    for (String address : List.of("connection", "developerConnection", "url")) {
      assertThat(
              bom.all("scm").get(0).getAttribute("child.scm." + address + ".inherit.append.path"))
          .as(address)
          .isEqualTo("false");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"examples", "loader-bench"})
  void shouldKeepProgramsToItself(String module) throws IOException {
    Pom pom = Pom.read(ROOT.resolve(module).resolve("pom.xml"));

    assertThat(pom.text("properties/skipPublishing")).contains("true");
    assertThat(pom.text("properties/maven.deploy.skip")).contains("true");
    assertThat(pom.text("properties/gpg.skip")).contains("true");
    assertThat(pom.text("properties/feedline.archives.phase")).contains("none");
  }
}
