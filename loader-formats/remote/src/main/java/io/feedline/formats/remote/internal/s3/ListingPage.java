package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Validator;
import io.feedline.formats.store.internal.files.Xml;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.MissingResourceException;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * A page of S3's listing (ListObjectsV2).
 *
 * @param entries in the order of the page
 * @param next the token of the next page; empty if this is the last one
 */
public record ListingPage(List<Entry> entries, String next) {

  /**
   * An object in a page.
   *
   * @param modified when it was put; {@link Instant#MIN} where the server does not say
   */
  public record Entry(RemoteObject object, Instant modified) {}

  /**
   * Reads a page.
   *
   * @param prefix what is listed; the objects' URIs are of its bucket
   * @throws IOException if it is not a listing
   */
  static ListingPage parse(URI prefix, byte[] page) throws IOException {
    try {
      XMLStreamReader reader = Xml.reader(page);
      try {
        return new Parser(reader).page(prefix);
      } finally {
        reader.close();
      }
    } catch (XMLStreamException | IllegalArgumentException | MissingResourceException broken) {
      // Not the parser's message: it may quote what the server has sent.
      throw new StoreException(
          "%s: the server's answer of %d bytes is not a listing (ListBucketResult); is this an S3 endpoint?"
              .formatted(prefix, page.length));
    }
  }

  private static final class Parser {
    private final XMLStreamReader reader;
    private final List<Found> contents = new ArrayList<>();
    private boolean encoded;
    private boolean truncated;
    private String next = "";

    /** An object of the page: the page may say after the keys whether they are encoded. */
    private record Found(String key, long size, String version, Instant modified) {}

    Parser(XMLStreamReader reader) {
      this.reader = reader;
    }

    ListingPage page(URI prefix) throws XMLStreamException, IOException {
      require(reader.nextTag() == XMLStreamConstants.START_ELEMENT);
      require(reader.getLocalName().equals("ListBucketResult"));
      while (reader.nextTag() == XMLStreamConstants.START_ELEMENT) {
        switch (reader.getLocalName()) {
          case "Contents" -> contents();
          case "EncodingType" -> encoded = reader.getElementText().trim().equals("url");
          case "IsTruncated" -> truncated = Boolean.parseBoolean(reader.getElementText().trim());
          case "NextContinuationToken" -> next = reader.getElementText();
          default -> Xml.skip(reader);
        }
      }
      if (truncated && next.isEmpty()) {
        throw new StoreException(
            prefix
                + ": the server's listing has more pages, but does not say where the next one begins");
      }
      List<Entry> entries = new ArrayList<>(contents.size());
      for (Found each : contents) {
        String key = encoded ? KeyText.formDecoded(each.key()) : each.key();
        RemoteObject object =
            new RemoteObject(KeyText.uri(prefix, key), each.size(), each.version());
        entries.add(new Entry(object, each.modified()));
      }
      return new ListingPage(entries, truncated ? next : "");
    }

    private void contents() throws XMLStreamException {
      String key = null;
      long size = -1;
      String version = "";
      String generation = "";
      Instant modified = Instant.MIN;
      while (reader.nextTag() == XMLStreamConstants.START_ELEMENT) {
        switch (reader.getLocalName()) {
          case "Key" -> key = reader.getElementText();
          case "Size" -> size = Long.parseLong(reader.getElementText().trim());
          case "LastModified" -> modified = time(reader.getElementText().trim());
          case "ETag" -> version = Validator.strong(reader.getElementText().trim());
          case "Generation" -> generation = reader.getElementText().trim(); // of Google's
          default -> Xml.skip(reader);
        }
      }
      require(key != null && size >= 0);
      contents.add(new Found(key, size, generation.isEmpty() ? version : generation, modified));
    }

    private static Instant time(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException unknown) {
        return Instant.MIN;
      }
    }

    private static void require(boolean expected) throws XMLStreamException {
      if (!expected) {
        throw new XMLStreamException("not a listing");
      }
    }
  }
}
