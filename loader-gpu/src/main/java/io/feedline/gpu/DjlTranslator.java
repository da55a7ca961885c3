package io.feedline.gpu;

import ai.djl.modality.Classifications;
import ai.djl.modality.Input;
import ai.djl.modality.cv.Image;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.Batchifier;
import ai.djl.translate.Translator;
import ai.djl.translate.TranslatorContext;
import io.feedline.Preprocessor;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import io.feedline.transform.Transform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/**
 * A {@link Preprocessor} as a DJL {@link Translator}, so that a {@code Predictor} makes the same
 * rows as the model's validation.
 *
 * <pre>{@code
 * Criteria.builder()
 *     .setTypes(byte[].class, Classifications.class)
 *     .optModelPath(folder)
 *     .optTranslator(DjlTranslator.of(DecodeImage.of().andThen(validate), classes))
 *     .build()
 * }</pre>
 *
 * <p>DJL's own inputs are unwrapped before the pipeline: an {@link Image} to the picture that it
 * wraps, usually a {@code BufferedImage}, and an {@link Input} to its bytes. DJL has already
 * decoded an Image, and its JPEG decoder rounds differently from libjpeg-turbo; pass bytes or a
 * path to get exactly the pixels of the validation.
 *
 * <p>{@code batchPredict} writes the rows of all inputs into one array, which on the CPU is a view
 * of memory that later requests reuse. An input that cannot be read fails the batch; the message
 * names the input.
 *
 * <p>Thread-safe; needs no closing.
 *
 * @param <I> an input
 * @param <O> an answer
 */
public final class DjlTranslator<I, O> implements Translator<I, O> {

  static final int TOP = 5;

  private final Preprocessor<? super I> preprocessor;
  private final Function<NDList, O> head;

  private DjlTranslator(Preprocessor<? super I> preprocessor, Function<NDList, O> head) {
    this.preprocessor = Objects.requireNonNull(preprocessor, "preprocessor");
    this.head = Objects.requireNonNull(head, "head");
  }

  /**
   * Returns the translator of a model whose output is a score for each class, before softmax. Its
   * answers are the five likeliest classes.
   *
   * @param transform the pipeline of the validation; encoded images need {@code DecodeImage} as its
   *     first step
   * @param classes the names of the classes, in the order of the model's output
   * @throws IllegalArgumentException if no class is given
   */
  public static <I> DjlTranslator<I, Classifications> of(
      Transform<? super I, ?> transform, List<String> classes) {
    Preprocessor<I> preprocessor = Preprocessor.of(transform);
    return of(preprocessor, classifications(classes, TOP, true));
  }

  /**
   * Returns the translator of a model with another output.
   *
   * @param head a thread-safe function from the model's output for one input, without a batch axis,
   *     to the answer; the output's arrays are closed afterwards
   */
  public static <I, O> DjlTranslator<I, O> of(
      Preprocessor<? super I> preprocessor, Function<NDList, O> head) {
    return new DjlTranslator<>(preprocessor, head);
  }

  /**
   * Returns the translator whose answer is a copy of the model's output, which the caller closes.
   * It is a copy because a model may return a part of its input.
   */
  public static <I> DjlTranslator<I, NDList> raw(Preprocessor<? super I> preprocessor) {
    return of(preprocessor, DjlTranslator::copy);
  }

  /**
   * Returns the head of a classification, for {@link #of(Preprocessor, Function)}.
   *
   * @param classes the names of the classes, in the order of the model's output
   * @param topK the number of classes that the answer's text shows, 1 or more
   * @param applySoftmax true if the output is scores, false if it is probabilities already
   * @throws IllegalArgumentException if no class is given, or {@code topK} is below 1
   */
  public static Function<NDList, Classifications> classifications(
      List<String> classes, int topK, boolean applySoftmax) {
    List<String> names = List.copyOf(classes);
    if (names.isEmpty() || topK < 1) {
      throw new IllegalArgumentException(
          "there must be 1 or more classes and topK, were %d and %d".formatted(names.size(), topK));
    }
    return output -> {
      NDArray scores = output.singletonOrThrow();
      if (scores.size() != names.size()) {
        throw new IllegalArgumentException(
            "the model gives %s, and %d classes are named"
                .formatted(scores.getShape(), names.size()));
      }
      return new Classifications(names, applySoftmax ? scores.softmax(-1) : scores, topK);
    };
  }

  private static NDList copy(NDList output) {
    NDList copies = new NDList();
    for (NDArray array : output) {
      NDArray copy = array.duplicate();
      copy.setName(array.getName());
      copies.add(copy);
    }
    copies.detach();
    return copies;
  }

  /** Returns the preprocessor that makes rows. */
  public Preprocessor<? super I> preprocessor() {
    return preprocessor;
  }

  /** Returns {@link Batchifier#STACK}: the first axis of each array counts the inputs. */
  @Override
  public Batchifier getBatchifier() {
    return Batchifier.STACK;
  }

  /**
   * Returns the tensors of one input, without a batch axis.
   *
   * @throws Exception the exception of {@link Preprocessor#batch}
   */
  @Override
  public NDList processInput(TranslatorContext context, I input) throws Exception {
    NDList row = new NDList();
    batchProcessInput(context, List.of(input)).forEach(array -> row.add(array.squeeze(0)));
    return row;
  }

  /**
   * Returns the tensors of several inputs, in one array for each column.
   *
   * @throws Exception the exception of {@link Preprocessor#batch}
   */
  @Override
  public NDList batchProcessInput(TranslatorContext context, List<I> inputs) throws Exception {
    List<I> unwrapped = new ArrayList<>();
    inputs.forEach(input -> unwrapped.add(unwrap(input)));
    Batch batch = preprocessor.batch(unwrapped);
    NDManager manager = context.getNDManager();
    // The arrays may be views of the batch, so the batch is closed with their manager.
    manager.attachUncappedInternal(UUID.randomUUID().toString(), batch);
    NDList arrays = new NDList();
    for (Map.Entry<String, Tensor> column : batch.tensors().entrySet()) {
      Tensor tensor = column.getValue();
      arrays.add(
          manager.create(
              tensor.bytes(),
              new Shape(tensor.shape().lengths()),
              DataTypes.of(tensor.dtype(), column.getKey())));
    }
    return arrays;
  }

  @SuppressWarnings("unchecked")
  private static <I> I unwrap(I input) {
    if (input instanceof Image image) {
      return (I) image.getWrappedImage();
    }
    return input instanceof Input request ? (I) request.getData().getAsBytes() : input;
  }

  @Override
  public O processOutput(TranslatorContext context, NDList output) {
    return head.apply(output);
  }

  @Override
  public String toString() {
    return "DjlTranslator(%s)".formatted(preprocessor);
  }
}
