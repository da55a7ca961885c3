/**
 * Small example programs, and the code of the guide's pages.
 *
 * <p>{@link io.feedline.examples.QuickStart} reads a folder of images in batches, {@link
 * io.feedline.examples.SplitAndTransform} splits images of any format and transforms each part in
 * its own way, {@link io.feedline.examples.MixedBatches} augments them further, {@link
 * io.feedline.examples.OwnTransforms} by code of its own. {@link io.feedline.examples.SmallData}
 * has recipes for small data sets, {@link io.feedline.examples.PackImages} packs images into any
 * format, {@link io.feedline.examples.NormalizeOnDevice} copies them to the device as bytes, {@link
 * io.feedline.examples.MixOnDevice} mixes them there. {@link io.feedline.examples.FromPyTorch},
 * {@link io.feedline.examples.FromDjl} and {@link io.feedline.examples.Recipes} are the code of the
 * pages beside this module's README. A test checks that the pages show only code of these programs.
 *
 * <p>Each program is a class with a {@code main}, and a test runs it. The subpackages: {@link
 * io.feedline.examples.formats} reads each format, {@link io.feedline.examples.training} trains
 * networks, {@link io.feedline.examples.shared} has the common parts of programs.
 */
package io.feedline.examples;
