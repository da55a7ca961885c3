package io.feedline.formats.voc;

import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The data set that make_fixtures.py made. */
final class VocFixture {

  private static final String YEAR = "VOCdevkit/VOC2012/";
  private static final List<String> NAMES = List.of("2007_000032", "2007_000033", "2008_000008");

  private VocFixture() {}

  /** Copies all of it; returns the directory of the year. */
  static Path copy(Path directory) throws IOException {
    List<String> files = new ArrayList<>(List.of(YEAR + "ImageSets/Main/dog_train.txt"));
    for (String set : List.of("train", "val", "trainval")) {
      files.add(YEAR + "ImageSets/Main/" + set + ".txt");
      files.add(YEAR + "ImageSets/Segmentation/" + set + ".txt");
    }
    for (String name : NAMES) {
      files.add(YEAR + "JPEGImages/" + name + ".jpg");
      files.add(YEAR + "Annotations/" + name + ".xml");
      files.add(YEAR + "SegmentationClass/" + name + ".png");
      files.add(YEAR + "SegmentationObject/" + name + ".png");
    }
    FixtureFiles.copy(VocFixture.class, directory, files.toArray(String[]::new));
    return directory.resolve(YEAR);
  }
}
