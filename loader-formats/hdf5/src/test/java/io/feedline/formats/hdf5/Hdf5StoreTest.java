package io.feedline.formats.hdf5;

import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** HDF5 is read and not written, so its store is the one that h5py made. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class Hdf5StoreTest extends StoreContract {

  @Override
  protected StoreFormat format() {
    return StoreFormat.named("hdf5");
  }

  @Override
  protected Path make(Path directory) throws IOException {
    return Fixtures.copy(directory, "pictures.h5");
  }
}
