package io.feedline.examples.training;

import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.util.Utils;
import io.feedline.examples.shared.Unfinished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A model's parameters after each epoch, in DJL's format: {@code DIR/resnet50-0002.params} has the
 * parameters after epoch 2, counted from 0, and a fingerprint of the class names. The optimizer's
 * momentum is in {@code resnet50-0002.momentum}.
 *
 * <p>A checkpoint appears only when it is complete: files are written under other names and
 * renamed, the parameters last.
 *
 * @param directory the directory, which the first checkpoint creates
 * @param name the model's name, a prefix of the files' names
 */
record Checkpoints(Path directory, String name) {

  private static final String EPOCH = "Epoch";
  private static final String CLASSES = "Classes";

  /** Returns the last epoch with a checkpoint; empty without checkpoints. */
  OptionalInt lastEpoch() throws IOException {
    if (!Files.isDirectory(directory)) {
      return OptionalInt.empty();
    }
    int last = Utils.getCurrentEpoch(directory, name);
    return last < 0 ? OptionalInt.empty() : OptionalInt.of(last);
  }

  /**
   * Writes a checkpoint; a checkpoint of the same epoch is replaced.
   *
   * @return the file of the parameters
   */
  Path save(Model model, ResumableSgd optimizer, int epoch, List<String> classes)
      throws IOException {
    model.setProperty(EPOCH, Integer.toString(epoch));
    model.setProperty(CLASSES, fingerprint(classes));
    Path file = fileOf(epoch);
    try (Unfinished unfinished = Unfinished.in(directory)) {
      model.save(unfinished.path(), name);
      Path momentum = unfinished.path().resolve("momentum");
      optimizer.save(model.getBlock(), momentum);
      unfinished.finish(momentum, momentumOf(epoch));
      unfinished.finish(unfinished.path().resolve(file.getFileName()), file);
    }
    return file;
  }

  /** Deletes the checkpoints of later epochs, which belong to another run. */
  void deleteAfter(int epoch) throws IOException {
    for (int last = Utils.getCurrentEpoch(directory, name);
        last > epoch;
        last = Utils.getCurrentEpoch(directory, name)) {
      Files.delete(fileOf(last));
      Files.deleteIfExists(momentumOf(last));
    }
  }

  /**
   * Reads a checkpoint into a model whose block is set and has no weights yet, and into the
   * optimizer of its training.
   *
   * @throws IOException if the checkpoint cannot be read, or belongs to another network or other
   *     classes
   */
  void load(Model model, ResumableSgd optimizer, int epoch, List<String> classes)
      throws IOException {
    try {
      model.load(directory, name, Map.of("epoch", Integer.toString(epoch)));
    } catch (MalformedModelException | IOException | RuntimeException mismatch) {
      throw new IOException(
          "%s cannot be read as a %s: %s".formatted(fileOf(epoch), name, mismatch), mismatch);
    }
    String found = model.getProperty(CLASSES);
    if (!fingerprint(classes).equals(found)) {
      throw new IOException(
          "%s was trained for other classes (%s) than those of the data (%s)"
              .formatted(fileOf(epoch), found, fingerprint(classes)));
    }
    optimizer.load(model.getBlock(), model.getNDManager(), momentumOf(epoch));
  }

  /** Returns a checksum that differs if the class names or their order differ. */
  private static String fingerprint(List<String> classes) {
    return String.format(
        Locale.ROOT,
        "%d classes, %s to %s, hash %08x",
        classes.size(),
        classes.get(0),
        classes.get(classes.size() - 1),
        classes.hashCode());
  }

  private Path fileOf(int epoch) {
    return file(epoch, "params");
  }

  private Path momentumOf(int epoch) {
    return file(epoch, "momentum");
  }

  private Path file(int epoch, String extension) {
    return directory.resolve(String.format(Locale.ROOT, "%s-%04d.%s", name, epoch, extension));
  }
}
