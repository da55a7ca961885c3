package io.feedline.examples;

import io.feedline.examples.shared.Narrator;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.shared.StepDisplay;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.progress.Progress;
import io.feedline.progress.Progress.Figure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Packs images: {@code PackImages [SOURCE [TARGET [FORMAT]]]}, by default into an LMDB database.
 * SOURCE is a folder with images in {@code DIR/CLASS}, or any other store that Feedline reads; by
 * default the program packs generated images in {@code examples/target}.
 *
 * <p>The target gets its name when it is complete. After Ctrl-C or a crash, the same command
 * continues where the previous run ended, in every format. The command {@code feedline convert}
 * does the same with several reader threads, and can re-encode the images.
 */
public final class PackImages {
  private static final int LINES = 10;

  private PackImages() {}

  /** Packs images, and shows the progress. */
  public static void main(String[] args) throws IOException {
    Path source = args.length == 0 ? SmallImages.of().folder().path() : Path.of(args[0]);
    StoreFormat format = StoreFormat.named(args.length < 3 ? "lmdb" : args[2]);
    Path target =
        args.length < 2
            ? source.resolveSibling(source.getFileName() + "-packed." + format.name())
            : Path.of(args[1]);

    try (ImageDataset images = ImageDataset.open(source);
        StoreWriter<EncodedImage> writer =
            format.create(target, Packing.of(images.classes(), images.size()))) {
      if (writer.written() > 0) {
        System.out.printf("continuing after %d of %d images%n", writer.written(), images.size());
      }
      pack(images, writer);
      writer.commit();
      System.out.printf("%s: %d images%n", target, images.size());
    }
  }

  /** Writes the bytes of the files unchanged; nothing is decoded. */
  private static void pack(ImageDataset images, StoreWriter<EncodedImage> writer)
      throws IOException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    int frequency = (int) Math.max(1, images.size() / LINES);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    try (Narrator narrator = new Narrator(err);
        StepDisplay display =
            new StepDisplay(
                out,
                narrator,
                "Packing: ",
                images.size(),
                "images",
                frequency,
                Progress.onTerminal())) {
      display.stage("packing the first image");
      for (long index = writer.written(); index < images.size(); index++) {
        EncodedImage image = images.encoded(index);
        writer.write(image);
        String key = image.key();
        display.batch(0, 1);
        display.step(index, List.of(Figure.of(key)), key);
      }
    }
  }
}
