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
 * A {@link Preprocessor} as a DJL {@link Translator}: a {@code Predictor} is given the rows that
 * the model was validated with.
 *
 * <pre>{@code
 * Criteria.builder()
 *     .setTypes(byte[].class, Classifications.class)
 *     .optModelPath(folder)
 *     .optTranslator(DjlTranslator.of(DecodeImage.of().andThen(validate), classes))
 *     .build()
 * }</pre>
 *
 * <p>DJL's own kinds of inputs are unwrapped before the pipeline: {@link Image} to the picture that
 * it wraps, a {@code BufferedImage} mostly, and {@link Input} to its bytes. An Image has been
 * decoded by DJL, whose JPEG decoder rounds otherwise than libjpeg-turbo; give bytes or a path for
 * the pixels of the validation.
 *
 * <p>{@code batchPredict} writes all inputs into one array, which on the CPU is a view of memory
 * that later requests use again. An input that cannot be read fails the batch; the message says
 * which input it is.
 *
 * <p>Thread-safe; nothing to close.
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
   * Returns the translator of a model whose output is a score for each class, before softmax. It
   * answers with the five likeliest classes.
   *
   * @param transform the pipeline of the validation; encoded images take {@code DecodeImage} as its
   *     first step
   * @param classes their names, in the order of the model's output
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
   * @param head makes the answer to one input from the model's output without a batch axis; the
   *     output's arrays are closed afterwards, unless {@link #raw} keeps them. Thread-safe
   */
  public static <I, O> DjlTranslator<I, O> of(
      Preprocessor<? super I> preprocessor, Function<NDList, O> head) {
    return new DjlTranslator<>(preprocessor, head);
  }

  /**
   * Returns the translator that answers with the model's output itself, which the caller closes: a
   * copy, since a model may give back a part of its input.
   */
  public static <I> DjlTranslator<I, NDList> raw(Preprocessor<? super I> preprocessor) {
    return of(preprocessor, DjlTranslator::copy);
  }

  /**
   * Returns the head of a classification, for {@link #of(Preprocessor, Function)}.
   *
   * @param classes their names, in the order of the model's output
   * @param topK how many the answer's text shows, 1 or more
   * @param applySoftmax whether the output is scores, and not probabilities already
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

  /** Returns {@link Batchifier#STACK}: the first axis of each array has the inputs. */
  @Override
  public Batchifier getBatchifier() {
    return Batchifier.STACK;
  }

  /**
   * Returns the tensors of one input, without a batch axis.
   *
   * @throws Exception as {@link Preprocessor#batch} throws it
   */
  @Override
  public NDList processInput(TranslatorContext context, I input) throws Exception {
    NDList row = new NDList();
    batchProcessInput(context, List.of(input)).forEach(array -> row.add(array.squeeze(0)));
    return row;
  }

  /**
   * Returns the tensors of several inputs, written side by side.
   *
   * @throws Exception as {@link Preprocessor#batch} throws it
   */
  @Override
  public NDList batchProcessInput(TranslatorContext context, List<I> inputs) throws Exception {
    List<I> unwrapped = new ArrayList<>();
    inputs.forEach(input -> unwrapped.add(unwrap(input)));
    Batch batch = preprocessor.batch(unwrapped);
    NDManager manager = context.getNDManager();
    // The arrays may be views of the batch, and live as long as the manager.
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
