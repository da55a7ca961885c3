package io.feedline.examples.training;

import io.feedline.data.Dataset;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.ContactSheet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Scenes for training and validation.
 *
 * @param classes the names of the classes, by label
 */
record SceneData(SceneFolder train, SceneFolder val, List<String> classes) {

  /** The number of scenes that are drawn into a file. */
  static final int DRAWN = 12;

  /** The columns of a drawing: an even number, so that each truth is beside its prediction. */
  private static final int COLUMNS = 4;

  /**
   * Opens the scenes that the options name; otherwise generates scenes.
   *
   * @throws IOException if the scenes cannot be read
   */
  static SceneData open(TrainingProgram program, SceneOptions options) throws IOException {
    Path directory =
        options.data == null
            ? generated(program, options)
            : program.cached("--data", options.data, options);
    program.narrator().begin("opening the scenes in " + directory);
    Path names = directory.resolve("classes.txt");
    if (!Files.exists(names)) {
      throw new IOException(
          "there is no %s; a directory of scenes has it beside train and val, with the name of a class in each line"
              .formatted(names));
    }
    List<String> classes = Files.readAllLines(names);
    SceneData data =
        new SceneData(
            SceneFolder.of(directory.resolve("train"), classes),
            SceneFolder.of(directory.resolve("val"), classes),
            classes);
    program.say(
        "%s: %d scenes to train, %d to validate, of %s",
        directory, data.train.size(), data.val.size(), classes);
    return data;
  }

  private static Path generated(TrainingProgram program, SceneOptions options) throws IOException {
    int val = options.generateImages / 5;
    GeneratedScenes scenes =
        new GeneratedScenes(options.generateDir, options.generateImages - val, val, options.seed);
    LongAdder made = new LongAdder();
    program
        .narrator()
        .begin(
            "making %d scenes in %s, unless they are there"
                .formatted(options.generateImages, scenes.directory()),
            () -> ": %d are made".formatted(made.sum()));
    return scenes.make(made::increment);
  }

  /** Returns a sample as the training's first epoch has it. */
  static Scene scene(Dataset<Scene> scenes, long index, SceneOptions options) throws IOException {
    try {
      return scenes.get(index, new SampleContext(options.seed, 0, index));
    } catch (IOException | RuntimeException failure) {
      throw failure;
    } catch (Exception failure) {
      throw new IOException(scenes.describe(index) + ": " + failure.getMessage(), failure);
    }
  }

  /** Draws the network's first inputs as the first epoch has them. */
  static void draw(Dataset<Scene> scenes, SceneOptions options, Path file) throws IOException {
    List<Scene> first = new ArrayList<>();
    for (long index = 0; index < Math.min(DRAWN, scenes.size()); index++) {
      first.add(scene(scenes, index, options));
    }
    draw(first, file);
  }

  static void draw(List<?> samples, Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    ContactSheet.of(samples).withColumns(COLUMNS).writeTo(file);
  }
}
