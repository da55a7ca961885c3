package io.feedline.formats.coco;

import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.nio.file.Path;

/** The data set that make_fixtures.py made. */
final class CocoFixture {

  private CocoFixture() {}

  /** Copies images and annotations into a directory. */
  static void copy(Path directory) throws IOException {
    FixtureFiles.copy(
        CocoFixture.class,
        directory,
        "images/000000000009.jpg",
        "images/000000000012.jpg",
        "images/000000000042.jpg",
        "images/000000000397.jpg",
        "instances.json",
        "keypoints.json",
        "captions.json");
  }
}
