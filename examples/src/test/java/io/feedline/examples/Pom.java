package io.feedline.examples;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * The content of a pom, without asking Maven.
 *
 * @param project its root element
 * @param file where it is; the working directory for a piece of one
 */
record Pom(Element project, Path file) {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");

  static Pom read(Path file) throws IOException {
    return new Pom(parse(Files.readString(file)), file);
  }

  /** A piece of a pom. */
  static Pom of(String elements) throws IOException {
    return new Pom(parse("<project>" + elements + "</project>"), Path.of(""));
  }

  /** The directories of a pom's modules, each before its own modules. */
  static List<Path> modules(Path directory) throws IOException {
    List<Path> modules = new ArrayList<>();
    for (Element element : read(directory.resolve("pom.xml")).all("modules/module")) {
      Path module = directory.resolve(element.getTextContent().strip());
      modules.add(module);
      modules.addAll(modules(module));
    }
    return modules;
  }

  /** The Java files of a module's main code; none where it has no code. */
  static List<Path> sources(Path module) throws IOException {
    Path root = module.resolve(Path.of("src", "main", "java"));
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(path -> path.toString().endsWith(".java")).toList();
    }
  }

  private static Element parse(String xml) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(xml)))
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(e);
    }
  }

  /** The elements at a path such as {@code build/plugins/plugin}. */
  List<Element> all(String path) {
    return all(project, path);
  }

  /** The text at a path, as it is written. */
  Optional<String> text(String path) {
    return text(project, path);
  }

  /** The text at a path of this pom, or else of the nearest one above that has it. */
  Optional<String> inherited(String path) throws IOException {
    Optional<String> own = text(path);
    Optional<Pom> parent = own.isPresent() ? Optional.empty() : parent();
    return parent.isPresent() ? parent.get().inherited(path) : own;
  }

  /** The pom above; empty for the topmost one. */
  Optional<Pom> parent() throws IOException {
    if (all("parent").isEmpty()) {
      return Optional.empty();
    }
    Path above = Path.of(text("parent/relativePath").orElse("../pom.xml"));
    return Optional.of(read(file.resolveSibling(above).normalize()));
  }

  /** The text at a path below an element, as it is written. */
  static Optional<String> text(Element element, String path) {
    return all(element, path).stream().map(found -> found.getTextContent().strip()).findFirst();
  }

  /** The text with this pom's properties in place of their names. */
  String interpolate(String text) {
    Matcher names = PLACEHOLDER.matcher(text);
    return names.find()
        ? interpolate(names.replaceFirst(Matcher.quoteReplacement(property(names.group(1)))))
        : text;
  }

  private String property(String name) {
    String path = name.startsWith("project.") ? name.substring(8) : "properties/" + name;
    return text(path).orElseThrow(() -> new AssertionError(file + " does not know " + name));
  }

  private static List<Element> all(Element element, String path) {
    List<Element> found = List.of(element);
    for (String name : path.split("/", -1)) {
      List<Element> children = new ArrayList<>();
      for (Element parent : found) {
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
          if (child instanceof Element next && next.getTagName().equals(name)) {
            children.add(next);
          }
        }
      }
      found = children;
    }
    return found;
  }
}
