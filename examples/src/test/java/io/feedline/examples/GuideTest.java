package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.cli.Feedline;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages of the guide: of a length that is read, each with the mistakes that people make, and
 * with the errors that then come. {@link GuideErrors} makes each mistake.
 */
class GuideTest {

  private static final Path GUIDE = Path.of("guide");

  /** Pages to look things up in. */
  private static final Set<String> REFERENCES =
      Set.of("README.md", "options.md", "working-on-feedline.md");

  private static final String WARNINGS = "\n## What can go wrong\n";
  private static final Pattern ERROR =
      Pattern.compile("^```text\n(.*?)\n```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern COMMAND =
      Pattern.compile("^    feedline (\\S+)(.*)$", Pattern.MULTILINE);
  private static final Pattern OPTION = Pattern.compile("(?<= )--[a-z-]+");
  private static final String ELLIPSIS = "...";

  private final Map<String, String> pages = pages();

  GuideTest() throws IOException {}

  private static Map<String, String> pages() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.list(GUIDE)) {
      for (Path page : files.toList()) {
        texts.put(page.getFileName().toString(), Files.readString(page));
      }
    }
    return texts;
  }

  @Test
  void shouldHavePagesThatAreReadAtOneSitting() {
    for (Map.Entry<String, String> page : pages.entrySet()) {
      if (!REFERENCES.contains(page.getKey())) {
        assertThat(page.getValue().split("\\s+", -1)).as(page.getKey()).hasSizeBetween(400, 1200);
        assertThat(page.getValue()).as(page.getKey()).contains(WARNINGS);
      }
    }
  }

  @Test
  void shouldListEachPage() {
    String contents = pages.get("README.md");
    for (String page : pages.keySet()) {
      assertThat(page.equals("README.md") || contents.contains("(" + page + ")")).as(page).isTrue();
    }
  }

  /** A page may leave out parts of a message, which it marks by three points. */
  @Test
  void shouldQuoteTheErrorsThatCome(@TempDir Path temp) throws Exception {
    Map<String, String> messages = new GuideErrors(temp).messages();
    Set<String> unseen = new TreeSet<>(messages.keySet());

    for (Map.Entry<String, String> page : pages.entrySet()) {
      for (MatchResult error : ERROR.matcher(page.getValue()).results().toList()) {
        List<String> found =
            messages.entrySet().stream()
                .filter(message -> quotes(error.group(1), message.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(found)
            .as("in %s: %s%nof %s", page.getKey(), error.group(1), messages)
            .isNotEmpty();
        unseen.removeAll(found);
      }
    }
    assertThat(unseen).as("errors on no page").isEmpty();
  }

  private static boolean quotes(String shown, String message) {
    String parts =
        Pattern.compile(Pattern.quote(ELLIPSIS))
            .splitAsStream(shown)
            .map(part -> Pattern.quote(part.strip()))
            .collect(Collectors.joining(".*"));
    boolean open = shown.endsWith(ELLIPSIS);
    return Pattern.compile(parts + (open ? ".*" : ""), Pattern.DOTALL).matcher(message).matches();
  }

  /** The help of a command names each option that a page gives it. */
  @Test
  void shouldShowCommandsWithOptionsThatTheyHave() {
    List<String> commands = new ArrayList<>();
    for (Map.Entry<String, String> page : pages.entrySet()) {
      for (MatchResult shown : COMMAND.matcher(page.getValue()).results().toList()) {
        String help = help(shown.group(1));
        for (MatchResult option : OPTION.matcher(shown.group(2)).results().toList()) {
          assertThat(help).as(page.getKey() + ":" + shown.group()).contains(option.group());
          commands.add(option.group());
        }
      }
    }
    assertThat(commands).hasSizeGreaterThan(10);
  }

  private static String help(String command) {
    StringWriter out = new StringWriter();
    PrintWriter errors = new PrintWriter(new StringWriter());
    assertThat(Feedline.run(new PrintWriter(out), errors, command, "--help")).as(command).isZero();
    return out.toString();
  }
}
