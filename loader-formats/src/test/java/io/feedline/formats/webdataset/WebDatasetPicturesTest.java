package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Dataset;
import io.feedline.DatasetContract;
import io.feedline.formats.image.EncodedPicture;
import io.feedline.formats.image.LabeledImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebDatasetPicturesTest extends DatasetContract<LabeledImage> {

  @TempDir Path root;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    for (int shard = 0; shard < 3; shard++) {
      Fixtures.copy("pictures-00000%d.tar".formatted(shard), root);
    }
    Fixtures.copy("classes.json", root);
    return WebDatasetPictures.of(root + "/pictures-{000000..000002}.tar");
  }

  @Test
  void shouldGiveThePicturesTheirClassesAndTheirBytes() throws Exception {
    try (WebDatasetPictures pictures =
        WebDatasetPictures.of(root + "/pictures-{000000..000002}.tar")) {
      assertThat(pictures.classes()).containsExactly("cat", "dog");
      EncodedPicture picture = pictures.encoded(2);
      assertThat(picture.key()).isEqualTo("000002");
      assertThat(picture.label()).isZero();
      assertThat(picture.bytes()).isEqualTo(Fixtures.picture("png_rgb.png"));
      assertThat(pictures.get(3).label()).isEqualTo(1);
      assertThat(pictures.get(3).image().width()).isEqualTo(1);
      assertThat(pictures.shardSizes()).containsExactly(3, 0, 2);
    }
  }

  private static WebSample sample(Object... suffixesAndTexts) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    for (int i = 0; i < suffixesAndTexts.length; i += 2) {
      fields.put(
          suffixesAndTexts[i].toString(), suffixesAndTexts[i + 1].toString().getBytes(UTF_8));
    }
    return new WebSample("key", "x.tar", fields);
  }

  @Test
  void shouldPreferTheSuffixThatIsNamedFirst() throws Exception {
    WebSample sample = sample("png", "p", "jpg", "j", "left.png", "l", "cls", "3");

    assertThat(PictureFields.DEFAULT.picture(sample).bytes()).isEqualTo("j".getBytes(UTF_8));
    assertThat(PictureFields.DEFAULT.withSuffixes("LEFT.png", "jpg").picture(sample).bytes())
        .isEqualTo("l".getBytes(UTF_8));
    assertThat(PictureFields.DEFAULT.picture(sample).label()).isEqualTo(3);
  }

  @Test
  void shouldTakeTheClassFromWhereItIsToldTo() throws Exception {
    WebSample sample =
        sample("jpg", "j", "cls2", " 9 ", "json", "{\"a\":{\"b\":[5,{\"c\":7,\"d\":\"dog\"}]}}");

    assertThat(PictureFields.DEFAULT.withLabel("cls2").picture(sample).label()).isEqualTo(9);
    assertThat(
            PictureFields.DEFAULT
                .withLabelFromJson("json", "a", "b", "1", "c")
                .picture(sample)
                .label())
        .isEqualTo(7);
    assertThat(
            PictureFields.DEFAULT
                .withLabelFromJson("json", "a", "b", "1", "d")
                .withClasses(List.of("cat", "dog"))
                .picture(sample)
                .label())
        .isEqualTo(1);
    assertThat(PictureFields.DEFAULT.withoutLabels().picture(sample).label())
        .isEqualTo(EncodedPicture.NO_LABEL);
  }

  @Test
  void shouldSayWhatIsMissingOrNoClass() {
    PictureFields json = PictureFields.DEFAULT.withLabelFromJson("json", "a", "b");
    Map<WebSample, String> failures =
        Map.of(
            sample("txt", "t"), "none of the fields",
            sample("jpg", "j"), "withoutLabels()",
            sample("jpg", "j", "cls", "x"), "integer",
            sample("jpg", "j", "cls", "-2"), "-2",
            sample("jpg", "j", "cls", "2"), "there are 2 classes");
    failures.forEach(
        (sample, reason) ->
            assertThatThrownBy(
                    () -> PictureFields.DEFAULT.withClasses(List.of("cat", "dog")).picture(sample))
                .isInstanceOf(WebDatasetException.class)
                .hasMessageContainingAll("x.tar", "'key'", reason));
    for (String document : new String[] {"{}", "{\"a\":1}", "{\"a\":{\"b\":1.5}}", "[1]", "{"}) {
      assertThatThrownBy(() -> json.picture(sample("jpg", "j", "json", document)))
          .isInstanceOf(WebDatasetException.class)
          .hasMessageContainingAll("x.tar", "'key'", "json");
    }
  }

  @Test
  void shouldRefuseAClassesFileThatIsSomethingElse() throws Exception {
    Files.writeString(root.resolve("classes.json"), "{\"classes\": [1]}");

    assertThatThrownBy(() -> WebDatasetPictures.of(root + "/pictures-000000.tar"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("classes.json");
  }
}
