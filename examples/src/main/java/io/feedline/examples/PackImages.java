package io.feedline.examples;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageFolder;
import io.feedline.formats.image.ImageStoreWriter;
import io.feedline.formats.lmdb.LmdbImageWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Packs a folder of images into an LMDB database: {@code PackImages [DIR [TARGET]]}, with
 * images in {@code DIR/CLASS}; by default generated ones are packed in {@code examples/target}.
 *
 * <p>The target has its name when it is whole. After Ctrl-C, or worse, the same command goes on
 * where the run before ended. Every format's sink does so, and takes the place of {@link
 * LmdbImageWriter} here; the command {@code feedline convert} packs into any of them, with
 * several readers.
 */
public final class PackImages {
  private static final int LINES = 10;

  private PackImages() {}

  /** Packs, and shows how far it has come. */
  public static void main(String[] args) throws IOException {
    ImageFolder folder =
        args.length == 0 ? SmallImages.of().folder() : ImageFolder.of(Path.of(args[0]));
    Path target =
        args.length < 2
            ? folder.root().resolveSibling(folder.root().getFileName() + "-packed.lmdb")
            : Path.of(args[1]);

    try (ImageStoreWriter sink = LmdbImageWriter.open(target, folder.classes())) {
      if (sink.written() > 0) {
        System.out.printf("going on after %d of %d images%n", sink.written(), folder.size());
      }
      pack(folder, sink);
      sink.commit();
    }
    System.out.printf("%s: %d images%n", target, folder.size());
  }

  /** The bytes of the files go into the sink as they are; nothing is decoded. */
  private static void pack(ImageFolder folder, ImageStoreWriter sink) throws IOException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    int frequency = (int) Math.max(1, folder.size() / LINES);
    try (StepDisplay display =
        new StepDisplay(out, "Packing: ", folder.size(), frequency, StepDisplay.onTerminal())) {
      for (long index = sink.written(); index < folder.size(); index++) {
        EncodedImage image = folder.encoded(index);
        sink.write(image);
        display.step(index, image.key());
      }
    }
  }
}
