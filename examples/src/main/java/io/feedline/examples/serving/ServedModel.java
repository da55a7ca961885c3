package io.feedline.examples.serving;

import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.modality.Classifications;
import io.feedline.Preprocessor;
import io.feedline.batch.Shape;
import io.feedline.examples.training.ResNet;
import io.feedline.gpu.DjlTranslator;
import io.feedline.transform.Transform;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A model of {@code TrainResNet50} and its preprocessing, from the folder of its checkpoints.
 *
 * <p>Thread-safe; a predictor belongs to one thread. The caller closes it, after its predictors.
 *
 * @param model the model with the parameters of the last epoch
 * @param preprocessor the pipeline of the validation, with the class names
 */
record ServedModel(Model model, Preprocessor<Object> preprocessor) implements AutoCloseable {

  private static final Pattern PARAMETERS = Pattern.compile("(resnet[0-9]+)-[0-9]{4}\\.params");

  /**
   * Opens a folder of checkpoints.
   *
   * @throws IOException if the folder has no checkpoint or no pipeline, or they do not match
   */
  static ServedModel open(Path folder) throws IOException {
    Preprocessor<Object> preprocessor = Preprocessor.load(folder);
    // The network's input size is the size of the pipeline's results, which is the same for all
    // images.
    BufferedImage any = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
    Shape input = preprocessor.row(any).shape();
    String name = network(folder);
    Model model = Model.newInstance(name);
    try {
      ResNet network = ResNet.valueOf(name.toUpperCase(Locale.ROOT));
      model.setBlock(network.block(preprocessor.classes().size(), (int) input.length(1)));
      model.load(folder, name);
      return new ServedModel(model, preprocessor);
    } catch (MalformedModelException | RuntimeException mismatch) {
      model.close();
      throw new IOException(folder + " cannot be read: " + mismatch.getMessage(), mismatch);
    } catch (IOException unreadable) {
      model.close();
      throw unreadable;
    }
  }

  private static String network(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> PARAMETERS.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .findFirst()
          .orElseThrow(() -> new IOException("no parameters resnetN-NNNN.params in " + folder));
    }
  }

  /**
   * Returns a predictor, which the caller closes.
   *
   * @param transform converts an input of the predictor to a row
   * @param topK the number of classes in an answer
   */
  <I> Predictor<I, Classifications> predictor(Transform<I, ?> transform, int topK) {
    Preprocessor<I> rows = Preprocessor.of(transform);
    List<String> classes = preprocessor.classes();
    return model.newPredictor(
        DjlTranslator.of(rows, DjlTranslator.classifications(classes, topK, true)));
  }

  @Override
  public void close() {
    model.close();
  }

  /** Returns the network and its number of classes, such as {@code resnet18 of 10 classes}. */
  @Override
  public String toString() {
    return "%s of %d classes".formatted(model.getName(), preprocessor.classes().size());
  }
}
