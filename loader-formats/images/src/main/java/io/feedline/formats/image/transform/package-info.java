/**
 * The transforms of torchvision, with its names, parameters, defaults, distributions and order of
 * draws.
 *
 * <p>A transform is an immutable function from {@link io.feedline.formats.image.Image} to Image: a
 * {@link io.feedline.transform.Transform} if nothing is random ({@link
 * io.feedline.formats.image.transform.Resize}, {@link
 * io.feedline.formats.image.transform.Normalize}), a {@link io.feedline.transform.RandomTransform}
 * if it draws random numbers ({@link io.feedline.formats.image.transform.RandomResizedCrop}). They
 * are joined with {@code andThen}:
 *
 * <pre>{@code
 * RandomTransform<Image, Image> train =
 *     RandomResizedCrop.of(224).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());
 * }</pre>
 *
 * <p>{@link io.feedline.formats.image.JointTransform} applies them to samples with masks, boxes and
 * points, and to both images of an {@code ImagePair}; {@code RandomIoUCrop} and {@code
 * SanitizeBoundingBoxes} use the boxes there. {@code MixUp} and {@code CutMix} change a whole
 * batch.
 *
 * <p><b>Nothing is decoded here.</b> A transform only adds its operation to the image; the pixels
 * are computed when the loader writes the image into its row. This package sees only the public
 * operations of {@code Image}.
 *
 * <p><b>A transform is a value.</b> Its options are a private record, which checks them; {@link
 * io.feedline.transform.Transforms.Value} makes equality, printing and JSON of it, and {@code
 * withX} gives the same transform with another option. The {@code of} and {@code withX} methods
 * throw {@link IllegalArgumentException}, whose message names the option and the value, for a
 * number that is not finite or not within the range that their Javadoc gives. The class is named in
 * {@code ImageTransforms}.
 *
 * <p><b>Threads and memory.</b> Transforms hold their parameters alone and are shared by all
 * workers.
 *
 * <h2>To write your own</h2>
 *
 * <p>Write a record with {@code apply(Image)} or {@code apply(Image, RandomGenerator)}, whose
 * components are its options and whose constructor checks them, so that pipelines with it can be
 * compared and written as JSON ({@link io.feedline.transform.Transforms}). Build the result out of
 * the operations of Image, and {@code map} with a {@link
 * io.feedline.formats.image.Image.PixelOperation} for changes of color. Its test extends {@code
 * TransformContract}, which checks the rules that a loader relies on. Draw all random numbers in
 * {@code apply}.
 */
@NullMarked
package io.feedline.formats.image.transform;

import org.jspecify.annotations.NullMarked;
