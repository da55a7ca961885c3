package io.feedline.gpu;

import ai.djl.Model;
import ai.djl.modality.Classifications;
import ai.djl.modality.Input;
import ai.djl.modality.Output;
import ai.djl.modality.cv.Image;
import ai.djl.ndarray.BytesSupplier;
import ai.djl.ndarray.NDList;
import ai.djl.translate.ArgumentsUtil;
import ai.djl.translate.TranslateException;
import ai.djl.translate.Translator;
import ai.djl.translate.TranslatorFactory;
import ai.djl.util.Pair;
import io.feedline.Preprocessor;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A factory of {@link DjlTranslator}s from a model's folder, which contains {@code pipeline.json}
 * beside the parameters. Pass it to {@code Criteria.optTranslatorFactory}, or name it in the
 * folder's {@code serving.properties} for DJL Serving:
 *
 * <pre>
 * translatorFactory=io.feedline.gpu.DjlTranslatorFactory
 * </pre>
 *
 * <p>Its translators take bytes, a {@link Path}, an {@link InputStream}, a {@link BufferedImage} or
 * DJL's {@link Image}, and return {@link Classifications} or the model's output, an {@link NDList}.
 * Or they take DJL Serving's {@link Input} and return an {@link Output}: the classes as JSON, or
 * the model's output in DJL's encoding if {@code pipeline.json} names no classes.
 *
 * <p>The arguments are named as in DJL's own factory: {@code topK}, 5 by default, and {@code
 * applySoftmax}, true by default, for a model whose output is scores rather than probabilities.
 *
 * <p>Thread-safe.
 */
public final class DjlTranslatorFactory implements TranslatorFactory {

  private static final List<Class<?>> INPUTS =
      List.of(byte[].class, Path.class, InputStream.class, BufferedImage.class, Image.class);

  /** Creates a factory; DJL calls this constructor by the class's name. */
  public DjlTranslatorFactory() {}

  @Override
  public Set<Pair<Type, Type>> getSupportedTypes() {
    Set<Pair<Type, Type>> types = new LinkedHashSet<>();
    for (Class<?> input : INPUTS) {
      types.add(new Pair<>(input, Classifications.class));
      types.add(new Pair<>(input, NDList.class));
    }
    types.add(new Pair<>(Input.class, Output.class));
    return types;
  }

  /**
   * Reads the pipeline of a model's folder.
   *
   * @throws TranslateException if the folder has no {@code pipeline.json}, the file cannot be read,
   *     or the file names no classes although the answer needs them
   * @throws IllegalArgumentException if the types are not supported
   */
  @Override
  @SuppressWarnings("unchecked") // isSupported has checked the types.
  public <I, O> Translator<I, O> newInstance(
      Class<I> input, Class<O> output, Model model, Map<String, ?> arguments)
      throws TranslateException {
    if (!isSupported(input, output)) {
      throw new IllegalArgumentException(
          "no translator of %s to %s; there are %s"
              .formatted(input.getName(), output.getName(), getSupportedTypes()));
    }
    Preprocessor<Object> preprocessor;
    try {
      preprocessor = Preprocessor.load(model.getModelPath());
    } catch (IOException | IllegalArgumentException e) {
      throw new TranslateException(e.getMessage(), e);
    }
    Function<NDList, ?> head;
    if (output == NDList.class) {
      return (Translator<I, O>) DjlTranslator.raw(preprocessor);
    } else if (output == Output.class && preprocessor.classes().isEmpty()) {
      head = list -> answer(BytesSupplier.wrap(list.encode()));
    } else {
      Function<NDList, Classifications> classes = classes(preprocessor, model, arguments);
      head =
          output == Output.class
              ? list -> answer(BytesSupplier.wrapAsJson(classes.apply(list)))
              : classes;
    }
    return DjlTranslator.of(preprocessor, (Function<NDList, O>) head);
  }

  private static Function<NDList, Classifications> classes(
      Preprocessor<?> preprocessor, Model model, Map<String, ?> arguments)
      throws TranslateException {
    int topK = ArgumentsUtil.intValue(arguments, "topK", DjlTranslator.TOP);
    boolean softmax = ArgumentsUtil.booleanValue(arguments, "applySoftmax", true);
    try {
      return DjlTranslator.classifications(preprocessor.classes(), topK, softmax);
    } catch (IllegalArgumentException e) {
      throw new TranslateException(model.getModelPath() + ": " + e.getMessage(), e);
    }
  }

  private static Output answer(BytesSupplier content) {
    Output output = new Output();
    output.add(content);
    return output;
  }
}
