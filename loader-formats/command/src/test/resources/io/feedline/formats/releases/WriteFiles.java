import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;

/** Called by make, with a release's feedline.jar on the class path: images, states, the record of a run. */
public class WriteFiles {

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
  }

  private static Dataset<Long> numbers() {
    return Dataset.of(LongStream.range(0, 100).boxed().toList());
  }

  /** A state after three batches of the second epoch, what follows in that epoch, and the record of the run. */
  private static void state(Path out, String name, DataLoaderBuilder<Long> builder) throws Exception {
    try (DataLoader<Long> loader = builder.numWorkers(1).build()) {
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
