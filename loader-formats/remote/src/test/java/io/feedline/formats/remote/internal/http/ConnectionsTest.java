package io.feedline.formats.remote.internal.http;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP as servers speak it, over sockets whose other end is a script. */
@Timeout(60)
class ConnectionsTest {

  private static final long LONG = TimeUnit.MINUTES.toNanos(10);

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final List<AutoCloseable> open = new ArrayList<>();

  private interface Script {
    void run(Server server, Socket socket) throws IOException;
  }

  private final class Server implements AutoCloseable {
    private final ServerSocket socket;
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile byte[] body;
    private final List<String> heads = Collections.synchronizedList(new ArrayList<>());
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());

    Server(ServerSocket socket, Script script) {
      this.socket = socket;
      open.add(this);
      Thread acceptor =
          new Thread(
              () -> {
                try {
                  while (true) {
                    Socket each = socket.accept();
                    sockets.add(each);
                    accepted.incrementAndGet();
                    Thread talk = new Thread(() -> talk(script, each), "server");
                    talk.setDaemon(true);
                    talk.start();
                  }
                } catch (IOException closed) {
                  // The test is over.
                }
              });
      acceptor.setDaemon(true);
      acceptor.start();
    }

    private void talk(Script script, Socket each) {
      try (each) {
        script.run(this, each);
      } catch (IOException over) {
        // The other side has had enough.
      }
    }

    URI address(String path) {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort() + path);
    }

    /** Reads a request with its body, and returns its head. */
    String receive(Socket from) throws IOException {
      InputStream in = from.getInputStream();
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int each = in.read();
        if (each < 0) {
          throw new EOFException();
        }
        head.append((char) each);
      }
      int length = head.indexOf("Content-Length: ");
      if (length >= 0) {
        String digits = head.substring(length + 16, head.indexOf("\r\n", length));
        body = in.readNBytes(Integer.parseInt(digits));
      }
      heads.add(head.toString());
      return head.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
      for (Socket each : List.copyOf(sockets)) {
        each.close();
      }
    }
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    timer.shutdownNow();
  }

  private Server server(Script script) throws IOException {
    return new Server(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
  }

  /**
   * A server that gives each connection these answers, one for each request, and then closes it.
   */
  private Server answering(String... answers) throws IOException {
    return server((server, socket) -> answer(server, socket, answers));
  }

  private static void answer(Server server, Socket socket, String... answers) throws IOException {
    for (String answer : answers) {
      server.receive(socket);
      socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
    }
  }

  private Connections connections() {
    return connections(null, LONG);
  }

  private Connections connections(SSLContext trust, long idleNanos) {
    Connections connections = new Connections(10_000, timer, trust, idleNanos);
    open.add(connections);
    return connections;
  }

  private static Reply get(Connections connections, URI address) throws Exception {
    return send(connections, "GET", address, new byte[0]);
  }

  private static Reply send(Connections connections, String method, URI address, byte[] body)
      throws Exception {
    Request request = new Request(method, address, Map.of("X-A", "1"), ByteBuffer.wrap(body));
    try {
      return begin(connections, request, exchange -> {}).get();
    } catch (ExecutionException failed) {
      throw (Exception) failed.getCause();
    }
  }

  private static CompletableFuture<Reply> begin(
      Connections connections, Request request, Consumer<Connections.Exchange> begun) {
    CompletableFuture<Reply> future = new CompletableFuture<>();
    begun.accept(
        connections.begin(
            request,
            Body.upTo(1 << 20, length -> {}),
            (reply, failure) -> {
              if (failure == null) {
                future.complete(reply);
              } else {
                future.completeExceptionally(failure);
              }
            }));
    return future;
  }

  private static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static String text(Reply reply) {
    return new String(reply.body(), ISO_8859_1);
  }

  @Test
  void shouldSendPathQueryHostAndHeaders() throws Exception {
    Server server = answering(ok("a"));
    get(connections(), server.address("/b/c%20d?x=%2F&y"));
    int port = server.socket.getLocalPort();
    assertThat(server.heads)
        .containsExactly(
            "GET /b/c%20d?x=%2F&y HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nX-A: 1\r\n\r\n");
  }

  @Test
  void shouldSendBodiesOfAnyLength() throws Exception {
    for (int length : new int[] {0, 1, 1 << 14, 1 << 20}) {
      byte[] body = new byte[length];
      Arrays.fill(body, (byte) 'x');
      Server server = answering(ok(""));

      assertThat(send(connections(), "PUT", server.address("/"), body).status()).isEqualTo(200);
      assertThat(server.heads.get(0)).contains("Content-Length: " + length + "\r\n");
      assertThat(server.body).isEqualTo(body);
    }
  }

  @Test
  void shouldRefuseHeadersThatWouldEndTheirLine() {
    assertThatThrownBy(
            () ->
                new Request(
                    "GET",
                    URI.create("http://host/"),
                    Map.of("If-Match", "a\r\nX: b"),
                    ByteBuffer.allocate(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("If-Match");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chunks            | 200 OK~Transfer-Encoding: chunked~~3~abc~4;x=y~defg~0~T: 1~~ | abcdefg",
        "an empty chunk    | 200 OK~Transfer-Encoding: chunked~~0~~                       | ''",
        "a length          | 200 OK~content-length:   3~~abc                              | abc",
        "no length         | 200 OK~X: y~~abc                                             | abc",
        "an empty body     | 200 OK~Content-Length: 0~~                                   | ''",
        "interim answers   | 100 OK~~HTTP/1.1 103 Early~X: y~~HTTP/1.1 200 OK~X: y~~abc   | abc",
      })
  void shouldReadABodyWith(String what, String answer, String body) throws Exception {
    Server server = answering(("HTTP/1.1 " + answer).replace("~", "\r\n"));
    assertThat(text(get(connections(), server.address("/")))).as(what).isEqualTo(body);
  }

  @Test
  void shouldReadAnAnswerThatComesByteForByte() throws Exception {
    Server server =
        server(
            (itself, socket) -> {
              itself.receive(socket);
              socket.setTcpNoDelay(true);
              OutputStream out = socket.getOutputStream();
              String whole = "HTTP/1.1 200 OK\r\nETag: \"e\"\r\nTransfer-Encoding: chunked\r\n\r\n";
              for (byte each : (whole + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n").getBytes(ISO_8859_1)) {
                out.write(each);
              }
            });
    Reply reply = get(connections(), server.address("/"));
    assertThat(text(reply)).isEqualTo("abc");
    assertThat(reply.header("etag")).isEqualTo("\"e\"");
  }

  @Test
  void shouldExpectNoBodyAfterHead() throws Exception {
    Server server = answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", ok("after"));
    Connections connections = connections();
    Reply reply = send(connections, "HEAD", server.address("/"), new byte[0]);
    assertThat(reply.header("content-length")).isEqualTo("5");
    assertThat(text(get(connections, server.address("/")))).isEqualTo("after");
    assertThat(server.accepted).hasValue(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SSH-2.0-OpenSSH~~                                       | does not begin as one of"
            + " HTTP/1.1",
        "HTTP/1.1 20 OK~~                                        | does not begin as one of"
            + " HTTP/1.1",
        "HTTP/1.1 200 OK~no colon~~                              | a head that is not HTTP's",
        "HTTP/1.1 200 OK~Content-Length: 5~~abc                  | ended after 3 of 5 bytes",
        "HTTP/1.1 200 OK~Content-Length: -5~~abc                 | no length that can be read",
        "HTTP/1.1 200 OK~Content-Length: 1~Content-Length: 2~~ab | no length that can be read",
        "HTTP/1.1 200 OK~Transfer-Encoding: gzip~~abc            | a transfer coding",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~x~abc~      | a chunk whose size cannot be"
            + " read",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~abc       | the body ends within a chunk",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2~abc~      | the body ends within a chunk",
        "HTTP/1.1 200 OK~X: y                                    | ends within the head of the"
            + " answer",
        "HTTP/1.1 101 Switching Protocols~~                      | status 101",
        "''                                                      | ended without an answer",
      })
  void shouldRefuseAnAnswer(String answer, String reason) throws Exception {
    Server server = answering(answer.replace("~", "\r\n"));
    Connections connections = connections();
    refused(IOException.class, () -> get(connections, server.address("/")), reason);
  }

  @Test
  void shouldRefuseAHeadWithoutAnEnd() throws Exception {
    Server server =
        server(
            (itself, socket) -> {
              OutputStream out = socket.getOutputStream();
              out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(ISO_8859_1));
              byte[] much = new byte[1 << 16];
              Arrays.fill(much, (byte) 'x');
              while (true) {
                out.write(much);
              }
            });
    Connections connections = connections();
    refused(IOException.class, () -> get(connections, server.address("/")), "a line of more than");
  }

  @Test
  void shouldTakeARefusalThatComesBeforeTheBodyWasSent() throws Exception {
    String refusal = "HTTP/1.1 403 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    Server server =
        server(
            (itself, socket) -> {
              socket.getInputStream().readNBytes(100);
              socket.getOutputStream().write(refusal.getBytes(ISO_8859_1));
              socket.shutdownOutput();
              socket.getInputStream().readAllBytes();
            });

    assertThat(send(connections(), "PUT", server.address("/"), new byte[1 << 20]).status())
        .isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 200 OK~Connection: Close~Content-Length: 1~~a",
        "HTTP/1.0 200 OK~Content-Length: 1~~a",
        "HTTP/1.1 200 OK~Content-Length: 1~~ab",
      })
  void shouldNotUseAConnectionAgainAfter(String answer) throws Exception {
    Server server = answering(answer.replace("~", "\r\n"), ok("never"));
    Connections connections = connections();
    for (int i = 0; i < 2; i++) {
      assertThat(text(get(connections, server.address("/")))).isEqualTo("a");
    }
    assertThat(server.accepted).hasValue(2);
  }

  @Test
  void shouldUseAConnectionAgainAndAskAgainWhereItWasClosedMeanwhile() throws Exception {
    Server server = answering(ok("a"), ok("a"));
    Connections connections = connections();

    for (int i = 0; i < 4; i++) {
      assertThat(text(get(connections, server.address("/")))).isEqualTo("a");
    }
    assertThat(server.accepted).hasValue(2);
  }

  @Test
  void shouldNotPostTwice() throws Exception {
    Server server = answering(ok("a"));
    Connections connections = connections();
    send(connections, "POST", server.address("/"), new byte[1]);
    assertThatThrownBy(() -> send(connections, "POST", server.address("/"), new byte[1]))
        .isInstanceOf(Connection.StaleException.class)
        .hasMessageContaining("without an answer");
  }

  @Test
  void shouldCloseConnectionsThatNobodyUses() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Server server =
        server(
            (itself, socket) -> {
              answer(itself, socket, ok("a"));
              if (socket.getInputStream().read() < 0) {
                ended.countDown();
              }
            });
    get(connections(null, 1), server.address("/"));
    ended.await();
  }

  @Test
  void shouldEndWhatIsBrokenOff() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Server server =
        server(
            (itself, socket) -> {
              socket.getInputStream().read();
              asked.countDown();
              try {
                socket.getInputStream().readAllBytes();
              } finally {
                ended.countDown();
              }
            });
    AtomicReference<Connections.Exchange> exchange = new AtomicReference<>();
    Request request = new Request("GET", server.address("/"), Map.of(), ByteBuffer.allocate(0));
    CompletableFuture<Reply> future = begin(connections(), request, exchange::set);
    asked.await();
    exchange.get().breakOff();
    ended.await();
    assertThatThrownBy(future::get).hasCauseInstanceOf(IOException.class);
  }

  @Test
  void shouldAskAProxyThatTheSystemNames() throws Exception {
    Server proxy = answering(ok("by proxy"));
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            return List.of(
                new Proxy(
                    Proxy.Type.HTTP,
                    InetSocketAddress.createUnresolved("127.0.0.1", proxy.socket.getLocalPort())));
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        });
    try {
      Reply reply = get(connections(), URI.create("http://nowhere.invalid/a?b"));
      assertThat(text(reply)).isEqualTo("by proxy");
      assertThat(proxy.heads.get(0))
          .startsWith("GET http://nowhere.invalid/a?b HTTP/1.1\r\nHost: nowhere.invalid\r\n");
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  /** A certificate of its own signature for a name, and who believes it. */
  private static SSLContext context(Path directory, String name) throws Exception {
    Path file = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                (Path.of(System.getProperty("java.home"), "bin", "keytool")
                        + " -genkeypair -keyalg EC -dname CN=test -storetype PKCS12"
                        + " -storepass password -ext san=%s -keystore %s".formatted(name, file))
                    .split(" ", -1))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), ISO_8859_1);
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, "password".toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, "password".toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("it", keys.getCertificate(keys.aliases().nextElement()));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private URI secure(SSLContext context, String... answers) throws Exception {
    ServerSocket socket =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Server unused = new Server(socket, (server, each) -> answer(server, each, answers));
    return URI.create("https://127.0.0.1:" + socket.getLocalPort() + "/");
  }

  @Test
  void shouldReadOverTls(@TempDir Path directory) throws Exception {
    SSLContext context = context(directory, "ip:127.0.0.1");
    String large = "x".repeat(1 << 18);
    URI address = secure(context, ok(large), ok("b"));
    Connections connections = connections(context, LONG);
    assertThat(text(get(connections, address))).isEqualTo(large);
    assertThat(text(get(connections, address))).isEqualTo("b");
  }

  @Test
  void shouldSayThatAServerDoesNotSpeakTls() throws Exception {
    Server answers =
        server(
            (itself, socket) -> {
              socket.getInputStream().readNBytes(5);
              socket.getOutputStream().write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(ISO_8859_1));
            });
    Server closes = server((itself, socket) -> socket.getInputStream().readNBytes(5));
    for (Server server : List.of(answers, closes)) {
      Connections connections = connections();
      URI address = URI.create(server.address("/").toString().replace("http:", "https:"));
      assertThatThrownBy(() -> get(connections, address))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("is its address http://?")
          .satisfies(failure -> assertThat(Failures.lasts(failure)).isTrue());
    }
  }

  @Test
  void shouldSayThatAServerExpectsTls() throws Exception {
    Connections connections = connections();
    Server alerts =
        server(
            (itself, socket) -> {
              itself.receive(socket);
              socket.getOutputStream().write(new byte[] {0x15, 3, 1, 0, 2, 2, 70});
            });
    assertThatThrownBy(() -> get(connections, alerts.address("/")))
        .hasMessage("the server speaks TLS; is its address https://?")
        .satisfies(failure -> assertThat(Failures.lasts(failure)).isTrue());
    Server closes = server((itself, socket) -> itself.receive(socket));
    assertThatThrownBy(() -> get(connections, closes.address("/")))
        .hasMessageEndingWith(", as a server that expects https:// ends it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ip:127.0.0.1", "dns:another.host"})
  void shouldTakeNoCertificateThatIsNotTrustedOrOfAnotherHost(String name, @TempDir Path directory)
      throws Exception {
    SSLContext context = context(directory, name);
    URI address = secure(context, ok("secret"));
    Connections connections = connections(name.startsWith("dns") ? context : null, LONG);

    assertThatThrownBy(() -> get(connections, address))
        .isInstanceOf(SSLHandshakeException.class)
        .satisfies(failure -> assertThat(Failures.lasts(failure)).isTrue());
  }
}
