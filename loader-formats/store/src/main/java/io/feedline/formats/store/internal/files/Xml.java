package io.feedline.formats.store.internal.files;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * A parser of untrusted XML: no external reference is resolved, and no entity can be declared.
 * Bytes are decoded here, since the JDK's parser prints a failure of decoding before it throws it.
 */
public final class Xml {

  private static final XMLInputFactory FACTORY = factory();

  private static final Pattern ENCODING =
      Pattern.compile("<\\?xml[^>]{1,100}encoding\\s*=\\s*[\"']([A-Za-z0-9._-]{1,40})[\"']");

  private Xml() {}

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    factory.setXMLReporter((message, type, information, location) -> {});
    return factory;
  }

  public static XMLStreamReader reader(byte[] xml) throws XMLStreamException {
    String text = text(xml);
    synchronized (FACTORY) {
      return FACTORY.createXMLStreamReader(new StringReader(text));
    }
  }

  private static String text(byte[] xml) throws XMLStreamException {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(xml);
      String text = charset(xml).newDecoder().decode(bytes).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException | IllegalArgumentException undecodable) {
      throw new XMLStreamException("the text is not in the encoding that it claims", undecodable);
    }
  }

  private static Charset charset(byte[] xml) {
    if (xml.length > 1 && ((xml[0] & xml[1]) == (byte) 0xFE) && (xml[0] | xml[1]) == (byte) 0xFF) {
      return StandardCharsets.UTF_16;
    }
    String start = new String(xml, 0, Math.min(xml.length, 200), StandardCharsets.ISO_8859_1);
    Matcher encoding =
        ENCODING.matcher(start.startsWith("\u00EF\u00BB\u00BF") ? start.substring(3) : start);
    return encoding.lookingAt() ? Charset.forName(encoding.group(1)) : StandardCharsets.UTF_8;
  }

  /** Moves to the next beginning or end of an element; returns whether it is a beginning. */
  public static boolean nextElement(XMLStreamReader reader) throws XMLStreamException {
    int event;
    do {
      event = reader.next();
    } while (event != XMLStreamConstants.START_ELEMENT && event != XMLStreamConstants.END_ELEMENT);
    return event == XMLStreamConstants.START_ELEMENT;
  }

  public static void skip(XMLStreamReader reader) throws XMLStreamException {
    int depth = 1;
    while (depth > 0) {
      int event = reader.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
  }
}
