package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * A page of S3's list of multipart uploads (ListMultipartUploads).
 *
 * @param uploads the uploads in the order of the page
 * @param nextKey the key behind which the next page begins; empty for the last page
 * @param nextId the id, among the uploads of {@code nextKey}, behind which the next page begins
 */
public record UploadsPage(List<Upload> uploads, String nextKey, String nextId) {

  public record Upload(String key, String id) {}

  public static UploadsPage parse(URI prefix, byte[] page) throws StoreException {
    return XmlPage.parse(
        prefix,
        page,
        "ListMultipartUploadsResult",
        "Upload",
        "a list of uploads (ListMultipartUploadsResult)",
        xml -> {
          Map<String, String> fields = xml.fields();
          boolean encoded = fields.getOrDefault("EncodingType", "").trim().equals("url");
          boolean truncated = fields.getOrDefault("IsTruncated", "").trim().equals("true");
          String nextKey = truncated ? XmlPage.required(fields, "NextKeyMarker") : "";
          return new UploadsPage(
              xml.rows().stream().map(each -> upload(each, encoded)).toList(),
              encoded ? KeyText.formDecoded(nextKey) : nextKey,
              fields.getOrDefault("NextUploadIdMarker", ""));
        });
  }

  private static Upload upload(Map<String, String> row, boolean encoded) {
    String key = XmlPage.required(row, "Key");
    return new Upload(encoded ? KeyText.formDecoded(key) : key, XmlPage.required(row, "UploadId"));
  }
}
