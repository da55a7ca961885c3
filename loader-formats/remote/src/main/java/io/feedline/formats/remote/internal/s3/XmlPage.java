package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import io.feedline.formats.store.internal.files.Xml;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.MissingResourceException;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The texts of a page of a store's listing in XML.
 *
 * @param fields the texts of elements outside of rows, by the elements' local names
 * @param rows the texts of the elements in each row, at any depth; the attribute {@code Encoded} of
 *     an element {@code Name} has the key {@code Name@Encoded}
 */
public record XmlPage(Map<String, String> fields, List<Map<String, String>> rows) {

  /** A function of a page; throws an {@link IllegalArgumentException} for an unexpected page. */
  public interface Meaning<T> {
    T of(XmlPage page) throws StoreException;
  }

  /** Parses a page whose outermost element is {@code root}; {@code row} elements are the rows. */
  public static <T> T parse(
      URI prefix, byte[] page, String root, String row, String expected, Meaning<T> meaning)
      throws StoreException {
    try {
      return meaning.of(read(page, root, row));
    } catch (XMLStreamException | IllegalArgumentException | MissingResourceException broken) {
      // The parser's message is left out, since it may quote what the server has sent.
      throw new StoreException(
          "%s: the server's answer of %d bytes is not %s".formatted(prefix, page.length, expected));
    }
  }

  private static XmlPage read(byte[] page, String root, String row) throws XMLStreamException {
    Map<String, String> fields = new HashMap<>();
    List<Map<String, String>> rows = new ArrayList<>();
    XMLStreamReader reader = Xml.reader(page);
    try {
      if (!Xml.nextElement(reader) || !reader.getLocalName().equals(root)) {
        throw new XMLStreamException("another document");
      }
      Map<String, String> current = fields;
      StringBuilder text = new StringBuilder();
      while (reader.hasNext()) {
        switch (reader.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            text.setLength(0);
            if (reader.getLocalName().equals(row)) {
              current = new HashMap<>();
              rows.add(current);
            } else if (reader.getAttributeValue(null, "Encoded") != null) {
              current.put(
                  reader.getLocalName() + "@Encoded", reader.getAttributeValue(null, "Encoded"));
            }
          }
          case XMLStreamConstants.CHARACTERS -> text.append(reader.getText());
          case XMLStreamConstants.END_ELEMENT -> {
            current = reader.getLocalName().equals(row) ? fields : current;
            current.put(reader.getLocalName(), text.toString());
            text.setLength(0);
          }
          default -> {}
        }
      }
    } finally {
      reader.close();
    }
    return new XmlPage(fields, rows);
  }

  static String required(Map<String, String> row, String name) {
    String text = row.getOrDefault(name, "");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("no " + name);
    }
    return text;
  }
}
