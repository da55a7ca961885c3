package io.feedline.examples.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.modality.Classifications;
import ai.djl.modality.Input;
import ai.djl.modality.Output;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.repository.zoo.Criteria;
import ai.djl.repository.zoo.ZooModel;
import io.feedline.examples.training.ResNet;
import io.feedline.gpu.DjlTranslatorFactory;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model's folder alone tells DJL how to serve it. */
class ModelFolderTest {

  private static final int SIZE = 32;
  private static final String NAME = "resnet18";

  @TempDir private Path folder;

  private final Block block = ResNet.RESNET18.block(3, SIZE);
  private byte[] upload;

  @BeforeEach
  void save() throws IOException {
    try (Model model = Model.newInstance(NAME)) {
      Block trained = ResNet.RESNET18.block(3, SIZE);
      trained.initialize(model.getNDManager(), DataType.FLOAT32, new Shape(1, 3, SIZE, SIZE));
      model.setBlock(trained);
      model.save(folder, NAME);
    }
    ServeImagesTest.preprocessor(SIZE).withClasses(List.of("cat", "dog", "horse")).save(folder);
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(50, 40, BufferedImage.TYPE_INT_RGB), "png", png);
    upload = png.toByteArray();
  }

  private <I, O> Criteria.Builder<I, O> criteria(Class<I> input, Class<O> output) {
    return Criteria.builder()
        .setTypes(input, output)
        .optModelPath(folder)
        .optModelName(NAME)
        .optBlock(block);
  }

  @Test
  void shouldMakeTranslatorsOfTheFolder() throws Exception {
    Criteria<byte[], Classifications> criteria =
        criteria(byte[].class, Classifications.class)
            .optTranslatorFactory(new DjlTranslatorFactory())
            .optArgument("topK", "2")
            .build();
    try (ZooModel<byte[], Classifications> model = criteria.loadModel();
        Predictor<byte[], Classifications> predictor = model.newPredictor()) {
      Classifications answer = predictor.predict(upload);

      assertThat(answer.getClassNames()).containsExactly("cat", "dog", "horse");
      assertThat(answer.topK()).hasSize(2);
      assertThat(predictor.batchPredict(List.of(upload, upload)).get(1).best().getProbability())
          .isCloseTo(answer.best().getProbability(), offset(1e-5));
    }
  }

  @Test
  void shouldGiveTheModelsOutput() throws Exception {
    Criteria<Path, NDList> criteria =
        criteria(Path.class, NDList.class).optTranslatorFactory(new DjlTranslatorFactory()).build();
    Path file = Files.write(folder.resolve("upload.png"), upload);
    try (ZooModel<Path, NDList> model = criteria.loadModel();
        Predictor<Path, NDList> predictor = model.newPredictor();
        NDList answer = predictor.predict(file)) {
      assertThat(answer.singletonOrThrow().getShape()).isEqualTo(new Shape(3));
    }
  }

  /** As DJL Serving finds it. */
  @Test
  void shouldBeFoundByItsNameInTheFolder() throws Exception {
    Files.writeString(
        folder.resolve("serving.properties"),
        "translatorFactory=%s%n".formatted(DjlTranslatorFactory.class.getName()));
    Input request = new Input();
    request.add("data", upload);
    try (ZooModel<Input, Output> model = criteria(Input.class, Output.class).build().loadModel();
        Predictor<Input, Output> predictor = model.newPredictor()) {
      Output answer = predictor.predict(request);

      assertThat(answer.getCode()).isEqualTo(200);
      assertThat(answer.getData().getAsString()).contains("className", "horse", "probability");
    }
  }

  @Test
  void shouldSayWhatTheFolderLacks() throws Exception {
    Files.delete(folder.resolve("pipeline.json"));
    Criteria<byte[], Classifications> criteria =
        criteria(byte[].class, Classifications.class)
            .optTranslatorFactory(new DjlTranslatorFactory())
            .build();

    assertThatThrownBy(criteria::loadModel)
        .hasStackTraceContaining("pipeline.json")
        .hasStackTraceContaining("Preprocessor.save");
  }
}
