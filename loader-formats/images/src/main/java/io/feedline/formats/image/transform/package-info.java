/**
 * The transforms of torchvision, with torchvision's names, parameters, defaults, distributions and
 * order of draws.
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
 * <p>{@link io.feedline.formats.image.JointTransform} applies transforms to samples with masks,
 * boxes and points, and to both images of an {@code ImagePair}; {@code RandomIoUCrop} and {@code
 * SanitizeBoundingBoxes} need the boxes of such a sample. {@code MixUp} and {@code CutMix} change a
 * whole batch.
 *
 * <p><b>Nothing is decoded here.</b> A transform only adds its operation to the image; the pixels
 * are computed when the loader writes the image into its row. This package uses only the public
 * operations of {@code Image}.
 *
 * <p><b>A transform is a value.</b> Its options are a private record, which checks them. {@link
 * io.feedline.transform.Transforms.Value} derives equality, {@code toString} and JSON from this
 * record, and {@code withX} returns the same transform with another option. The {@code of} and
 * {@code withX} methods throw {@link IllegalArgumentException} for a number that is not finite or
 * out of the documented range; the message names the option and the value. {@code ImageTransforms}
 * lists all transforms.
 *
 * <p><b>Threads and memory.</b> Transforms contain only their options and are shared by all
 * workers.
 *
 * <h2>To write your own</h2>
 *
 * <p>Write a record with {@code apply(Image)} or {@code apply(Image, RandomGenerator)}, whose
 * components are its options and whose constructor checks them, so that pipelines with it can be
 * compared and written as JSON ({@link io.feedline.transform.Transforms}). Make the result with the
 * operations of Image, and with {@code map} and a {@link
 * io.feedline.formats.image.Image.PixelOperation} for changes of color. Let its test extend {@code
 * TransformContract}, which checks the rules that a loader relies on. Draw all random numbers in
 * {@code apply}.
 */
@NullMarked
package io.feedline.formats.image.transform;

import org.jspecify.annotations.NullMarked;
