package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.jpeg.ScanIndex;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScanIndexStoreTest {
  private byte[] jpeg;
  private ScanIndex index;

  @BeforeEach
  void readAnImage() throws IOException {
    jpeg = Fixtures.bytes("jpeg_444.jpg");
    index = ScanIndexFile.index(new EncodedImage("a", jpeg, 0)).orElseThrow();
  }

  @Test
  void shouldKeepWhatDecodingMade() throws IOException {
    ScanIndexStore store = ScanIndexStore.inMemory();
    Image image = image(jpeg, store, 7);

    byte[] first = image.pixels().rgb();

    assertThat(store.get(7).toBytes()).isEqualTo(index.toBytes());
    assertThat(store.get(6)).isNull();
    assertThat(image.pixels().rgb()).isEqualTo(first);
  }

  @Test
  void shouldKeepNoMoreThanItsBudget() {
    ScanIndexStore store = ScanIndexStore.inMemory(2L * (index.byteSize() + 300));
    for (int sample = 0; sample < 10; sample++) {
      store.put(sample, index);
    }
    assertThat(store.get(0)).isSameAs(index);
    assertThat(store.get(1)).isSameAs(index);
    for (int sample = 2; sample < 10; sample++) {
      assertThat(store.get(sample)).isNull();
    }
  }

  @Test
  void shouldForgetAnIndexThatDoesNotBelongToTheImage() throws IOException {
    ScanIndexStore store = ScanIndexStore.inMemory();
    store.put(0, index);
    byte[] other = Fixtures.bytes("jpeg_grey.jpg");

    assertThat(image(other, store, 0).pixels().rgb())
        .isEqualTo(Fixtures.bytes("jpeg_grey.jpg.rgb"));
    assertThat(store.get(0)).isNull();
    image(other, store, 0).pixels();
    assertThat(store.get(0)).isNotNull();
  }

  @Test
  void shouldKeepNothingWithoutABudget() throws IOException {
    for (ScanIndexStore store :
        new ScanIndexStore[] {ScanIndexStore.none(), ScanIndexStore.inMemory(0)}) {
      image(jpeg, store, 0).pixels();
      assertThat(store.hasRoom()).isFalse();
      assertThat(store.get(0)).isNull();
    }
  }

  @Test
  void shouldRefuseANegativeBudget() {
    assertThatThrownBy(() -> ScanIndexStore.inMemory(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  private static Image image(byte[] jpeg, ScanIndexStore store, long sample) throws IOException {
    return Image.ofEncoded(
        jpeg,
        "image",
        DecodeOptions.DEFAULT.withBackend(ImageBackend.FEEDLINE),
        store.place(sample));
  }
}
