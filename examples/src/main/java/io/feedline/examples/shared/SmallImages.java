package io.feedline.examples.shared;

import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * The data of the programs that read a packed format: a small folder of generated images, and its
 * packed form.
 *
 * @param folder 80 images of 10 classes, in {@code DIRECTORY/train}
 * @param directory the directory for packed images, beside the folder; its name identifies the
 *     images
 */
public record SmallImages(ImageDataset folder, Path directory) {

  private static final int PER_CLASS = 8;

  /**
   * Makes the images, unless an earlier run has.
   *
   * @param args of a program: the directory for generated files; {@code examples/target} if empty
   */
  public static SmallImages of(String... args) throws IOException {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path directory = new GeneratedFolder(parent, PER_CLASS, 1, 0).make();
    return new SmallImages(ImageFolder.of(directory.resolve("train")), directory);
  }

  /** A packing of these images in one piece. */
  public Packing packing() {
    return Packing.of(folder.classes(), folder.size());
  }

  /**
   * Packs the folder, unless an earlier run has; continues an interrupted run. The images are
   * shuffled, so that each shard has some of all classes: batches that are read shard by shard
   * would otherwise have few.
   *
   * @param format its name, as {@code feedline convert --to} takes it
   * @return the target
   */
  public Path pack(String format, Path target, Packing packing) throws IOException {
    Order order = RandomSampler.of(folder.size(), 0).order(0);
    try (StoreWriter<EncodedImage> writer = StoreFormat.named(format).create(target, packing)) {
      for (long position = writer.written(); position < folder.size(); position++) {
        writer.write(folder.encoded(order.indexAt(position)));
      }
      writer.commit();
    } catch (FileAlreadyExistsException packedBefore) {
      System.out.println("packed by an earlier run: " + packedBefore.getFile());
    }
    return target;
  }
}
