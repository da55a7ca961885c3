package io.feedline.examples;

import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.lmdb.LmdbImages;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Packs a folder of images into an LMDB database: {@code PackImages [DIR [TARGET]]}, with images in
 * {@code DIR/CLASS}; by default generated ones are packed in {@code examples/target}.
 *
 * <p>The target has its name when it is whole. After Ctrl-C, or worse, the same command goes on
 * where the run before ended. Every format's writer does so, and takes the place of {@link
 * LmdbImages}' here; the command {@code feedline convert} packs into any of them, with several
 * readers.
 */
public final class PackImages {
  private static final int LINES = 10;

  private PackImages() {}

  /** Packs, and shows how far it has come. */
  public static void main(String[] args) throws IOException {
    ImageDataset folder =
        args.length == 0 ? SmallImages.of().folder() : ImageFolder.of(Path.of(args[0]));
    Path target =
        args.length < 2
            ? folder.path().resolveSibling(folder.path().getFileName() + "-packed.lmdb")
            : Path.of(args[1]);

    Packing packing = Packing.of(folder.classes(), folder.size());
    try (ImageStoreWriter writer = new LmdbImages().create(target, packing)) {
      if (writer.written() > 0) {
        System.out.printf("going on after %d of %d images%n", writer.written(), folder.size());
      }
      pack(folder, writer);
      writer.commit();
    }
    System.out.printf("%s: %d images%n", target, folder.size());
  }

  /** The bytes of the files are written as they are; nothing is decoded. */
  private static void pack(ImageDataset folder, ImageStoreWriter writer) throws IOException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    int frequency = (int) Math.max(1, folder.size() / LINES);
    try (StepDisplay display =
        new StepDisplay(out, "Packing: ", folder.size(), frequency, StepDisplay.onTerminal())) {
      for (long index = writer.written(); index < folder.size(); index++) {
        EncodedImage image = folder.encoded(index);
        writer.write(image);
        display.step(index, image.key());
      }
    }
  }
}
