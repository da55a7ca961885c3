package io.feedline.formats.remote.internal.azure;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Validator;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ListingPage;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.store.internal.files.Xml;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.MissingResourceException;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** A page of Azure's listing (List Blobs). */
final class BlobsPage {

  private BlobsPage() {}

  /**
   * Reads a page.
   *
   * @param prefix what is listed
   * @param container what keys have in front of the blobs' names
   * @throws IOException if it is not a listing
   */
  static ListingPage parse(URI prefix, String container, byte[] page) throws IOException {
    List<ListingPage.Entry> entries = new ArrayList<>();
    String next = "";
    try {
      XMLStreamReader reader = Xml.reader(page);
      try {
        if (reader.nextTag() != XMLStreamConstants.START_ELEMENT
            || !reader.getLocalName().equals("EnumerationResults")) {
          throw new XMLStreamException("not a listing");
        }
        String name = "";
        long size = -1;
        String version = "";
        Instant modified = Instant.MIN;
        boolean isFile = true;
        while (reader.hasNext()) {
          int event = reader.next();
          if (event == XMLStreamConstants.END_ELEMENT && reader.getLocalName().equals("Blob")) {
            if (isFile && size < 0) {
              throw new XMLStreamException("a blob without a length");
            }
            if (isFile) {
              URI uri = KeyText.uri(prefix, container + name);
              entries.add(new ListingPage.Entry(new RemoteObject(uri, size, version), modified));
            }
          } else if (event == XMLStreamConstants.START_ELEMENT) {
            switch (reader.getLocalName()) {
              case "Blob" -> {
                size = -1;
                version = "";
                isFile = true;
              }
              case "Name" -> {
                boolean encoded = "true".equals(reader.getAttributeValue(null, "Encoded"));
                String text = reader.getElementText();
                name =
                    encoded
                        ? URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8)
                        : text;
              }
              case "Content-Length" -> size = Long.parseLong(reader.getElementText().trim());
              case "Etag" -> version = Validator.strong(reader.getElementText().trim());
              case "Last-Modified" -> modified = time(reader.getElementText().trim());
              case "ResourceType" -> isFile = !reader.getElementText().equals("directory");
              case "NextMarker" -> next = reader.getElementText();
              default -> {}
            }
          }
        }
      } finally {
        reader.close();
      }
    } catch (XMLStreamException | IllegalArgumentException | MissingResourceException broken) {
      // Not the parser's message: it may quote what the server has sent.
      throw new StoreException(
          "%s: the server's answer of %d bytes is not a listing (EnumerationResults); is this Azure's?"
              .formatted(prefix, page.length));
    }
    return new ListingPage(entries, next);
  }

  private static Instant time(String text) {
    try {
      return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
    } catch (DateTimeException unknown) {
      return Instant.MIN;
    }
  }
}
