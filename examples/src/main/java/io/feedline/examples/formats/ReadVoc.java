package io.feedline.examples.formats;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.data.Dataset;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.voc.VocDataset;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images with boxes and with masks, in the layout of PASCAL VOC: {@code ReadVoc [DIR]}, where
 * DIR keeps the generated files.
 */
public final class ReadVoc {
  private ReadVoc() {}

  /** Makes ten images of rectangles, and prints the first batch of their boxes and masks. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args.length == 0 ? "examples/target" : args[0]).resolve("voc");
    DrawnObjects objects = new DrawnObjects(10);
    objects.writeVoc(directory);

    // Images and masks become one tensor each; a mask is flipped and scaled like its image.
    Dataset<VocDataset.Segmentation> masks =
        VocDataset.segmentation(directory, "train")
            .map(JointTransform.<VocDataset.Segmentation>of(Resize.of(48, 64)))
            .map(JointTransform.<VocDataset.Segmentation>of(RandomHorizontalFlip.of(0.5)));
    try (DataLoader<VocDataset.Segmentation> loader =
        DataLoader.builder(masks).batchSize(4).shuffle(true).build()) {
      print("masks", loader);
    }

    // Images have different numbers of boxes: the collator pads the boxes, and adds their numbers.
    VocDataset.Options options = VocDataset.Options.DEFAULT.withoutDifficult();
    Dataset<VocDataset.Detection> boxes =
        VocDataset.detection(directory, "train", options)
            .map(JointTransform.<VocDataset.Detection>of(Resize.of(48, 64)))
            .map(JointTransform.<VocDataset.Detection>of(RandomHorizontalFlip.of(0.5)));
    try (DataLoader<VocDataset.Detection> loader =
        DataLoader.builder(boxes)
            .batchSize(4)
            .shuffle(true)
            .collator(PaddingCollator.of("boxes", "labels", "difficult"))
            .build()) {
      print("boxes", loader);
    }
  }

  private static void print(String what, DataLoader<?> loader) {
    try (BatchIterator batches = loader.iterator();
        Batch batch = batches.next()) {
      System.out.println(what + ": " + batch.tensors());
    }
  }
}
