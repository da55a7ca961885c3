package io.feedline.examples;

import io.feedline.formats.image.ImageFolder;
import io.feedline.formats.image.ImageStoreWriter;
import io.feedline.sampler.Order;
import io.feedline.sampler.RandomSampler;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * What the programs that read a packed format begin with: a small folder of generated images, and
 * the packing of it.
 *
 * @param folder 80 images of 10 classes, in {@code DIRECTORY/train}
 * @param directory where packed images go, beside the folder; its name tells which images
 */
record SmallImages(ImageFolder folder, Path directory) {

  private static final int PER_CLASS = 8;

  /** Makes a sink for images with classes of these names. */
  interface SinkOpener {
    ImageStoreWriter open() throws IOException;
  }

  /**
   * Makes the images, unless an earlier run has.
   *
   * @param args of a program: where generated things are kept, {@code examples/target} if empty
   */
  static SmallImages of(String... args) throws IOException {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path directory = new GeneratedFolder(parent, PER_CLASS, 1, 0).make();
    return new SmallImages(ImageFolder.of(directory.resolve("train")), directory);
  }

  /**
   * Packs the folder, unless an earlier run has; goes on where one was interrupted. The images
   * are shuffled, so that each shard has some of all classes: batches that are read shard by shard
   * would otherwise have few.
   */
  void packInto(SinkOpener opener) throws IOException {
    Order order = RandomSampler.of(folder.size(), 0).order(0);
    try (ImageStoreWriter sink = opener.open()) {
      for (long position = sink.written(); position < folder.size(); position++) {
        sink.write(folder.encoded(order.indexAt(position)));
      }
      sink.commit();
    } catch (FileAlreadyExistsException packedBefore) {
      System.out.println("packed by an earlier run: " + packedBefore.getFile());
    }
  }
}
