package io.feedline.formats.parquet;

import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Parquet is read and not written, so its store is one that pyarrow made, in two files. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class ParquetStoreTest extends StoreContract {

  @Override
  protected StoreFormat format() {
    return StoreFormat.named("parquet");
  }

  @Override
  protected Path make(Path directory) throws IOException {
    return FixtureFiles.copy(
            getClass(),
            directory,
            "split/train-00000-of-00002.parquet",
            "split/train-00001-of-00002.parquet")
        .getParent();
  }
}
