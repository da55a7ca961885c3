package io.feedline.examples.training;

import io.feedline.data.Dataset;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Mask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Scenes on disk: {@code images/NAME.jpg}, {@code masks/NAME.png} and {@code boxes.csv}, which has
 * a line for each box. Opening it lists the images and reads the boxes; images and masks are read
 * with their sample. Immutable and thread-safe.
 */
final class SceneFolder implements Dataset<Scene> {

  /** The first line of {@code boxes.csv}; edges are in pixels. */
  static final String COLUMNS = "file,left,top,right,bottom,class";

  private final Path directory;
  private final List<Path> images;

  /** The boxes of each image, by the image's name. */
  private final Map<String, List<Box>> boxes;

  /** A line of {@code boxes.csv}. */
  private record Box(float left, float top, float right, float bottom, int label) {}

  private SceneFolder(Path directory, List<Path> images, Map<String, List<Box>> boxes) {
    this.directory = directory;
    this.images = images;
    this.boxes = boxes;
  }

  /**
   * Opens a folder of scenes.
   *
   * @param classes the names of the classes, by label
   * @throws IOException if the folder cannot be read, has no images, or has invalid boxes
   */
  static SceneFolder of(Path directory, List<String> classes) throws IOException {
    List<Path> images;
    try (Stream<Path> files = Files.list(directory.resolve("images"))) {
      images = files.sorted().toList();
    }
    if (images.isEmpty()) {
      throw new IOException("%s has no images".formatted(directory.resolve("images")));
    }
    return new SceneFolder(directory, images, readBoxes(directory.resolve("boxes.csv"), classes));
  }

  private static Map<String, List<Box>> readBoxes(Path file, List<String> classes)
      throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty() || !lines.get(0).equals(COLUMNS)) {
      throw new IOException("%s must begin with the line %s".formatted(file, COLUMNS));
    }
    Map<String, List<Box>> boxes = new HashMap<>();
    for (int number = 2; number <= lines.size(); number++) {
      String line = lines.get(number - 1);
      String[] values = line.split(",", -1);
      int label = values.length == 6 ? classes.indexOf(values[5]) : -1;
      try {
        if (label < 0) {
          throw new IllegalArgumentException("six values, of which the last is one of " + classes);
        }
        Box box =
            new Box(
                Float.parseFloat(values[1]),
                Float.parseFloat(values[2]),
                Float.parseFloat(values[3]),
                Float.parseFloat(values[4]),
                label);
        boxes.computeIfAbsent(values[0], name -> new ArrayList<>()).add(box);
      } catch (IllegalArgumentException wrong) {
        throw new IOException(
            "%s, line %d must be %s, was %s: %s"
                .formatted(file, number, COLUMNS, line, wrong.getMessage()),
            wrong);
      }
    }
    return boxes;
  }

  @Override
  public long size() {
    return images.size();
  }

  @Override
  public Scene get(long index) throws IOException {
    Path file = images.get((int) Objects.checkIndex(index, size()));
    String name = file.getFileName().toString();
    Path maskFile =
        directory.resolve("masks").resolve(name.substring(0, name.lastIndexOf('.')) + ".png");
    Image image = Image.ofEncoded(Files.readAllBytes(file), file.toString());
    Mask mask = Mask.ofEncoded(Files.readAllBytes(maskFile), maskFile.toString());
    List<Box> here = boxes.getOrDefault(name, List.of());
    float[] edges = new float[4 * here.size()];
    for (int i = 0; i < here.size(); i++) {
      Box box = here.get(i);
      edges[4 * i] = box.left;
      edges[4 * i + 1] = box.top;
      edges[4 * i + 2] = box.right;
      edges[4 * i + 3] = box.bottom;
    }
    return new Scene(
        image,
        mask,
        BoundingBoxes.of(edges, BoundingBoxes.Format.XYXY, image.width(), image.height()),
        BoxLabels.of(here.stream().mapToLong(Box::label).toArray()));
  }

  /** Returns the largest number of boxes of an image. */
  int mostBoxes() {
    return boxes.values().stream().mapToInt(List::size).max().orElse(0);
  }

  @Override
  public String describe(long index) {
    return images.get((int) index).toString();
  }

  @Override
  public String name() {
    return "SceneFolder(%s)".formatted(directory);
  }
}
