package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.store.internal.files.Xml;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.MissingResourceException;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * A page of S3's list of multipart uploads (ListMultipartUploads).
 *
 * @param uploads in the order of the page
 * @param nextKey the key at which the next page begins; empty for the last page
 * @param nextId the upload at which the next page begins, among the uploads of one key
 */
public record UploadsPage(List<Upload> uploads, String nextKey, String nextId) {

  /** An object that is being sent, and the number that the server has given to that. */
  public record Upload(String key, String id) {}

  /**
   * Reads a page.
   *
   * @param prefix what was asked for
   * @throws IOException if it is no such list
   */
  public static UploadsPage parse(URI prefix, byte[] page) throws IOException {
    List<Upload> uploads = new ArrayList<>();
    boolean truncated = false;
    boolean encoded = false;
    String nextKey = "";
    String nextId = "";
    String key = "";
    String id = "";
    try {
      XMLStreamReader reader = Xml.reader(page);
      try {
        if (reader.nextTag() != XMLStreamConstants.START_ELEMENT
            || !reader.getLocalName().equals("ListMultipartUploadsResult")) {
          throw new XMLStreamException("no list");
        }
        while (reader.hasNext()) {
          int event = reader.next();
          if (event == XMLStreamConstants.END_ELEMENT && reader.getLocalName().equals("Upload")) {
            if (key.isEmpty() || id.isEmpty()) {
              throw new XMLStreamException("no key, or no number");
            }
            uploads.add(new Upload(key, id));
            key = "";
            id = "";
          } else if (event == XMLStreamConstants.START_ELEMENT) {
            switch (reader.getLocalName()) {
              case "Key" -> key = reader.getElementText();
              case "UploadId" -> id = reader.getElementText();
              case "EncodingType" -> encoded = reader.getElementText().trim().equals("url");
              case "IsTruncated" -> truncated = reader.getElementText().trim().equals("true");
              case "NextKeyMarker" -> nextKey = reader.getElementText();
              case "NextUploadIdMarker" -> nextId = reader.getElementText();
              default -> {}
            }
          }
        }
      } finally {
        reader.close();
      }
      if (truncated && nextKey.isEmpty()) {
        throw new XMLStreamException("no next page");
      }
      if (encoded) {
        uploads.replaceAll(each -> new Upload(KeyText.formDecoded(each.key()), each.id()));
        nextKey = KeyText.formDecoded(nextKey);
      }
    } catch (XMLStreamException | IllegalArgumentException | MissingResourceException broken) {
      // Not the parser's message: it may quote what the server has sent.
      throw new IOException(
          "%s: the server's answer of %d bytes is not a list of uploads (ListMultipartUploadsResult)"
              .formatted(prefix, page.length));
    }
    return new UploadsPage(uploads, truncated ? nextKey : "", nextId);
  }
}
