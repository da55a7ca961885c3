package io.feedline.batch;

/**
 * A way to make a batch out of samples. There are two ways:
 *
 * <ul>
 *   <li>{@link RowCollator}: each sample writes itself into its row as soon as it is made, on the
 *       worker that made it. The default collator does this.
 *   <li>{@link ListCollator}: a function of the list of samples, called when all samples are made.
 *       It is easy to write, and needed for batches whose shape depends on all their samples.
 * </ul>
 *
 * <p>This example of a collator makes a tensor of the first letters of {@code Word}s; pass it to
 * {@link io.feedline.DataLoaderBuilder#collator} as a method reference:
 *
 * <pre>{@code
 * private static void firstLetters(List<Word> words, BatchAssembler batch) {
 *   LongBuffer first = batch.tensor("first", DType.INT64, Shape.of(words.size())).asLongBuffer();
 *   words.forEach(word -> first.put(word.letters()[0]));
 * }
 * }</pre>
 *
 * <p>Often you need no collator: mapping the dataset to another record or map changes what is
 * collated, and {@link PaddingCollator} takes entries of varying length.
 *
 * <p>Thread-safe: workers call it at once, for different samples or batches.
 */
public sealed interface Collator<T> permits RowCollator, ListCollator {

  /**
   * Returns a collator with the default rules, those of PyTorch's {@code default_collate} for
   * Java's types:
   *
   * <table>
   * <caption>The result for each kind of entry of a sample</caption>
   * <tr><th>entry</th><th>in the batch</th></tr>
   * <tr><td>{@link TensorSource}: a tensor, an image</td><td>stacked on a new first axis</td></tr>
   * <tr><td>float, double</td><td>a FLOAT32, FLOAT64 tensor (n)</td></tr>
   * <tr><td>byte, short, int, long</td><td>an INT64 tensor (n)</td></tr>
   * <tr><td>boolean</td><td>a BOOL tensor (n)</td></tr>
   * <tr><td>float[], double[], short[], int[], long[], boolean[]</td>
   *     <td>a tensor (n, length) of FLOAT32, FLOAT64, INT16, INT32, INT64, BOOL</td></tr>
   * <tr><td>float[][], int[][][] and so on, with rows of one length</td>
   *     <td>one tensor too: (n, rows, length)</td></tr>
   * <tr><td>String and other CharSequences, byte[], enum constants</td>
   *     <td>a list of the values</td></tr>
   * <tr><td>record, data class of Kotlin, bean (a constructor without parameters, and a getter and a
   *     setter for each field)</td><td>its components or fields, each by these rules</td></tr>
   * <tr><td>Map with String keys</td><td>its values, each by these rules</td></tr>
   * <tr><td>List, Object[], String[], byte[][]</td>
   *     <td>its elements, each by these rules</td></tr>
   * </table>
   *
   * Nested entries are named by their path: {@code boxes.left}, {@code pair.0}. All samples of a
   * batch must agree in entries, dtypes and shapes with the batch's first sample; an extra key of a
   * map is an error as well. A null and a value of any other class are errors. A loader delivers
   * such an error in a {@link io.feedline.data.LoaderException} that names the entry and the index.
   */
  static <T> RowCollator<T> defaults() {
    return new DefaultCollator<>();
  }
}
