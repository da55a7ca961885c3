package io.feedline.formats.coco;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"boxes", "instances", "keypoints", "captions"})
class CocoContractTest extends DatasetContract<Object> {

  @Parameter private String kind;

  @TempDir private Path directory;

  /** Copies the images and annotations that make_fixtures.py made. */
  static void copy(Path directory) throws IOException {
    FixtureFiles.copy(
        CocoContractTest.class,
        directory,
        "images/000000000009.jpg",
        "images/000000000012.jpg",
        "images/000000000042.jpg",
        "images/000000000397.jpg",
        "instances.json",
        "keypoints.json",
        "captions.json");
  }

  @Override
  @SuppressWarnings("unchecked") // A dataset only returns samples.
  protected Dataset<Object> dataset() throws IOException {
    copy(directory);
    Path images = directory.resolve("images");
    Path instances = directory.resolve("instances.json");
    Dataset<?> dataset =
        switch (kind) {
          case "boxes" -> CocoDataset.detection(images, instances);
          case "instances" -> CocoDataset.instances(images, instances);
          case "keypoints" -> CocoDataset.keyPoints(images, directory.resolve("keypoints.json"));
          default -> CocoDataset.captions(images, directory.resolve("captions.json"));
        };
    return (Dataset<Object>) dataset;
  }
}
