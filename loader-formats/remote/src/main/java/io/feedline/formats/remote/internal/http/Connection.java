package io.feedline.formats.remote.internal.http;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A connection by HTTP/1.1 (RFC 9112). One thread uses it; another thread may close it. */
final class Connection implements Closeable {

  private static final int BUFFER_BYTES = 1 << 15;
  private static final int MOST_OF_A_HEAD = 1 << 17;

  /** The largest number of interim answers (status 1xx) before the final answer. */
  private static final int MOST_INTERIM = 8;

  /** The first byte of a TLS alert, which a TLS server sends to a request without TLS. */
  private static final byte TLS_ALERT = 0x15;

  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-9][0-9]{2}( .*)?");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9a-fA-F]{1,15}");

  /** The server of a connection. A request can use any connection to its server. */
  record Origin(String host, int port, boolean secure) {
    static Origin of(Request request) {
      return new Origin(
          request.host().toLowerCase(Locale.ROOT), request.port(), request.isSecure());
    }
  }

  private final Origin origin;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;

  private boolean viaProxy;
  private InputStream in;
  private OutputStream out;
  private boolean used;
  private boolean reusable;
  private volatile long sent;
  private long idleSince;

  /** The TCP socket, to close it at once; closing TLS would wait. Guarded by this. */
  private Socket socket;

  private boolean closed;

  Connection(Origin origin) {
    this.origin = origin;
  }

  Origin origin() {
    return origin;
  }

  boolean wasUsed() {
    return used;
  }

  boolean isReusable() {
    return reusable;
  }

  long sent() {
    return sent;
  }

  void rest(long nanoTime) {
    idleSince = nanoTime;
  }

  long idleSince() {
    return idleSince;
  }

  /** Connects, through a proxy if set; a null {@code trust} means the JVM's certificates. */
  void open(URI address, int timeoutMillis, @Nullable SSLContext trust) throws IOException {
    Proxy proxy = proxy(address);
    Socket plain;
    if (proxy.type() == Proxy.Type.DIRECT) {
      plain = connectToHost(timeoutMillis);
    } else if (proxy.type() == Proxy.Type.HTTP && !origin.secure) {
      viaProxy = true;
      plain = connect(new Socket(Proxy.NO_PROXY), resolved(proxy), timeoutMillis);
    } else { // SOCKS, or a tunnel
      InetSocketAddress target = InetSocketAddress.createUnresolved(origin.host, origin.port);
      plain = connect(new Socket(proxy), target, timeoutMillis);
    }
    Socket open = origin.secure ? secured(plain, trust) : plain;
    in = open.getInputStream();
    out = open.getOutputStream();
  }

  private static Proxy proxy(URI address) {
    ProxySelector selector = ProxySelector.getDefault();
    List<Proxy> proxies = selector == null ? List.of() : selector.select(address);
    return proxies.isEmpty() ? Proxy.NO_PROXY : proxies.get(0);
  }

  private static InetSocketAddress resolved(Proxy proxy) {
    InetSocketAddress address = (InetSocketAddress) proxy.address();
    return address.isUnresolved()
        ? new InetSocketAddress(address.getHostString(), address.getPort())
        : address;
  }

  /** Connects to the first of the host's addresses that answers. */
  private Socket connectToHost(int timeoutMillis) throws IOException {
    IOException failure = null;
    for (InetAddress each : InetAddress.getAllByName(origin.host)) {
      try {
        return connect(
            new Socket(Proxy.NO_PROXY), new InetSocketAddress(each, origin.port), timeoutMillis);
      } catch (IOException unreachable) {
        if (isClosed()) {
          throw unreachable;
        }
        if (failure == null) {
          failure = unreachable;
        } else {
          failure.addSuppressed(unreachable);
        }
      }
    }
    throw failure;
  }

  private Socket connect(Socket unconnected, InetSocketAddress target, int timeoutMillis)
      throws IOException {
    hold(unconnected);
    try {
      unconnected.setTcpNoDelay(true);
      unconnected.connect(target, timeoutMillis);
      return unconnected;
    } catch (IOException | RuntimeException failure) {
      unconnected.close();
      if (target.isUnresolved() && !(failure instanceof SocketException)) {
        throw new IOException("the proxy makes no tunnel"); // the JDK's message quotes the proxy
      }
      throw failure;
    }
  }

  private Socket secured(Socket plain, SSLContext trust) throws IOException {
    SSLContext context = trust == null ? trustOfJvm() : trust;
    SSLSocket secured =
        (SSLSocket) context.getSocketFactory().createSocket(plain, origin.host, origin.port, true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    try {
      secured.startHandshake();
    } catch (SSLException refused) {
      if (refused.getClass() == SSLException.class) { // the server's first bytes are not TLS
        throw new Failures.WrongAnswer("the server does not speak TLS; is its address http://?");
      }
      if (refused.getCause() instanceof EOFException) {
        throw new Failures.WrongAnswer(
            "the server ends the connection where TLS begins; is its address http://?");
      }
      throw refused;
    }
    return secured;
  }

  private static SSLContext trustOfJvm() throws IOException {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException misconfigured) {
      throw new IOException("this JVM has no TLS", misconfigured);
    }
  }

  private void hold(Socket current) throws IOException {
    synchronized (this) {
      socket = current;
      if (!closed) {
        return;
      }
    }
    current.close();
    throw new IOException("the connection was closed before it was made");
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() throws IOException {
    Socket open;
    synchronized (this) {
      closed = true;
      open = socket;
    }
    if (open != null) {
      open.close();
    }
  }

  /** The exception for a connection that the server closed before it answered. */
  static final class StaleException extends IOException {
    private static final long serialVersionUID = 1;

    StaleException(IOException cause, String hint) {
      super(
          "the connection has ended without an answer (" + cause.getMessage() + ")" + hint, cause);
    }
  }

  Reply exchange(Request request, Body body) throws IOException {
    reusable = false;
    position = 0;
    limit = 0;
    sent = 0;
    try {
      send(request);
    } catch (IOException broken) {
      return answerTo(request, body, broken);
    }
    return answer(request, body);
  }

  /** Returns the answer to a request that was sent only in part: it may be an early refusal. */
  private Reply answerTo(Request request, Body body, IOException broken) throws IOException {
    try {
      return answer(request, body);
    } catch (StaleException unanswered) {
      throw stale(broken);
    } catch (IOException alsoBroken) {
      broken.addSuppressed(alsoBroken);
      throw broken;
    } finally {
      reusable = false;
    }
  }

  private void send(Request request) throws IOException {
    byte[] head = request.head(viaProxy);
    ByteBuffer bytes = request.body();
    if (bytes.remaining() <= BUFFER_BYTES - head.length) {
      int length = head.length + bytes.remaining();
      byte[] whole = Arrays.copyOf(head, length);
      bytes.get(bytes.position(), whole, head.length, bytes.remaining());
      out.write(whole);
    } else {
      out.write(head);
      for (int at = bytes.position(); at < bytes.limit(); at += BUFFER_BYTES) {
        int some = Math.min(BUFFER_BYTES, bytes.limit() - at);
        out.write(bytes.array(), bytes.arrayOffset() + at, some);
        sent = (long) at + some - bytes.position();
      }
    }
    out.flush();
  }

  private Reply answer(Request request, Body body) throws IOException {
    awaitAnswer();
    used = true;
    int status = 0;
    boolean persistent = true;
    HttpHeaders headers = null;
    for (int interim = 0; headers == null; interim++) {
      String line = line();
      status = status(line);
      persistent = line.startsWith("HTTP/1.1");
      HttpHeaders read = headers();
      if (status >= 200) {
        headers = read;
      } else if (status == 101 || interim == MOST_INTERIM) {
        throw new IOException("the server answers with status " + status);
      }
    }
    body.begin(status, headers);
    boolean bounded = readBody(request, status, headers, body);
    reusable = persistent && bounded && !closes(headers) && position == limit;
    return body.end();
  }

  private void awaitAnswer() throws IOException {
    int got;
    try {
      got = in.read(buffer);
    } catch (IOException broken) {
      throw isClosed() ? broken : stale(broken);
    }
    if (got < 0) {
      throw stale(new EOFException("the server has closed it"));
    }
    if (buffer[0] == TLS_ALERT && !origin.secure) {
      throw new Failures.WrongAnswer("the server speaks TLS; is its address https://?");
    }
    limit = got;
  }

  private StaleException stale(IOException broken) {
    boolean mayExpectTls = !used && !origin.secure;
    return new StaleException(
        broken, mayExpectTls ? ", as a server that expects https:// ends it" : "");
  }

  private static boolean closes(HttpHeaders headers) {
    return headers.allValues("connection").stream()
        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
  }

  private static int status(String line) throws IOException {
    if (!STATUS_LINE.matcher(line).matches()) {
      throw new Failures.WrongAnswer("the answer does not begin as one of HTTP/1.1 does");
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private HttpHeaders headers() throws IOException {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int bytes = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      bytes += line.length();
      int colon = line.indexOf(':');
      String header = line.substring(0, Math.max(0, colon));
      if (header.isEmpty() || !header.equals(header.trim()) || bytes > MOST_OF_A_HEAD) {
        throw new Failures.WrongAnswer("the answer has a head that is not HTTP's");
      }
      headers
          .computeIfAbsent(header, name -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    return HttpHeaders.of(headers, (name, value) -> true);
  }

  /** Reads the body. Returns false if only the end of the connection ends the body. */
  private boolean readBody(Request request, int status, HttpHeaders headers, Body body)
      throws IOException {
    if (request.isHead() || status == 204 || status == 304) {
      return true;
    }
    String coding = headers.firstValue("transfer-encoding").orElse("");
    if (coding.equalsIgnoreCase("chunked")) {
      readChunks(body);
      return true;
    }
    if (!coding.isEmpty()) {
      throw new Failures.WrongAnswer("the body has a transfer coding that is not read");
    }
    String length = headers.firstValue("content-length").orElse("");
    if (length.isEmpty()) {
      readBytes(Long.MAX_VALUE, body);
      return false;
    }
    if (!LENGTH.matcher(length).matches() || headers.allValues("content-length").size() > 1) {
      throw new Failures.WrongAnswer("the body has no length that can be read");
    }
    if (!readBytes(Long.parseLong(length), body)) {
      throw new IOException(
          "the body ended after %d of %s bytes".formatted(body.received(), length));
    }
    return true;
  }

  private boolean readBytes(long bytes, Body body) throws IOException {
    for (long left = bytes; left > 0; ) {
      if (position == limit && !fill()) {
        return false;
      }
      int some = (int) Math.min(left, limit - position);
      body.write(ByteBuffer.wrap(buffer, position, some));
      position += some;
      left -= some;
    }
    return true;
  }

  private void readChunks(Body body) throws IOException {
    while (true) {
      String line = line();
      int end = line.indexOf(';');
      String size = (end < 0 ? line : line.substring(0, end)).strip();
      if (!CHUNK_SIZE.matcher(size).matches()) {
        throw new Failures.WrongAnswer("the body has a chunk whose size cannot be read");
      }
      long bytes = Long.parseLong(size, 16);
      if (bytes == 0) {
        headers();
        return;
      }
      if (!readBytes(bytes, body) || !line().isEmpty()) {
        throw new IOException("the body ends within a chunk, or behind it");
      }
    }
  }

  /** Reads a line as Latin-1; returns it without the line break. */
  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      line.append(new String(buffer, position, end - position, StandardCharsets.ISO_8859_1));
      position = end;
      if (end < limit) {
        position++;
        int last = line.length() - 1;
        return last >= 0 && line.charAt(last) == '\r' ? line.substring(0, last) : line.toString();
      }
      if (line.length() > MOST_OF_A_HEAD) {
        throw new IOException(
            "the answer has a line of more than %d bytes".formatted(MOST_OF_A_HEAD));
      }
      if (!fill()) {
        throw new EOFException("the connection ends within the head of the answer");
      }
    }
  }

  private boolean fill() throws IOException {
    int got = in.read(buffer);
    position = 0;
    limit = Math.max(0, got);
    return got >= 0;
  }
}
