package io.feedline.examples.formats;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;
import javax.imageio.ImageIO;

/**
 * Images of colored rectangles, in the file layouts of PASCAL VOC and COCO. All runs write the same
 * files.
 */
final class DrawnObjects {
  private static final int WIDTH = 96;
  private static final int HEIGHT = 72;

  /** The classes, with their numbers in VOC and COCO, and their colors. */
  private enum Kind {
    DOG("dog", 12, 18, Color.ORANGE),
    CAR("car", 7, 3, Color.RED),
    PERSON("person", 15, 1, Color.GREEN);

    private final String title;
    private final int vocLabel;
    private final int cocoId;
    private final Color color;

    Kind(String title, int vocLabel, int cocoId, Color color) {
      this.title = title;
      this.vocLabel = vocLabel;
      this.cocoId = cocoId;
      this.color = color;
    }
  }

  private record Drawn(Kind kind, Rectangle box) {}

  private final List<List<Drawn>> images = new ArrayList<>();

  /** Chooses one to four rectangles for each image; draws nothing yet. */
  DrawnObjects(int count) {
    Random random = new Random(7);
    for (int i = 0; i < count; i++) {
      List<Drawn> drawn = new ArrayList<>();
      for (int left = 1 + random.nextInt(4); left > 0; left--) {
        int width = 10 + random.nextInt(30);
        int height = 10 + random.nextInt(30);
        Rectangle box =
            new Rectangle(
                random.nextInt(WIDTH - width), random.nextInt(HEIGHT - height), width, height);
        drawn.add(new Drawn(Kind.values()[random.nextInt(3)], box));
      }
      images.add(drawn);
    }
  }

  private static String name(int image) {
    return String.format(Locale.ROOT, "%06d", image);
  }

  private void writeImage(int image, Path file) throws IOException {
    BufferedImage picture = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = picture.createGraphics();
    for (Drawn each : images.get(image)) {
      graphics.setColor(each.kind().color);
      graphics.fill(each.box());
    }
    graphics.dispose();
    ImageIO.write(picture, "jpg", file.toFile());
  }

  /** Writes lists, images, annotations, and masks with a palette. */
  void writeVoc(Path directory) throws IOException {
    for (String each : List.of("JPEGImages", "Annotations", "SegmentationClass")) {
      Files.createDirectories(directory.resolve(each));
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < images.size(); i++) {
      names.add(name(i));
      writeImage(i, directory.resolve("JPEGImages").resolve(name(i) + ".jpg"));
      Files.writeString(directory.resolve("Annotations").resolve(name(i) + ".xml"), xml(i));
      Path mask = directory.resolve("SegmentationClass").resolve(name(i) + ".png");
      ImageIO.write(mask(i), "png", mask.toFile());
    }
    for (String kind : List.of("Main", "Segmentation")) {
      Path sets = Files.createDirectories(directory.resolve("ImageSets").resolve(kind));
      Files.write(sets.resolve("train.txt"), names);
    }
  }

  private String xml(int image) {
    StringBuilder xml = new StringBuilder("<annotation>\n");
    for (Drawn each : images.get(image)) {
      Rectangle box = each.box();
      xml.append("<object><name>")
          .append(each.kind().title)
          .append("</name><difficult>0</difficult>")
          .append("<bndbox><xmin>")
          .append(box.x + 1)
          .append("</xmin><ymin>")
          .append(box.y + 1)
          .append("</ymin><xmax>")
          .append(box.x + box.width)
          .append("</xmax><ymax>")
          .append(box.y + box.height)
          .append("</ymax></bndbox></object>\n");
    }
    return xml.append("</annotation>\n").toString();
  }

  private BufferedImage mask(int image) {
    byte[] shades = new byte[256];
    for (int i = 0; i < shades.length; i++) {
      shades[i] = (byte) (12 * i);
    }
    IndexColorModel palette = new IndexColorModel(8, 256, shades, shades, shades);
    BufferedImage mask = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_BYTE_INDEXED, palette);
    for (Drawn each : images.get(image)) {
      Rectangle box = each.box();
      for (int y = box.y; y < box.y + box.height; y++) {
        for (int x = box.x; x < box.x + box.width; x++) {
          mask.getRaster().setSample(x, y, 0, each.kind().vocLabel);
        }
      }
    }
    return mask;
  }

  /** Writes images, and the JSON file with their polygons. */
  void writeCoco(Path directory) throws IOException {
    Path pictures = Files.createDirectories(directory.resolve("train"));
    StringJoiner files = new StringJoiner(",\n");
    StringJoiner annotations = new StringJoiner(",\n");
    int id = 0;
    for (int i = 0; i < images.size(); i++) {
      writeImage(i, pictures.resolve(name(i) + ".jpg"));
      files.add(
          "{\"id\": %s, \"file_name\": \"%s.jpg\", \"width\": %s, \"height\": %s}"
              .formatted(Integer.toString(i), name(i), WIDTH, HEIGHT));
      for (Drawn each : images.get(i)) {
        annotations.add(annotation(id++, i, each));
      }
    }
    StringJoiner categories = new StringJoiner(",\n");
    for (Kind kind : Kind.values()) {
      categories.add("{\"id\": " + kind.cocoId + ", \"name\": \"" + kind.title + "\"}");
    }
    Files.writeString(
        directory.resolve("instances_train.json"),
        "{\"images\": [\n%s],\n\"annotations\": [\n%s],\n\"categories\": [\n%s]}\n"
            .formatted(files, annotations, categories));
  }

  private static String annotation(int id, int image, Drawn drawn) {
    Rectangle box = drawn.box();
    List<Integer> corners =
        List.of(
            box.x,
            box.y,
            box.x + box.width,
            box.y,
            box.x + box.width,
            box.y + box.height,
            box.x,
            box.y + box.height);
    return "{\"id\": "
        + id
        + ", \"image_id\": "
        + image
        + ", \"category_id\": "
        + drawn.kind().cocoId
        + ", \"bbox\": "
        + List.of(box.x, box.y, box.width, box.height)
        + ", \"area\": "
        + box.width * box.height
        + ", \"iscrowd\": 0, \"segmentation\": ["
        + corners
        + "]}";
  }
}
