package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A state is of the data that it was taken from: what has changed in the bucket is refused. */
class ChangedDataTest {

  private static final int IMAGES = 12;

  @TempDir private Path disk;
  @AutoClose private final StubStore stub = new StubStore();

  /** Writes a store whose image 5 is some bytes longer than it was, and puts it into the bucket. */
  private void put(String format, int images, int more) throws IOException {
    Path made = disk.resolve(format + images + more);
    byte[] jpeg = Fixtures.bytes("jpeg_grey.jpg");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(made, Packing.of(List.of("ant"), images))) {
      for (int i = 0; i < images; i++) {
        byte[] bytes = Arrays.copyOf(jpeg, jpeg.length + (i == 5 ? more : 0));
        writer.write(new EncodedImage("ant/%04d".formatted(i), bytes, 0, "jpg"));
      }
      writer.commit();
    }
    stub.putAll(made, format + "/");
  }

  private static DataLoader<EncodedImage> loader(ImageDataset images) {
    return DataLoader.builder(images.encoded())
        .collator((samples, batch) -> batch.values("image", samples))
        .batchSize(2)
        .shuffle(true)
        .seed(1)
        .numWorkers(1)
        .build();
  }

  private static List<String> rest(Iterable<Batch> batches) {
    List<String> keys = new ArrayList<>();
    for (Batch batch : batches) {
      try (batch) {
        batch.values().get("image").forEach(each -> keys.add(((EncodedImage) each).key()));
      }
    }
    return keys;
  }

  /** Takes two batches, and the state behind them; what is left goes to a list. */
  private LoaderState state(String format, List<String> left) throws IOException {
    try (ObjectFileSystem files = stub.open();
        ImageDataset images = ImageDataset.open(files.getPath("/" + format));
        DataLoader<EncodedImage> loader = loader(images)) {
      BatchIterator batches = loader.iterator();
      batches.next().close();
      batches.next().close();
      LoaderState state = loader.state();
      left.addAll(rest(() -> batches));
      return LoaderState.fromJson(state.toJson());
    }
  }

  private List<String> resumed(String format, LoaderState state) throws IOException {
    try (ObjectFileSystem files = stub.open();
        ImageDataset images = ImageDataset.open(files.getPath("/" + format));
        DataLoader<EncodedImage> loader = loader(images)) {
      loader.resume(state);
      return rest(loader);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"imagefolder", "webdataset", "tfrecord", "recordio", "mds"})
  void shouldGoOnWithTheSameDataAndRefuseOthers(String format) throws IOException {
    put(format, IMAGES, 0);
    List<String> left = new ArrayList<>();
    LoaderState state = state(format, left);
    assertThat(left).hasSize(IMAGES - 4);
    assertThat(resumed(format, state)).isEqualTo(left);

    put(format, IMAGES, 512);
    if (format.equals("imagefolder")) {
      assertThat(resumed(format, state)).as("an image that was recovered").isEqualTo(left);
    } else {
      assertThatThrownBy(() -> resumed(format, state))
          .as("an object that has changed")
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("data");
    }

    put(format, IMAGES + 1, 0);
    assertThatThrownBy(() -> resumed(format, state))
        .as("an image that was added")
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data");
  }

  @Test
  void shouldRefuseAFolderFromWhichAnObjectIsGoneWithAnotherInItsPlace() throws IOException {
    put("imagefolder", IMAGES, 0);
    LoaderState state = state("imagefolder", new ArrayList<>());
    String gone =
        stub.requests().stream()
            .map(StubStore.Request::path)
            .filter(path -> path.endsWith(".jpg"))
            .findFirst()
            .orElseThrow();
    String key = gone.substring(gone.indexOf("imagefolder"));
    stub.remove(key);
    stub.put(key.replace(".jpg", "x.jpg"), Fixtures.bytes("jpeg_grey.jpg"));
    assertThatThrownBy(() -> resumed("imagefolder", state))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
