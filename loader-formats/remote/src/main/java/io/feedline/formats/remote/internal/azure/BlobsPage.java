package io.feedline.formats.remote.internal.azure;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Validator;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ListingPage;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.remote.internal.s3.XmlPage;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.util.Map;

final class BlobsPage {

  private BlobsPage() {}

  static ListingPage parse(URI prefix, String container, byte[] page) throws StoreException {
    return XmlPage.parse(
        prefix,
        page,
        "EnumerationResults",
        "Blob",
        "a listing (EnumerationResults); is this Azure's?",
        xml ->
            new ListingPage(
                xml.rows().stream()
                    .filter(each -> !each.getOrDefault("ResourceType", "").equals("directory"))
                    .map(each -> entry(prefix, container, each))
                    .toList(),
                xml.fields().getOrDefault("NextMarker", "")));
  }

  private static ListingPage.Entry entry(URI prefix, String container, Map<String, String> blob) {
    String text = blob.getOrDefault("Name", "");
    String name =
        "true".equals(blob.get("Name@Encoded"))
            ? URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8)
            : text;
    long size = Long.parseLong(blob.getOrDefault("Content-Length", "").trim());
    String version = Validator.strong(blob.getOrDefault("Etag", "").trim());
    return new ListingPage.Entry(
        new RemoteObject(KeyText.uri(prefix, container + name), size, version),
        ListingPage.time(
            DateTimeFormatter.RFC_1123_DATE_TIME, blob.getOrDefault("Last-Modified", "")));
  }
}
