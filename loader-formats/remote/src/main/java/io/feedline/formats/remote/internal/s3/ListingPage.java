package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Validator;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

/** A page of a listing, such as S3's ListObjectsV2; {@code next} is the next token or empty. */
public record ListingPage(List<Entry> entries, String next) {

  /** An object of a listing; {@code modified} is {@link Instant#MIN} if unknown. */
  public record Entry(RemoteObject object, Instant modified) {}

  static ListingPage parse(URI prefix, byte[] page) throws StoreException {
    return XmlPage.parse(
        prefix,
        page,
        "ListBucketResult",
        "Contents",
        "a listing (ListBucketResult); is this an S3 endpoint?",
        xml -> {
          boolean truncated =
              Boolean.parseBoolean(xml.fields().getOrDefault("IsTruncated", "").trim());
          String next = xml.fields().getOrDefault("NextContinuationToken", "");
          if (truncated && next.isEmpty()) {
            throw new StoreException(
                prefix
                    + ": the server's listing has more pages, but does not say where the next one begins");
          }
          boolean encoded = xml.fields().getOrDefault("EncodingType", "").trim().equals("url");
          return new ListingPage(
              xml.rows().stream().map(each -> entry(prefix, each, encoded)).toList(),
              truncated ? next : "");
        });
  }

  private static Entry entry(URI prefix, Map<String, String> row, boolean encoded) {
    String key = XmlPage.required(row, "Key");
    long size = Long.parseLong(XmlPage.required(row, "Size").trim());
    if (size < 0) {
      throw new IllegalArgumentException("a negative size");
    }
    String generation = row.getOrDefault("Generation", "").trim(); // sent by Google alone
    String version =
        generation.isEmpty() ? Validator.strong(row.getOrDefault("ETag", "").trim()) : generation;
    URI uri = KeyText.uri(prefix, encoded ? KeyText.formDecoded(key) : key);
    return new Entry(
        new RemoteObject(uri, size, version),
        time(DateTimeFormatter.ISO_INSTANT, row.getOrDefault("LastModified", "")));
  }

  /** Parses the time of a change; returns {@link Instant#MIN} if it is absent or malformed. */
  public static Instant time(DateTimeFormatter format, String text) {
    try {
      return Instant.from(format.parse(text.trim()));
    } catch (DateTimeException unknown) {
      return Instant.MIN;
    }
  }
}
