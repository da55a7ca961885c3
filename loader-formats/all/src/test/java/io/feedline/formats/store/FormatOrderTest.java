package io.feedline.formats.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormatOrderTest {

  private static final String[] NAMES =
      ("lmdb tfrecord recordio webdataset mds hdf5 zip parquet arrow idx cifar imagefolder"
              + " imagefiles")
          .split(" ", -1);

  @Test
  void shouldListAllFormatsInOneOrder() {
    assertThat(StoreFormat.all()).extracting(StoreFormat::name).containsExactly(NAMES);
  }

  @Test
  void shouldNotTakeItFromTheClassPath() {
    List<StoreFormat> formats = new ArrayList<>(StoreFormat.all());
    Collections.reverse(formats);

    formats.sort(new FormatOrder());

    assertThat(formats).extracting(StoreFormat::name).containsExactly(NAMES);
  }
}
