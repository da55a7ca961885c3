package io.feedline.formats.image;

import io.feedline.data.Dataset;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.internal.RecordType;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.imageio.ImageIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A picture of samples as a network sees them, in cells side by side: the image after its
 * transforms, and over it the sample's targets. Masks are half transparent, with a color for each
 * id except 0. Boxes are outlined in the color of their label, points are dots, and erased parts
 * are gray. Further images of a sample have their own cells after the first.
 *
 * <pre>{@code
 * ContactSheet.of(dataset, 16).withClasses(dataset.classes()).writeTo(Path.of("sheet.png"));
 * }</pre>
 *
 * <p>Images are drawn without their normalization; of pixels of 16 bits the upper 8 bits are drawn.
 * Images and targets in a sample are found by their types, as in {@link JointTransform}. Colors are
 * those of the Pascal VOC color map, with a black or white edge that is visible on every image.
 * Samples of a dataset have captions with their index and class; boxes have labels if {@link
 * #withClasses} names the classes. If the system has no font, the sheet has no text and a warning
 * is logged. Immutable and thread-safe.
 */
public final class ContactSheet {

  private static final Logger LOG = LoggerFactory.getLogger(ContactSheet.class);

  private static final AtomicBoolean WARNED = new AtomicBoolean();

  /** The longest side of a sheet, in pixels. */
  public static final int MAX_SIDE = 1 << 15;

  private static final int GAP = 4;
  private static final Color PAPER = new Color(0x20, 0x20, 0x20);
  private static final Color ERASED = Color.GRAY;
  private static final float MASK_ALPHA = 0.5f;
  private static final float LINE = 2;
  private static final double DOT = 5;
  private static final float EDGE = 2;
  private static final int CAPTION = 16;
  private static final int FONT = 12;

  private final List<?> samples;
  private final int columns;
  private final int cell;

  /** The text below each sample; empty if there are no captions. */
  private final List<String> captions;

  /** The names of classes; if empty, boxes have no text. */
  private final List<String> classes;

  private ContactSheet(
      List<?> samples, int columns, int cell, List<String> captions, List<String> classes) {
    this.samples = samples;
    this.columns = columns;
    this.cell = cell;
    this.captions = captions;
    this.classes = classes;
  }

  /**
   * Returns a sheet of samples whose indexes are evenly spaced over a dataset. The caption of a
   * sample has its index, and its class if the sample is a record with a number {@code label}, as
   * in {@code 17: class 3}. Random transforms draw with seed 0 in epoch 0.
   *
   * @param count the number of samples, 1 or more; a smaller dataset is shown whole
   * @throws IllegalArgumentException if the count is less than 1, the dataset is empty, or a sample
   *     has no image
   * @throws Exception if the dataset fails to return a sample
   */
  public static ContactSheet of(Dataset<?> dataset, int count) throws Exception {
    if (count < 1) {
      throw new IllegalArgumentException("count must be 1 or more, was " + count);
    }
    int shown = (int) Math.min(count, dataset.size());
    List<Object> samples = new ArrayList<>();
    List<String> captions = new ArrayList<>();
    for (int i = 0; i < shown; i++) {
      long index = shown == 1 ? 0 : i * (dataset.size() - 1) / (shown - 1);
      samples.add(dataset.get(index, new SampleContext(0, 0, index)));
      captions.add(Long.toString(index));
    }
    return of(samples).withCaptions(captions);
  }

  /**
   * Returns a sheet of samples, with cells of 224 pixels in about as many columns as rows.
   *
   * @param samples one or more: images, or records, maps, lists and arrays with images; decoded
   *     when the sheet is drawn
   * @throws IllegalArgumentException if the list is empty, or a sample has no image
   */
  public static ContactSheet of(List<?> samples) {
    List<?> copy = List.copyOf(samples);
    if (copy.isEmpty()) {
      throw new IllegalArgumentException("a contact sheet needs one sample or more");
    }
    int images = 0;
    for (int i = 0; i < copy.size(); i++) {
      int here = SampleParts.ofType(Image.class, copy.get(i)).size();
      if (here == 0) {
        throw new IllegalArgumentException(
            "sample %d of a contact sheet has no image".formatted(i));
      }
      images += here;
    }
    return new ContactSheet(copy, (int) Math.ceil(Math.sqrt(images)), 224, List.of(), List.of());
  }

  /**
   * Returns the sheet with another number of columns.
   *
   * @throws IllegalArgumentException if the number is less than 1
   */
  public ContactSheet withColumns(int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException("columns must be 1 or more, was " + columns);
    }
    return new ContactSheet(samples, columns, cell, captions, classes);
  }

  /**
   * Returns the sheet with a text below each sample; the sample's class follows the text. Text that
   * is wider than the cell is cut off.
   *
   * @param captions a text for each sample
   * @throws IllegalArgumentException if there are not as many captions as samples
   */
  public ContactSheet withCaptions(List<String> captions) {
    if (captions.size() != samples.size()) {
      throw new IllegalArgumentException(
          "there must be a caption for each of %d samples, were %d"
              .formatted(samples.size(), captions.size()));
    }
    return new ContactSheet(samples, columns, cell, List.copyOf(captions), classes);
  }

  /**
   * Returns the sheet with names of classes instead of their numbers, in captions and beside boxes.
   *
   * @param classes the name of label 0, of label 1, ...; labels beyond them stay numbers
   */
  public ContactSheet withClasses(List<String> classes) {
    return new ContactSheet(samples, columns, cell, captions, List.copyOf(classes));
  }

  /**
   * Returns the sheet with cells of another size. An image is scaled so that its longer side has
   * this length.
   *
   * @param side rows and columns of pixels, 16 to {@link #MAX_SIDE}
   * @throws IllegalArgumentException if the side is out of range
   */
  public ContactSheet withCell(int side) {
    if (side < 16 || side > MAX_SIDE) {
      throw new IllegalArgumentException(
          "a cell must have a side of 16 to %d pixels, was %d".formatted(MAX_SIDE, side));
    }
    return new ContactSheet(samples, columns, side, captions, classes);
  }

  /** Returns the number of columns. */
  public int columns() {
    return columns;
  }

  /**
   * Returns the sheet as a PNG, in a new array.
   *
   * @throws IOException if an image or a mask cannot be decoded
   * @throws IllegalArgumentException if a side of the sheet would exceed {@link #MAX_SIDE}, or a
   *     target does not belong to an image of its sample's size
   */
  public byte[] toPng() throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(draw(), "png", png);
    return png.toByteArray();
  }

  /**
   * Writes the sheet as a PNG; an existing file is replaced.
   *
   * @param file of the default file system
   * @throws IOException if an image or a mask cannot be decoded, or the file cannot be written
   * @throws IllegalArgumentException in the cases of {@link #toPng}
   */
  public void writeTo(Path file) throws IOException {
    WholeFile.write(Objects.requireNonNull(file, "file"), toPng());
  }

  private BufferedImage draw() throws IOException {
    int cells =
        samples.stream().mapToInt(sample -> SampleParts.ofType(Image.class, sample).size()).sum();
    int across = Math.min(columns, cells);
    int down = (cells - 1) / across + 1;
    int pitch = cell + GAP;
    int rowPitch = pitch + (captions.isEmpty() ? 0 : CAPTION);
    BufferedImage sheet = blank(side("columns", across, pitch), side("rows", down, rowPitch));
    Graphics2D graphics = sheet.createGraphics();
    graphics.setColor(PAPER);
    graphics.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
    int at = 0;
    for (int number = 0; number < samples.size(); number++) {
      Object sample = samples.get(number);
      List<Image> images = SampleParts.ofType(Image.class, sample);
      for (int i = 0; i < images.size(); i++, at++) {
        BufferedImage each =
            i == 0 ? drawWithTargets(images.get(0), sample) : drawAlone(images.get(i));
        graphics.drawImage(
            each,
            GAP + at % across * pitch + (cell - each.getWidth()) / 2,
            GAP + at / across * rowPitch + (cell - each.getHeight()) / 2,
            null);
        if (i == 0 && !captions.isEmpty()) {
          write(
              (Graphics2D)
                  graphics.create(
                      GAP + at % across * pitch,
                      GAP + at / across * rowPitch + cell,
                      cell,
                      CAPTION),
              caption(number));
        }
      }
    }
    graphics.dispose();
    return sheet;
  }

  private static void write(Graphics2D graphics, String text) {
    graphics.setColor(Color.WHITE);
    text(graphics, text, 0, CAPTION - FONT / 3);
    graphics.dispose();
  }

  private static void text(Graphics2D graphics, String text, int x, int baseline) {
    Objects.requireNonNull(text, "text");
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT));
      graphics.drawString(text, x, baseline);
    } catch (LinkageError | InternalError | IllegalStateException | NullPointerException e) {
      // A Java runtime without fonts fails with one of these exceptions, depending on its version.
      if (!WARNED.getAndSet(true)) {
        LOG.warn(
            "no text on contact sheets: the system has no font; install fontconfig and one", e);
      }
    }
  }

  String caption(int number) {
    Object sample = samples.get(number);
    if (sample instanceof Record) {
      RecordType type = RecordType.of(sample.getClass());
      int at = type.names().indexOf("label");
      if (at >= 0 && type.get(sample, at) instanceof Number label && label.longValue() >= 0) {
        return captions.get(number) + ": " + words(label);
      }
    }
    return captions.get(number);
  }

  private String words(Number label) {
    if (label instanceof Float || label instanceof Double) {
      return "label " + label;
    }
    String name = name(label.longValue());
    return label.longValue() < classes.size() ? name : "class " + name;
  }

  private String name(long label) {
    return label >= 0 && label < classes.size() ? classes.get((int) label) : Long.toString(label);
  }

  private static int side(String what, int cells, int pitch) {
    long side = GAP + (long) cells * pitch;
    if (side > MAX_SIDE) {
      throw new IllegalArgumentException(
          "a contact sheet of %d %s would have %d pixels, at most %d are drawn: take smaller cells or fewer samples"
              .formatted(cells, what, side, MAX_SIDE));
    }
    return (int) side;
  }

  private static BufferedImage blank(int width, int height) {
    return new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
  }

  private BufferedImage drawAlone(Image image) throws IOException {
    double scale = (double) cell / Math.max(image.width(), image.height());
    int width = Math.max(1, (int) Math.round(image.width() * scale));
    int height = Math.max(1, (int) Math.round(image.height() * scale));
    // Enlarged pixels are drawn as squares, not smoothed.
    Interpolation filter = scale > 1 ? Interpolation.NEAREST : Interpolation.BILINEAR;
    Image bare = image.bare();
    Image shown = bare.mode().bits() == 8 ? bare : bare.convert(ImageMode.GRAY);
    Pixels pixels = shown.resize(width, height, filter).pixels();
    BufferedImage drawn = blank(width, height);
    byte[] rgb = pixels.rgb();
    int[] row = new int[width];
    for (int y = 0, at = 0; y < height; y++) {
      for (int x = 0; x < width; x++, at += 3) {
        row[x] = (rgb[at] & 0xFF) << 16 | (rgb[at + 1] & 0xFF) << 8 | (rgb[at + 2] & 0xFF);
      }
      drawn.setRGB(0, y, width, 1, row, 0, width);
    }
    Graphics2D graphics = drawn.createGraphics();
    graphics.setColor(ERASED);
    for (Region erased : image.erased()) {
      graphics.fill(
          new Rectangle2D.Double(
              erased.x() * scale,
              erased.y() * scale,
              erased.width() * scale,
              erased.height() * scale));
    }
    graphics.dispose();
    return drawn;
  }

  private BufferedImage drawWithTargets(Image image, Object sample) throws IOException {
    BufferedImage drawn = drawAlone(image);
    Graphics2D graphics = drawn.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.setStroke(new BasicStroke(LINE));
    double scaleX = (double) drawn.getWidth() / image.width();
    double scaleY = (double) drawn.getHeight() / image.height();
    List<BoxLabels> found = SampleParts.ofType(BoxLabels.class, sample);
    long[] labels = found.isEmpty() ? new long[0] : found.get(0).toArray();
    for (SampleParts.Part part : SampleParts.of(sample)) {
      Object target = part.value();
      if (!LinkedTargets.isTarget(target)) {
        continue;
      }
      LinkedTargets.requireSize(
          "%s does not go with its image".formatted(part.named()), target, image);
      if (target instanceof Mask mask) {
        overlay(drawn, mask.ids(), mask.width(), mask.height());
      } else if (target instanceof InstanceMasks masks) {
        overlay(drawn, instances(masks), masks.width(), masks.height());
      } else if (target instanceof BoundingBoxes boxes) {
        outline(graphics, boxes, labels, scaleX, scaleY);
      } else if (target instanceof KeyPoints points) {
        dot(graphics, points, scaleX, scaleY);
      }
    }
    graphics.dispose();
    return drawn;
  }

  /**
   * Returns for each pixel the number, from 1, of the last object that has the pixel; 0 if none.
   */
  private static int[] instances(InstanceMasks masks) throws IOException {
    byte[] all = CopyPaste.bytes(masks);
    int[] ids = new int[Math.multiplyExact(masks.width(), masks.height())];
    for (int i = 0; i < all.length; i++) {
      if (all[i] != 0) {
        ids[i % ids.length] = i / ids.length + 1;
      }
    }
    return ids;
  }

  private static void overlay(BufferedImage drawn, int[] ids, int width, int height) {
    for (int y = 0; y < drawn.getHeight(); y++) {
      int row = y * height / drawn.getHeight() * width;
      for (int x = 0; x < drawn.getWidth(); x++) {
        int id = ids[row + x * width / drawn.getWidth()];
        if (id != 0) {
          drawn.setRGB(x, y, blend(drawn.getRGB(x, y), color(id)));
        }
      }
    }
  }

  private static int blend(int below, int above) {
    int mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
      int low = below >> shift & 0xFF;
      int high = above >> shift & 0xFF;
      mixed |= Math.round(low + (high - low) * MASK_ALPHA) << shift;
    }
    return mixed;
  }

  private static Color beside(Color color) {
    double light = 0.3 * color.getRed() + 0.59 * color.getGreen() + 0.11 * color.getBlue();
    return light > 110 ? Color.BLACK : Color.WHITE;
  }

  private void outline(
      Graphics2D graphics, BoundingBoxes boxes, long[] labels, double scaleX, double scaleY) {
    BoundingBoxes corners = boxes.convert(BoundingBoxes.Format.XYXY);
    for (int i = 0; i < corners.count(); i++) {
      float[] box = corners.box(i);
      long of = labels.length == corners.count() ? labels[i] : i;
      Color color = new Color(color(of + 1));
      Rectangle2D shape =
          new Rectangle2D.Double(
              box[0] * scaleX,
              box[1] * scaleY,
              (box[2] - box[0]) * scaleX,
              (box[3] - box[1]) * scaleY);
      graphics.setColor(beside(color));
      graphics.setStroke(new BasicStroke(LINE + EDGE));
      graphics.draw(shape);
      graphics.setColor(color);
      graphics.setStroke(new BasicStroke(LINE));
      graphics.draw(shape);
      if (!classes.isEmpty() && labels.length == corners.count()) {
        int x = (int) Math.max(0, shape.getX());
        int y = (int) Math.max(0, shape.getY());
        String name = name(labels[i]);
        // The approximate width of the text, computed without a font.
        graphics.fillRect(x, y, 4 + name.length() * FONT * 6 / 10, CAPTION);
        graphics.setColor(beside(color));
        text(graphics, name, x + 2, y + FONT);
      }
    }
  }

  private static void dot(Graphics2D graphics, KeyPoints points, double scaleX, double scaleY) {
    float[] places = points.toArray();
    int objects = points.count();
    for (int i = 0; i < places.length; i += 2) {
      Color color = new Color(color(1 + (long) i * objects / places.length));
      graphics.setColor(beside(color));
      graphics.fill(dot(places[i] * scaleX, places[i + 1] * scaleY, DOT + EDGE));
      graphics.setColor(color);
      graphics.fill(dot(places[i] * scaleX, places[i + 1] * scaleY, DOT));
    }
  }

  private static Ellipse2D dot(double x, double y, double diameter) {
    return new Ellipse2D.Double(x - diameter / 2, y - diameter / 2, diameter, diameter);
  }

  /**
   * Returns the color of a class in the color map of the Pascal VOC development kit: the number's
   * lowest three bits are the highest bits of red, green and blue, and so on. Only 0 is black.
   */
  private static int color(long id) {
    int color = 0;
    for (int bit = 0, rest = (int) id; bit < 8; bit++, rest >>= 3) {
      color |=
          (rest & 1) << (23 - bit) | (rest >> 1 & 1) << (15 - bit) | (rest >> 2 & 1) << (7 - bit);
    }
    return color;
  }
}
