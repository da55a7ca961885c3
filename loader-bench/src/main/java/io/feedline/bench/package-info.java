/**
 * How fast Feedline is, in figures that somebody else can get too.
 *
 * <p>There are three kinds of programs here. <b>Benchmarks</b> (JMH) each answer one question about
 * one step: the engine alone ({@link io.feedline.bench.EmptyLoader}), collation, the picture
 * writer, the shuffle, a folder of pictures from end to end. <b>Baselines</b> ({@code *Baseline})
 * say what the machine can do at best, so that "fast" has a denominator. {@link
 * io.feedline.bench.Throughput} is a command that reads a folder of pictures as a training would
 * and prints one line of JSON for each epoch; {@code peers/} has the same command for Python's
 * loaders, and {@code peers/compare} runs two such commands in turns.
 *
 * <p>Everything uses the public API only, as a user would.
 *
 * <p><b>To add a benchmark</b> write one class with one question in the first sentence of its
 * Javadoc and the command in the second paragraph; the smoke test runs it from then on. <b>To add a
 * format to Throughput</b> add a constant to {@link io.feedline.bench.SourceFormat}.
 */
package io.feedline.bench;
