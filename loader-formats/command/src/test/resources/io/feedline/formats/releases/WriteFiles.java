import com.sun.net.httpserver.HttpServer;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem;
import java.awt.image.BufferedImage;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;

/** Called by make, with a release's feedline.jar on the class path: images, states, the record of a run, a cache. */
public class WriteFiles {
  /** A part of the names in the cache. */
  private static final int PORT = 41999;

  public static void main(String[] args) throws Exception {
    Path out = Path.of(args[0]);
    for (int i = 0; i < 6; i++) {
      BufferedImage image = new BufferedImage(48 + i, 40, BufferedImage.TYPE_INT_RGB);
      for (int y = 0; y < image.getHeight(); y++) {
        for (int x = 0; x < image.getWidth(); x++) {
          image.setRGB(x, y, (5 * x + 40 * i & 255) << 16 | (6 * y & 255) << 8 | (x * y / 8 & 255));
        }
      }
      String type = i == 4 ? "png" : "jpg";
      Path file = out.resolve("images").resolve(i % 2 == 0 ? "even" : "odd").resolve(i + "." + type);
      Files.createDirectories(file.getParent());
      ImageIO.write(image, type, file.toFile());
    }
    state(out, "shuffled", DataLoader.builder(numbers()).batchSize(8).shuffle(true).seed(7));
    state(out, "of-a-rank", DataLoader.builder(numbers()).batchSize(4).shuffle(true).seed(7).distributed(1, 3));
    state(out, "torch", DataLoader.builder(numbers()).batchSize(8).torchOrder(7));
    Path lines = Files.write(out.resolve("lines.txt"), LongStream.range(0, 100).mapToObj(i -> "line " + i).toList());
    state(out, "lines", DataLoader.builder(IterableDataset.lines(lines)).batchSize(8));
    cache(out.resolve("cache"));
  }

  /** Reads an object of 3000 bytes, i / 10 at i, through a cache. */
  private static void cache(Path directory) throws Exception {
    byte[] bytes = new byte[3000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i / 10);
    }
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 0);
    server.createContext("/", exchange -> {
      exchange.getResponseHeaders().add("ETag", "\"v1\"");
      boolean head = exchange.getRequestMethod().equals("HEAD");
      if (head) {
        exchange.getResponseHeaders().add("Content-Length", "3000");
      } else {
        exchange.getResponseHeaders().add("Content-Range", "bytes 0-2999/3000");
      }
      exchange.sendResponseHeaders(head ? 200 : 206, head ? -1 : bytes.length);
      if (!head) {
        exchange.getResponseBody().write(bytes);
      }
      exchange.close();
    });
    server.start();
    URI endpoint = URI.create("http://127.0.0.1:" + PORT);
    try (FileSystem bucket = RemoteFileSystem.s3("bucket").endpoint(endpoint).anonymous().build()) {
      Path object = DiskCache.at(directory).cacheBytes(1 << 20).build().inFrontOf(bucket.getPath("/object"));
      Files.readAllBytes(object);
      object.getFileSystem().close();
    } finally {
      server.stop(0);
    }
  }

  private static Dataset<Long> numbers() {
    return Dataset.of(LongStream.range(0, 100).boxed().toList());
  }

  /** A state after three batches of the second epoch, what follows in that epoch, and the record of the run. */
  private static <T> void state(Path out, String name, DataLoaderBuilder<T> builder) throws Exception {
    try (DataLoader<T> loader = builder.numWorkers(1).build()) {
      for (Batch batch : loader) {
        batch.close();
      }
      List<String> following = new ArrayList<>();
      int batches = 0;
      for (Batch batch : loader) {
        try (batch) {
          if (++batches > 3) {
            following.add(Arrays.toString(batch.indices()));
          } else if (batches == 3) {
            Files.writeString(out.resolve(name + ".state.json"), loader.state().toJson());
          }
        }
      }
      Files.write(out.resolve(name + ".following.txt"), following);
      if (name.equals("shuffled")) {
        Files.writeString(out.resolve("run.json"), loader.runRecord().toJson());
      }
    }
  }
}
