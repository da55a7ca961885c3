package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Maven Central's requirements on each pom, and that only the libraries get there. See the profile
 * {@code release} of the poms.
 */
class PublishedPomsTest {

  private static final Path ROOT = Path.of("..");

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
    Pom bom = Pom.read(ROOT.resolve("loader-core/bom/pom.xml"));

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
