package io.feedline.formats.cli;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A small file beside an unfinished output, {@code NAME.converting}, that says what is converted
 * and how: so that a run goes on only with what it had begun, and images of two inputs never end
 * up in one output. It goes away with the last image.
 */
final class ConversionTicket {

  private final Path file;

  private ConversionTicket(Path file) {
    this.file = file;
  }

  /**
   * Takes the ticket of an output: a new one, or that of the run which is to be continued.
   *
   * @param identity what must be the same for a run to be continued
   * @param restart throws away what an earlier run of another identity has begun
   * @throws FileAlreadyExistsException if the output is there already
   * @throws IOException if an unfinished run of another identity is in the way
   */
  static ConversionTicket take(Path target, Map<String, String> identity, boolean restart)
      throws IOException {
    Path whole = target.toAbsolutePath().normalize();
    if (Files.exists(whole)) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "there is something already where the output is to be");
    }
    Files.createDirectories(whole.getParent());
    ConversionTicket ticket =
        new ConversionTicket(whole.resolveSibling(whole.getFileName() + ".converting"));
    if (Files.exists(ticket.file)) {
      List<String> differences = ticket.differences(identity);
      if (differences.isEmpty()) {
        return ticket;
      }
      if (!restart) {
        throw new IOException(
            "%s is an unfinished conversion of something else (%s): give its command again, or"
                    .formatted(target, String.join("; ", differences))
                + " --restart to throw away what it has written");
      }
    }
    deletePartials(whole);
    ticket.write(identity);
    return ticket;
  }

  private List<String> differences(Map<String, String> identity) throws IOException {
    Properties begun = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      begun.load(reader);
    }
    List<String> differences = new ArrayList<>();
    identity.forEach(
        (name, value) -> {
          String other = begun.getProperty(name, "unknown");
          if (!other.equals(value)) {
            differences.add("%s was %s, is %s".formatted(name, other, value));
          }
        });
    return differences;
  }

  private void write(Map<String, String> identity) throws IOException {
    Properties properties = new Properties();
    properties.putAll(identity);
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, "feedline convert has not finished this output yet");
    }
  }

  /** Deletes what sinks have begun under the output's name: {@code NAME.partial}, file or tree. */
  private static void deletePartials(Path whole) throws IOException {
    Path partial = whole.resolveSibling(whole.getFileName() + ".partial");
    if (!Files.exists(partial)) {
      return;
    }
    Files.walkFileTree(
        partial,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The output is whole. */
  void done() throws IOException {
    Files.deleteIfExists(file);
  }
}
