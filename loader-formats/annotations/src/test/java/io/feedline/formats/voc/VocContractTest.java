package io.feedline.formats.voc;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "boxes: {0}")
@ValueSource(booleans = {true, false})
class VocContractTest extends DatasetContract<Object> {

  private static final String YEAR = "VOCdevkit/VOC2012/";

  @Parameter private boolean boxes;

  @TempDir private Path directory;

  /** Copies the data set that make_fixtures.py made; returns the directory of the year. */
  static Path copy(Path directory) throws IOException {
    List<String> files = new ArrayList<>(List.of(YEAR + "ImageSets/Main/dog_train.txt"));
    for (String set : List.of("train", "val", "trainval")) {
      files.add(YEAR + "ImageSets/Main/" + set + ".txt");
      files.add(YEAR + "ImageSets/Segmentation/" + set + ".txt");
    }
    for (String name : List.of("2007_000032", "2007_000033", "2008_000008")) {
      files.add(YEAR + "JPEGImages/" + name + ".jpg");
      files.add(YEAR + "Annotations/" + name + ".xml");
      files.add(YEAR + "SegmentationClass/" + name + ".png");
      files.add(YEAR + "SegmentationObject/" + name + ".png");
    }
    FixtureFiles.copy(VocContractTest.class, directory, files.toArray(String[]::new));
    return directory.resolve(YEAR);
  }

  @Override
  @SuppressWarnings("unchecked") // A dataset only returns samples.
  protected Dataset<Object> dataset() throws IOException {
    Path year = copy(directory);
    Dataset<?> dataset =
        boxes ? VocDataset.detection(year, "trainval") : VocDataset.segmentation(year, "trainval");
    return (Dataset<Object>) dataset;
  }
}
