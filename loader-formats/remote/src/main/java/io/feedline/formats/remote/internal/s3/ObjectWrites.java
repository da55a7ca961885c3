package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.ErrorCode;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.http.Validator;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The requests that change objects by S3's API, with {@code Content-MD5}. Thread-safe. */
public class ObjectWrites {

  private static final Pattern UPLOAD_ID =
      Pattern.compile("<(?:\\w+:)?UploadId>([^<]{1,2048})</(?:\\w+:)?UploadId>");

  private static final Pattern ETAG =
      Pattern.compile("<(?:\\w+:)?ETag>([^<]{1,256})</(?:\\w+:)?ETag>");

  /** The error codes, in an answer with status 200, after which the request is sent again. */
  private static final Set<String> MAY_PASS =
      Set.of("InternalError", "RequestTimeout", "ServiceUnavailable", "SlowDown");

  /** The error codes of a refusal because another change of the object is not finished yet. */
  private static final Set<String> UNDECIDED =
      Set.of("ConditionalRequestConflict", "OperationAborted");

  private final Addressing addressing;
  private final Requests requests;
  private final long mostListed;

  protected ObjectWrites(Addressing addressing, Requests requests, long mostListed) {
    this.addressing = addressing;
    this.requests = requests;
    this.mostListed = mostListed;
  }

  /** The exception for a server that does not support conditional requests. */
  public static final class UnknownConditionException extends IOException {
    private static final long serialVersionUID = 1;

    UnknownConditionException(String message) {
      super(message);
    }
  }

  /**
   * Puts an object if its present version is {@code version}, see {@link ObjectOutput#write}.
   * Returns the new version, empty if the server does not send it. Fails with {@link
   * ObjectOutput.ConflictException} if the object has another version, and with {@link
   * UnknownConditionException} if the server does not support conditional requests.
   */
  public String put(URI uri, ByteBuffer bytes, String version) throws IOException {
    return version(HttpObjects.await(putAsync(uri, bytes, version), uri.toString()));
  }

  /** Begins to put an object; the bytes must not change until the future is done or cancelled. */
  public CompletableFuture<Reply> putAsync(URI uri, ByteBuffer bytes, String version)
      throws IOException {
    return send(
        "PUT", addressing.object(uri), addressing.changesOnly(version), bytes, uri.toString());
  }

  public final String version(Reply reply) {
    return addressing.version(reply);
  }

  public void delete(URI uri) throws IOException {
    deleteAt(addressing.object(uri), uri + ", its deletion");
  }

  protected final void deleteAt(URI address, String described) throws IOException {
    try {
      sent("DELETE", address, Map.of(), HttpObjects.NO_BODY, described);
    } catch (FileNotFoundException absent) {
      return; // the object is already deleted
    }
  }

  /** Begins an upload in parts; returns the server's identifier of the upload. */
  public String begin(URI uri) throws IOException {
    String described = uri + ", the beginning of an upload";
    Reply reply =
        sent("POST", address(uri, Map.of("uploads", "")), Map.of(), HttpObjects.NO_BODY, described);
    Matcher id = UPLOAD_ID.matcher(new String(reply.body(), StandardCharsets.UTF_8));
    if (!id.find()) {
      throw new IOException(described + ": the server's answer has no UploadId");
    }
    return unescaped(id.group(1));
  }

  /** Begins to send a part, whose bytes must not change; returns its tag for {@link #complete}. */
  public CompletableFuture<String> part(URI uri, String id, int number, ByteBuffer bytes)
      throws IOException {
    Map<String, String> query = Map.of("partNumber", Integer.toString(number), "uploadId", id);
    String described = "%s, part %d of %d bytes".formatted(uri, number, bytes.remaining());
    return HttpObjects.answered(
        send("PUT", address(uri, query), Map.of(), bytes, described),
        reply -> {
          if (reply.header("etag").isEmpty()) {
            throw new IOException(described + ": the server gives no ETag for it");
          }
          return reply.header("etag");
        });
  }

  /**
   * Completes an upload: makes an object of the parts with {@code tags}, and returns its version.
   * Fails with {@link FileNotFoundException} if the upload was aborted or is already complete.
   */
  public String complete(URI uri, String id, List<String> tags, String version) throws IOException {
    StringBuilder xml = new StringBuilder("<CompleteMultipartUpload>");
    for (int i = 0; i < tags.size(); i++) {
      xml.append("<Part><PartNumber>").append(i + 1).append("</PartNumber><ETag>");
      xml.append(escaped(tags.get(i))).append("</ETag></Part>");
    }
    xml.append("</CompleteMultipartUpload>");
    ByteBuffer body = ByteBuffer.wrap(xml.toString().getBytes(StandardCharsets.UTF_8));
    String described = "%s, the completion of its %d parts".formatted(uri, tags.size());
    Map<String, String> headers = headers(addressing.changesOnly(version), body);
    Addressing.Question question =
        new Addressing.Question("POST", address(uri, Map.of("uploadId", id)), headers, body);
    Reply reply =
        HttpObjects.await(requests.send(new CompletionCall(question, described)), described);
    Matcher etag = ETAG.matcher(new String(reply.body(), StandardCharsets.UTF_8));
    return etag.find() ? Validator.strong(unescaped(etag.group(1))) : "";
  }

  public void abort(URI uri, String id) throws IOException {
    deleteAt(address(uri, Map.of("uploadId", id)), uri + ", the end of an upload");
  }

  public List<UploadsPage.Upload> uploads(URI prefix) throws IOException {
    List<UploadsPage.Upload> uploads = new ArrayList<>();
    String described = prefix + ", its uploads";
    String nextKey = "";
    String nextId = "";
    ListingLimit limit = new ListingLimit(described, mostListed);
    do {
      TreeMap<String, String> query = new TreeMap<>();
      query.put("uploads", "");
      query.put("prefix", KeyText.key(prefix));
      query.put("encoding-type", "url");
      if (!nextKey.isEmpty()) {
        query.put("key-marker", nextKey);
        query.put("upload-id-marker", nextId);
      }
      Reply reply =
          sent("GET", addressing.bucket(prefix, query), Map.of(), HttpObjects.NO_BODY, described);
      UploadsPage page = UploadsPage.parse(prefix, reply.body());
      int further = page.nextKey().compareTo(nextKey);
      if (!page.nextKey().isEmpty()
          && (further < 0 || (further == 0 && page.nextId().equals(nextId)))) {
        throw new IOException(described + ": the server's list repeats itself");
      }
      for (UploadsPage.Upload each : page.uploads()) {
        limit.count(each.key());
        uploads.add(each);
      }
      nextKey = page.nextKey();
      nextId = page.nextId();
    } while (!nextKey.isEmpty());
    return uploads;
  }

  /** Sends a request; the body must not change until the future is done. */
  protected final CompletableFuture<Reply> send(
      String method, URI address, Map<String, String> headers, ByteBuffer body, String described) {
    return requests.send(
        new WriteCall(
            new Addressing.Question(method, address, headers(headers, body), body), described));
  }

  protected final Reply sent(
      String method, URI address, Map<String, String> headers, ByteBuffer body, String described)
      throws IOException {
    return HttpObjects.await(send(method, address, headers, body, described), described);
  }

  protected boolean hasSucceeded(Reply reply) {
    return reply.isSuccess();
  }

  private URI address(URI uri, Map<String, String> query) throws IOException {
    return URI.create(addressing.object(uri) + KeyText.query(new TreeMap<>(query)));
  }

  private static Map<String, String> headers(Map<String, String> conditions, ByteBuffer body) {
    Map<String, String> headers = new TreeMap<>(conditions);
    if (body.hasRemaining()) {
      headers.put("Content-MD5", md5(body));
    }
    return headers;
  }

  private static String md5(ByteBuffer body) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      digest.update(body.duplicate());
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has MD5", impossible);
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private static String unescaped(String text) {
    return text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#34;", "\"")
        .replace("&amp;", "&");
  }

  private class WriteCall extends AddressedCall {
    private final boolean conditional;

    WriteCall(Addressing.Question question, String described) {
      super(addressing, question, described);
      this.conditional =
          question.headers().keySet().stream()
              .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains("if-"));
    }

    @Override
    public boolean hasSucceeded(Reply reply) {
      return ObjectWrites.this.hasSucceeded(reply);
    }

    @Override
    public boolean mayPass(Reply reply) {
      return reply.isTransient()
          || (reply.status() == 409 && UNDECIDED.contains(ErrorCode.of(reply.body())));
    }

    @Override
    protected IOException meaning(Reply reply) {
      return switch (reply.status()) {
        case 404, 410 -> absent(reply);
        case 409, 412 ->
            new ObjectOutput.ConflictException(
                describe(), "the server has another one, " + reply.words());
        case 501 ->
            conditional
                ? new UnknownConditionException(describe() + ": the server knows no conditions")
                : refused(reply);
        default ->
            reply.code().equals("InvalidBlockList") // Azure: another writer has put the blob
                ? new ObjectOutput.ConflictException(describe(), "the server has lost its parts")
                : refused(reply);
      };
    }

    private IOException absent(Reply reply) {
      String code = ErrorCode.of(reply.body());
      if (code.equals("NoSuchBucket")) {
        return new FileNotFoundException(describe() + ": there is no such bucket");
      }
      // S3 answers 404 if a version is required and the object is absent.
      return conditional && !code.equals("NoSuchUpload")
          ? new ObjectOutput.ConflictException(describe(), "the server no longer has one")
          : new FileNotFoundException(describe() + ": the server has no such thing");
    }

    private IOException refused(Reply reply) {
      return new IOException(
          "%s: the server refuses, %s. %s. %s"
              .formatted(
                  describe(), reply.words(), addressing.advice(reply), addressing.permissions()));
    }
  }

  /** The completion of an upload. S3 may report a failure after it has sent the status 200. */
  private final class CompletionCall extends WriteCall {

    CompletionCall(Addressing.Question question, String described) {
      super(question, described);
    }

    @Override
    public boolean hasSucceeded(Reply reply) {
      return reply.isSuccess() && ErrorCode.of(reply.body()).isEmpty();
    }

    @Override
    public boolean mayPass(Reply reply) {
      return super.mayPass(reply)
          || (reply.isSuccess() && MAY_PASS.contains(ErrorCode.of(reply.body())));
    }
  }
}
