import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles files one by one, each into a folder of its own, in one JVM that gets warm. */
final class Compile {

  private Compile() {}

  /** Compiles the file of each line, {@code source tab folder}; errors go to {@code folder.txt}. */
  public static void main(String[] arguments) throws IOException {
    List<String> options =
        List.of(
            "-g",
            "-parameters",
            "-nowarn",
            "-Xlint:none",
            "-proc:none",
            "--add-modules",
            "jdk.incubator.vector");
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        javac.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      files.handleOption("--class-path", List.of(arguments[1]).iterator());
      for (String line : Files.readAllLines(Path.of(arguments[0]))) {
        String[] pair = line.split("\t");
        Path folder = Files.createDirectories(Path.of(pair[1]));
        files.handleOption("-d", List.of(folder.toString()).iterator());
        StringWriter messages = new StringWriter();
        boolean compiled =
            javac
                .getTask(messages, files, null, options, null, files.getJavaFileObjects(pair[0]))
                .call();
        if (!compiled) {
          Files.writeString(Path.of(folder + ".txt"), messages.toString());
        }
      }
    }
  }
}
