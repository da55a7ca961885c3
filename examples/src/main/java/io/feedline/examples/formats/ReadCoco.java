package io.feedline.examples.formats;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.data.Dataset;
import io.feedline.formats.coco.CocoDetection;
import io.feedline.formats.coco.CocoInstances;
import io.feedline.formats.coco.CocoOptions;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.Resize;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images with boxes and a mask for each object, described as COCO describes them: {@code
 * ReadCoco [DIR]}, where DIR keeps what is generated.
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
    CocoOptions options =
        CocoOptions.DEFAULT.withoutCrowds().withoutUnannotated().withContiguousLabels();
    CocoInstances instances = CocoInstances.of(images, annotations, options);
    System.out.println(instances.categories().stream().map(CocoDetection.Category::name).toList());

    Dataset<CocoInstances.Sample> train =
        instances
            .map(JointTransform.<CocoInstances.Sample>of(Resize.of(48, 64)))
            .map(JointTransform.<CocoInstances.Sample>of(RandomHorizontalFlip.of(0.5)));
    try (DataLoader<CocoInstances.Sample> loader =
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
