package io.feedline.examples.formats;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.data.Dataset;
import io.feedline.formats.coco.CocoDataset;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.Resize;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images with boxes and a mask for each object, in COCO's format: {@code ReadCoco [DIR]},
 * where DIR keeps the generated files.
 */
public final class ReadCoco {
  private ReadCoco() {}

  /** Makes ten images of rectangles, and prints the categories and the first batch. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args.length == 0 ? "examples/target" : args[0]).resolve("coco");
    DrawnObjects objects = new DrawnObjects(10);
    objects.writeCoco(directory);

    Path images = directory.resolve("train");
    Path annotations = directory.resolve("instances_train.json");
    CocoDataset.Options options =
        CocoDataset.Options.DEFAULT.withoutCrowds().withoutUnannotated().withContiguousLabels();
    CocoDataset<CocoDataset.Instances> instances =
        CocoDataset.instances(images, annotations, options);
    System.out.println(instances.categories().stream().map(CocoDataset.Category::name).toList());

    Dataset<CocoDataset.Instances> train =
        instances
            .map(JointTransform.<CocoDataset.Instances>of(Resize.of(48, 64)))
            .map(JointTransform.<CocoDataset.Instances>of(RandomHorizontalFlip.of(0.5)));
    try (DataLoader<CocoDataset.Instances> loader =
            DataLoader.builder(train)
                .batchSize(4)
                .shuffle(true)
                .collator(PaddingCollator.of("boxes", "labels", "crowds", "masks"))
                .build();
        BatchIterator batches = loader.iterator();
        Batch batch = batches.next()) {
      System.out.println("instances: " + batch.tensors());
    }
  }
}
