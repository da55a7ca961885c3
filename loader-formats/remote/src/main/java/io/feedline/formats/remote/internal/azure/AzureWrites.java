package io.feedline.formats.remote.internal.azure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ObjectWrites;
import io.feedline.formats.remote.internal.s3.UploadsPage;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The requests that change block blobs. A small blob is put whole; a large blob is sent in blocks,
 * and then completed by a list of the blocks. Blocks that no list names are invisible, and Azure
 * deletes them after a week, or when another writer has put the blob.
 */
final class AzureWrites extends ObjectWrites {

  /** The addend to a block's number, which gives all names of blocks the same length. */
  private static final int FIRST = 100_000;

  private final AzureAddressing addressing;

  AzureWrites(AzureAddressing addressing, Requests requests, long mostListed) {
    super(addressing, requests, mostListed);
    this.addressing = addressing;
  }

  @Override
  public CompletableFuture<Reply> putAsync(URI uri, ByteBuffer bytes, String version) {
    Map<String, String> headers = new HashMap<>(addressing.changesOnly(version));
    headers.put("x-ms-blob-type", "BlockBlob");
    return send("PUT", addressing.object(uri), headers, bytes, uri.toString());
  }

  @Override
  public String begin(URI uri) {
    return UUID.randomUUID().toString();
  }

  @Override
  public CompletableFuture<String> part(URI uri, String id, int number, ByteBuffer bytes) {
    String block =
        Base64.getEncoder().encodeToString((id + "-" + (FIRST + number)).getBytes(UTF_8));
    URI address =
        URI.create(addressing.object(uri) + "?comp=block&blockid=" + KeyText.encodedValue(block));
    String described = "%s, part %d of %d bytes".formatted(uri, number, bytes.remaining());
    return HttpObjects.answered(send("PUT", address, Map.of(), bytes, described), reply -> block);
  }

  @Override
  public String complete(URI uri, String id, List<String> tags, String version) throws IOException {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
    tags.forEach(each -> xml.append("<Uncommitted>").append(each).append("</Uncommitted>"));
    ByteBuffer body = ByteBuffer.wrap(xml.append("</BlockList>").toString().getBytes(UTF_8));
    String described = "%s, the completion of its %d parts".formatted(uri, tags.size());
    URI address = URI.create(addressing.object(uri) + "?comp=blocklist");
    return addressing.version(
        sent("PUT", address, addressing.changesOnly(version), body, described));
  }

  /** Does nothing, since Azure deletes the blocks of an upload that is not completed. */
  @Override
  public void abort(URI uri, String id) {}

  @Override
  public List<UploadsPage.Upload> uploads(URI prefix) {
    return List.of();
  }
}
