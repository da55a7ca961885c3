package io.feedline.formats.remote.internal.azure;

import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.s3.Addressing;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ListingPage;
import io.feedline.formats.remote.internal.s3.ObjectWrites;
import io.feedline.formats.remote.internal.s3.PlainAddressing;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The addressing of blobs of an Azure account by Azure's REST API; a container is a bucket. */
public final class AzureAddressing implements Addressing {

  private static final Set<String> TOO_OLD =
      Set.of("", "AuthenticationFailed", "InvalidAuthenticationInfo", "ExpiredAuthenticationToken");

  private final URI endpoint;
  private final boolean namesContainers;
  private final AzureCredentials credentials;

  /**
   * Creates the addressing. If {@code namesContainers} is true, the authority of an object's URI is
   * the container, as in az://; otherwise the object's key begins with the container.
   */
  AzureAddressing(URI endpoint, boolean namesContainers, AzureCredentials credentials) {
    this.endpoint = endpoint;
    this.namesContainers = namesContainers;
    this.credentials = credentials;
  }

  @Override
  public String server() {
    return namesContainers ? endpoint.toString() : "";
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public URI object(URI uri) {
    String key = KeyText.encoded(KeyText.key(uri));
    return URI.create(
        endpoint + (namesContainers ? "/" + uri.getRawAuthority() + "/" + key : "/" + key));
  }

  @Override
  public RemoteObject found(URI uri, Reply reply) throws IOException {
    if (reply.header("x-ms-resource-type").equals("directory")) {
      throw new FileNotFoundException(uri + ": this is a directory");
    }
    return Addressing.super.found(uri, reply);
  }

  @Override
  public Question page(URI prefix, String token, int most) throws IOException {
    String key = KeyText.key(prefix);
    int slash = key.indexOf('/');
    if (!namesContainers && slash < 0) {
      throw new FileNotFoundException(prefix + ": containers are not listed; name one");
    }
    String container = namesContainers ? prefix.getRawAuthority() : key.substring(0, slash);
    SortedMap<String, String> query = new TreeMap<>();
    query.put("restype", "container");
    query.put("comp", "list");
    query.put("prefix", namesContainers ? key : key.substring(slash + 1));
    if (!token.isEmpty()) {
      query.put("marker", token);
    }
    if (most > 0) {
      query.put("maxresults", Integer.toString(most));
    }
    return new Question("GET", URI.create(endpoint + "/" + container + KeyText.query(query)));
  }

  @Override
  public ListingPage listed(URI prefix, Reply reply) throws IOException {
    String key = KeyText.key(prefix);
    return BlobsPage.parse(
        prefix, namesContainers ? "" : key.substring(0, key.indexOf('/') + 1), reply.body());
  }

  @Override
  public Request request(String method, URI address, Map<String, String> headers, ByteBuffer body)
      throws IOException {
    Map<String, String> all = PlainAddressing.common(headers);
    return Request.isSameServer(address, endpoint)
        ? credentials.sign(method, address, all, body)
        : new Request(method, address, all, body);
  }

  @Override
  public boolean renew(Reply reply, long signedNanos) throws IOException {
    return (reply.status() == 401 || reply.status() == 403)
        && TOO_OLD.contains(reply.code())
        && credentials.renew(signedNanos);
  }

  @Override
  public String advice(Reply reply) {
    return switch (reply.code()) {
      case "AuthenticationFailed" ->
          "The key, signature or token is wrong or too old, or the clock of this machine is wrong";
      case "PublicAccessNotPermitted", "NoAuthenticationInformation" ->
          "It is not public: see AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN";
      case "KeyBasedAuthenticationNotPermitted" ->
          "The account takes no keys: see AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, AZURE_TENANT_ID";
      default ->
          switch (reply.status()) {
            case 401, 403, 404, 409 ->
                credentials.isAnonymous()
                    ? "It is read without credentials (anonymous)"
                    : "See the role (Storage Blob Data Reader), or what the signature permits";
            default -> reply.isRedirect() ? "This redirect is not followed" : "It cannot be read";
          };
    };
  }

  @Override
  public String permissions() {
    return "Writing takes the role Storage Blob Data Contributor, or a signature for sp=racwdl";
  }

  @Override
  public ObjectWrites writes(Requests requests, long mostListed) {
    return new AzureWrites(this, requests, mostListed);
  }
}
