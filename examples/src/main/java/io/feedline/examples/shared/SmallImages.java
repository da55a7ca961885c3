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
 * A small folder of generated images, and a directory for its packed forms, for the programs that
 * read a format.
 *
 * @param folder 80 images of 10 classes, in {@code DIRECTORY/train}
 * @param directory the directory for packed images, beside the folder; its name identifies the
 *     images
 */
public record SmallImages(ImageDataset folder, Path directory) {

  private static final int PER_CLASS = 8;

  /**
   * Makes the images, unless they exist.
   *
   * @param args the arguments of a program: the directory for generated files; {@code
   *     examples/target} if empty
   */
  public static SmallImages of(String... args) throws IOException {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path directory = new GeneratedFolder(parent, PER_CLASS, 1, 0).make();
    return new SmallImages(ImageFolder.of(directory.resolve("train")), directory);
  }

  /** Returns the options to pack these images into one file. */
  public Packing packing() {
    return Packing.of(folder.classes(), folder.size());
  }

  /**
   * Packs the folder, unless the target exists; continues an interrupted run. The images are
   * shuffled, so that each shard, and each batch that is read from it, has many classes.
   *
   * @param format the format's name, as in {@code feedline convert --to}
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
