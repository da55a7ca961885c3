/**
 * The programs that measure how fast Feedline is, in figures that anybody can reproduce.
 *
 * <p>There are four kinds of programs here. The <b>benchmark</b> {@link
 * io.feedline.bench.EmptyLoader} (JMH) measures the engine alone. {@link
 * io.feedline.bench.Throughput} is a command that reads a folder of images, or the store it was
 * packed into, as a training would, and prints one line of JSON for each epoch; {@code peers/} has
 * the same command for Python's loaders, and {@code peers/compare} runs two such commands in turns.
 * {@link io.feedline.bench.AgainstNative} and {@link io.feedline.bench.LmdbRandomRead} compare one
 * thread with a thread of C: the native programs in {@code src/native} show the limit of the
 * machine. {@link io.feedline.bench.HostToDevice} and {@link io.feedline.bench.TrainStep} need a
 * GPU: the first compares copies to the GPU with the limit of the machine, the second compares
 * training steps with and without the loader. {@code results/measure} runs all measurements.
 *
 * <p>Everything uses the public API only, as a user would.
 *
 * <p><b>To add a benchmark</b> write one class with one question in the first sentence of its
 * Javadoc and the command in the second paragraph; the smoke test runs it from then on. A <b>new
 * format</b> of images needs nothing here: Throughput finds it in the registry. <b>To compare other
 * work with C</b> add a constant to {@link io.feedline.bench.Work} and the mode of the same name to
 * {@code jpeg_reference.c}; the test of the native programs should check that both make the same.
 */
package io.feedline.bench;
