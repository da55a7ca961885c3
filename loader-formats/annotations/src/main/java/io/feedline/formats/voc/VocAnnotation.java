package io.feedline.formats.voc;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.Xml;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The annotation of an image, such as {@code Annotations/2007_000027.xml}.
 *
 * @param width the image's width in pixels; 0 if the file does not contain it
 * @param height the image's height in pixels; 0 if the file does not contain it
 */
record VocAnnotation(int width, int height, List<VocObject> objects) {

  /**
   * @param box left, top, right and bottom as the file contains them; pixels count from 1
   * @param difficult whether the object is difficult to recognize
   * @param truncated whether the object reaches out of its box
   */
  record VocObject(String name, float[] box, boolean difficult, boolean truncated) {}

  private static final List<String> SIDES = List.of("xmin", "ymin", "xmax", "ymax");

  /** Decimal numbers that Python's {@code float} reads; Java also reads hexadecimal numbers. */
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

  /** The largest coordinate: longer than any image's side, and exact as a float. */
  private static final double MOST = 1 << 24;

  /** Parses XML; fails with line and column if it is damaged or not an annotation. */
  static VocAnnotation parse(byte[] xml) throws FormatException {
    try {
      XMLStreamReader reader = Xml.reader(xml);
      try {
        return new Parser(reader).annotation();
      } finally {
        reader.close();
      }
    } catch (XMLStreamException | MissingResourceException broken) { // JDK lacks the error's text
      throw new FormatException("this is not an annotation: " + broken.getMessage(), broken);
    }
  }

  private static final class Parser {
    private final XMLStreamReader reader;

    Parser(XMLStreamReader reader) {
      this.reader = reader;
    }

    VocAnnotation annotation() throws XMLStreamException, FormatException {
      if (!Xml.nextElement(reader) || !reader.getLocalName().equals("annotation")) {
        throw broken("expected <annotation>, found <%s>".formatted(reader.getLocalName()));
      }
      int width = 0;
      int height = 0;
      List<VocObject> objects = new ArrayList<>();
      while (Xml.nextElement(reader)) {
        switch (reader.getLocalName()) {
          case "size" -> {
            while (Xml.nextElement(reader)) {
              switch (reader.getLocalName()) {
                case "width" -> width = size();
                case "height" -> height = size();
                default -> Xml.skip(reader);
              }
            }
          }
          case "object" -> objects.add(object());
          default -> Xml.skip(reader);
        }
      }
      return new VocAnnotation(width, height, List.copyOf(objects));
    }

    private VocObject object() throws XMLStreamException, FormatException {
      String name = null;
      float[] box = null;
      boolean difficult = false;
      boolean truncated = false;
      while (Xml.nextElement(reader)) {
        switch (reader.getLocalName()) {
          case "name" -> {
            requireOnce(name);
            name = reader.getElementText().strip();
          }
          case "difficult" -> difficult = flag();
          case "truncated" -> truncated = flag();
          case "bndbox" -> {
            requireOnce(box);
            box = box();
          }
          // Parts, such as heads and hands, have boxes of their own.
          default -> Xml.skip(reader);
        }
      }
      if (name == null || box == null) {
        throw broken("an object without " + (name == null ? "<name>" : "<bndbox>"));
      }
      return new VocObject(name, box, difficult, truncated);
    }

    private float[] box() throws XMLStreamException, FormatException {
      float[] box = new float[4];
      int found = 0;
      while (Xml.nextElement(reader)) {
        int side = SIDES.indexOf(reader.getLocalName());
        if (side < 0) {
          Xml.skip(reader);
        } else {
          requireOnce((found & 1 << side) == 0 ? null : SIDES);
          box[side] = (float) number();
          found |= 1 << side;
        }
      }
      if (found != 15) {
        throw broken("a <bndbox> without all of " + SIDES);
      }
      if (box[0] > box[2] || box[1] > box[3]) {
        throw broken(
            "a <bndbox> that ends before it begins: %s are %s"
                .formatted(SIDES, Arrays.toString(box)));
      }
      return box;
    }

    private int size() throws XMLStreamException, FormatException {
      double size = number();
      if (size < 0) {
        throw broken("a size of " + size);
      }
      return (int) size;
    }

    /** Reads 0 or 1, true or false; {@code Unspecified}, as in VOC's own annotations, is false. */
    private boolean flag() throws XMLStreamException, FormatException {
      String name = reader.getLocalName();
      String text = reader.getElementText().strip().toLowerCase(Locale.ROOT);
      return switch (text) {
        case "", "unspecified", "false" -> false;
        case "true" -> true;
        default -> number(name, text) != 0;
      };
    }

    private double number() throws XMLStreamException, FormatException {
      String name = reader.getLocalName();
      return number(name, reader.getElementText().strip());
    }

    private double number(String name, String text) throws FormatException {
      if (!NUMBER.matcher(text).matches()) {
        throw broken("<%s> is '%s', not a number".formatted(name, text));
      }
      double number = Double.parseDouble(text);
      if (Math.abs(number) > MOST) {
        throw broken("<%s> is '%s', beyond the side of any image".formatted(name, text));
      }
      return number;
    }

    private void requireOnce(@Nullable Object before) throws FormatException {
      if (before != null) {
        throw broken("a second <%s>".formatted(reader.getLocalName()));
      }
    }

    private FormatException broken(String problem) {
      return new FormatException(
          "line %d, column %d: %s"
              .formatted(
                  reader.getLocation().getLineNumber(),
                  reader.getLocation().getColumnNumber(),
                  problem));
    }
  }
}
