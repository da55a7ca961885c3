package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.modality.Classifications;
import ai.djl.modality.Input;
import ai.djl.modality.cv.BufferedImageFactory;
import ai.djl.modality.cv.Image;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.LambdaBlock;
import ai.djl.translate.TranslateException;
import io.feedline.Preprocessor;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.FormatException;
import io.feedline.transform.Transform;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DjlTranslatorTest {

  private static final List<String> CLASSES = List.of("zero", "one", "two");

  /** Scores of the classes: an input's first bytes. */
  private static final Transform<byte[], float[]> SCORES =
      bytes -> {
        if (bytes.length < 3) {
          throw new FormatException("%d bytes are no input".formatted(bytes.length));
        }
        return new float[] {bytes[0], bytes[1], bytes[2]};
      };

  private final Model model = Model.newInstance("identity", Device.cpu(), "PyTorch");

  DjlTranslatorTest() {
    model.setBlock(Blocks.identityBlock());
  }

  @AfterEach
  void close() {
    model.close();
  }

  private static byte[] input(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  void shouldAnswerWithTheLikeliestClasses() throws Exception {
    DjlTranslator<byte[], Classifications> translator = DjlTranslator.of(SCORES, CLASSES);
    try (Predictor<byte[], Classifications> predictor = model.newPredictor(translator)) {
      Classifications one = predictor.predict(input(0, 2, 1));
      assertThat(one.best().getClassName()).isEqualTo("one");
      assertThat(one.best().getProbability()).isBetween(0.66, 0.67); // e^2 / (1 + e + e^2) = 0.6652
      List<Classifications> several =
          predictor.batchPredict(List.of(input(9, 0, 0), input(0, 0, 9), input(0, 9, 0)));
      assertThat(several)
          .extracting(answer -> answer.best().getClassName())
          .containsExactly("zero", "two", "one");
    }
  }

  @Test
  void shouldAnswerWithProbabilitiesAsTheyAre() throws Exception {
    Preprocessor<byte[]> preprocessor = Preprocessor.of(SCORES);
    DjlTranslator<byte[], Classifications> translator =
        DjlTranslator.of(preprocessor, DjlTranslator.classifications(CLASSES, 2, false));
    try (Predictor<byte[], Classifications> predictor = model.newPredictor(translator)) {
      Classifications answer = predictor.predict(input(0, 1, 0));

      assertThat(answer.best().getProbability()).isEqualTo(1);
      assertThat(answer.topK()).hasSize(2);
    }
    assertThatThrownBy(() -> DjlTranslator.classifications(List.of(), 1, true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldKeepTheModelsOutputWhileOtherRequestsUseItsMemory() throws Exception {
    DjlTranslator<byte[], NDList> translator = DjlTranslator.raw(Preprocessor.of(SCORES));
    List<NDList> answers = new ArrayList<>();
    try (Predictor<byte[], NDList> predictor = model.newPredictor(translator)) {
      for (int i = 0; i < 10; i++) {
        answers.add(predictor.predict(input(i, i, i)));
      }
      answers.addAll(predictor.batchPredict(List.of(input(10, 10, 10), input(11, 11, 11))));
    }
    for (int i = 0; i < answers.size(); i++) {
      try (NDList answer = answers.get(i)) {
        assertThat(answer.singletonOrThrow().toFloatArray()).containsExactly(i, i, i);
      }
    }
  }

  @Test
  void shouldGiveEachTensorOfASampleToTheModel() throws Exception {
    record Sample(Tensor pixels, float[] scores) {}
    Preprocessor<byte[]> preprocessor =
        Preprocessor.of(
            bytes ->
                new Sample(
                    Tensor.of(
                        DType.UINT8, io.feedline.batch.Shape.of(1, 3), ByteBuffer.wrap(bytes)),
                    SCORES.apply(bytes)));
    Block shapes =
        new LambdaBlock(
            list -> {
              NDArray first = list.get(0);
              assertThat(first.getDataType()).isEqualTo(DataType.UINT8);
              assertThat(first.getShape()).isEqualTo(new Shape(2, 1, 3));
              assertThat(list.get(1).getShape()).isEqualTo(new Shape(2, 3));
              return new NDList(list.get(1));
            });
    model.setBlock(shapes);
    try (Predictor<byte[], NDList> predictor =
        model.newPredictor(DjlTranslator.raw(preprocessor))) {
      List<NDList> answers = predictor.batchPredict(List.of(input(1, 2, 3), input(4, 5, 6)));

      assertThat(answers.get(1).singletonOrThrow().toFloatArray()).containsExactly(4, 5, 6);
      answers.forEach(NDList::close);
    }
  }

  @Test
  void shouldUnwrapInputsOfDjl() throws Exception {
    Transform<Object, float[]> kinds =
        given ->
            new float[] {
              given instanceof byte[] ? 1 : 0, given instanceof BufferedImage ? 1 : 0, 0
            };
    Image image =
        new BufferedImageFactory().fromImage(new BufferedImage(3, 2, BufferedImage.TYPE_3BYTE_BGR));
    Input request = new Input();
    request.add("data", input(1, 2, 3));
    try (Predictor<Image, Classifications> images =
            model.newPredictor(DjlTranslator.of(kinds, CLASSES));
        Predictor<Input, Classifications> requests =
            model.newPredictor(DjlTranslator.of(kinds, CLASSES))) {
      assertThat(images.predict(image).best().getClassName()).isEqualTo("one");
      assertThat(requests.predict(request).best().getClassName()).isEqualTo("zero");
    }
  }

  @Test
  void shouldFailWithTheInputsMessageAndServeOn() throws Exception {
    DjlTranslator<byte[], Classifications> translator = DjlTranslator.of(SCORES, CLASSES);
    try (Predictor<byte[], Classifications> predictor = model.newPredictor(translator)) {
      assertThatThrownBy(() -> predictor.batchPredict(List.of(input(1, 2, 3), input(1))))
          .isInstanceOf(TranslateException.class)
          .hasRootCauseInstanceOf(FormatException.class)
          .hasStackTraceContaining("input 1: 1 bytes are no input");
      assertThat(predictor.predict(input(0, 5, 1)).best().getClassName()).isEqualTo("one");
    }
    DjlTranslator<byte[], Classifications> two = DjlTranslator.of(SCORES, List.of("a", "b"));
    try (Predictor<byte[], Classifications> predictor = model.newPredictor(two)) {
      assertThatThrownBy(() -> predictor.predict(input(1, 2, 3)))
          .hasStackTraceContaining("2 classes are named");
    }
  }

  @Test
  void shouldServeManyThreadsAtOnce() {
    DjlTranslator<byte[], Classifications> translator = DjlTranslator.of(SCORES, CLASSES);
    IntStream.range(0, 8)
        .parallel()
        .forEach(
            thread -> {
              try (Predictor<byte[], Classifications> predictor = model.newPredictor(translator)) {
                for (int i = 0; i < 200; i++) {
                  int[] scores = new int[3];
                  scores[(i + thread) % 3] = 7;
                  List<Classifications> answers =
                      predictor.batchPredict(List.of(input(scores), input(0, 0, 9), input(scores)));
                  assertThat(answers.get(2).best().getClassName())
                      .isEqualTo(CLASSES.get((i + thread) % 3));
                }
              } catch (TranslateException e) {
                throw new AssertionError(e);
              }
            });
  }
}
