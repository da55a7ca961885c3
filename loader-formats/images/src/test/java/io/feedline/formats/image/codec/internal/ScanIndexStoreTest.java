package io.feedline.formats.image.codec.internal;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.jpeg.index.internal.ScanIndexFile;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.ScanIndex;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScanIndexStoreTest {
  private byte[] jpeg;
  private JpegImage parsed;
  private ScanIndex index;

  @BeforeEach
  void readAnImage() throws IOException {
    jpeg = Fixtures.bytes("jpeg_444.jpg");
    parsed = JpegImage.parse(jpeg);
    index = ScanIndexFile.index(jpeg).orElseThrow();
  }

  @Test
  void shouldKeepWhatDecodingMade() throws IOException {
    ScanIndexStore store = ScanIndexStore.inMemory();
    Image image = image(jpeg, store, 7);

    byte[] first = image.pixels().rgb();

    assertThat(store.place(7).get(parsed).toBytes()).isEqualTo(index.toBytes());
    assertThat(store.place(6).get(parsed)).isNull();
    assertThat(image.pixels().rgb()).isEqualTo(first);
  }

  @Test
  void shouldKeepNoMoreThanItsBudget() {
    ScanIndexStore store = ScanIndexStore.inMemory(2L * (index.byteSize() + 300));
    for (int sample = 0; sample < 10; sample++) {
      store.place(sample).put(index);
    }
    assertThat(store.place(0).get(parsed)).isSameAs(index);
    assertThat(store.place(1).get(parsed)).isSameAs(index);
    for (int sample = 2; sample < 10; sample++) {
      assertThat(store.place(sample).get(parsed)).isNull();
    }
  }

  @Test
  void shouldForgetAnIndexThatDoesNotBelongToTheImage() throws IOException {
    ScanIndexStore store = ScanIndexStore.inMemory();
    store.place(0).put(index);
    byte[] other = Fixtures.bytes("jpeg_grey.jpg");

    assertThat(image(other, store, 0).pixels().rgb())
        .isEqualTo(Fixtures.bytes("jpeg_grey.jpg.rgb"));
    assertThat(store.place(0).get(parsed)).isNull();
    image(other, store, 0).pixels();
    assertThat(store.place(0).get(parsed)).isNotNull();
  }

  @Test
  void shouldKeepNothingWithoutABudgetAndRefuseANegativeBudget() throws IOException {
    refused(IllegalArgumentException.class, () -> ScanIndexStore.inMemory(-1), "-1");
    for (ScanIndexStore store :
        new ScanIndexStore[] {ScanIndexStore.none(), ScanIndexStore.inMemory(0)}) {
      image(jpeg, store, 0).pixels();
      assertThat(store.place(0).hasRoom()).isFalse();
      assertThat(store.place(0).get(parsed)).isNull();
    }
  }

  private static Image image(byte[] jpeg, ScanIndexStore store, long sample) throws IOException {
    DecodeOptions options = DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.FEEDLINE);
    return Image.of(EncodedSource.of(jpeg, options, store.place(sample)), "image");
  }
}
