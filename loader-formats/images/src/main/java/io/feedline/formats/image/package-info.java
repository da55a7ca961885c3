/**
 * Images that are decoded, cropped, scaled, flipped and normalized in one pass, straight into their
 * row of a batch.
 *
 * <p>An {@link io.feedline.formats.image.Image} is a recipe: it knows where its pixels come from
 * and its size, from the file's header, but holds no pixels. Transforms ({@link
 * io.feedline.formats.image.transform.Resize}, {@link
 * io.feedline.formats.image.transform.CenterCrop}, {@link
 * io.feedline.formats.image.transform.RandomResizedCrop}, {@link
 * io.feedline.formats.image.transform.RandomHorizontalFlip}, {@link
 * io.feedline.formats.image.transform.Normalize}, {@link
 * io.feedline.formats.image.transform.ToTensor}) only write down what they want:
 *
 * <pre>{@code
 * RandomTransform<Image, Image> train =
 *     RandomResizedCrop.of(224).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());
 * Transform<Image, Image> validate =
 *     Resize.of(256).andThen(CenterCrop.of(224)).andThen(Normalize.imagenet());
 * }</pre>
 *
 * <p>When the image writes itself, it asks its source only for the pixels that the result needs,
 * and writes each sample of the tensor once. The result equals torchvision's on PIL images bit for
 * bit, given the same decoded pixels.
 *
 * <p>Transforms that change colors ({@link io.feedline.formats.image.transform.ColorJitter}, {@link
 * io.feedline.formats.image.transform.GaussianBlur}, ...) or warp ({@link
 * io.feedline.formats.image.transform.RandomRotation}, ...) put an operation between the source and
 * what follows; it is carried out when the image is written, on the pixels of that moment. {@link
 * io.feedline.formats.image.transform.RandomErasing} overwrites the finished row, and comes last.
 * {@link io.feedline.formats.image.mixing.MixUp} and {@link
 * io.feedline.formats.image.mixing.CutMix} mix the images of a batch, when all are written.
 *
 * <p><b>Targets.</b> A sample may have a {@link io.feedline.formats.image.Mask}, {@link
 * io.feedline.formats.image.InstanceMasks}, {@link io.feedline.formats.image.BoundingBoxes}, {@link
 * io.feedline.formats.image.KeyPoints}, {@link io.feedline.formats.image.BoxLabels} and further
 * images beside its image. {@link io.feedline.formats.image.JointTransform} applies a transform of
 * images to all of them: it makes them linked targets of the first image, which passes each of its
 * operations on.
 *
 * <p><b>Image and targets lie in one package,</b> because an operation of the image is a value that
 * knows what it does to each kind of target ({@code ImageStep}). To add an operation to Image, add
 * a factory there.
 *
 * <p><b>Memory.</b> A thread keeps what its decoder needed for the largest image so far, about 3
 * bytes a pixel and up to 64 MiB, and a workspace of a few rows; both are used again for its next
 * image and live as long as the thread. Where a recipe begins with another one, the latter's result
 * is kept as well, at 4 bytes a pixel and up to 64 MiB; where operations change pixels, these are
 * kept at 3 bytes each. An image with alpha whose pixels are moved takes 12 bytes a pixel for as
 * long as that lasts. The target belongs to the caller.
 *
 * <p><b>Threads.</b> Images and transforms are immutable and may be shared; each call of {@code
 * writeTo} works on its own thread's workspace.
 *
 * <p><b>To create your own transform</b> write an immutable class that implements {@link
 * io.feedline.transform.Transform} or {@link io.feedline.transform.RandomTransform} from Image to
 * Image, out of Image's operations; see {@code image.transform}. {@code map} with a {@link
 * io.feedline.formats.image.Image.PixelOperation} changes pixels when the image is decoded. {@link
 * io.feedline.formats.image.Image#pixels} decodes at once and forgets normalization, dtype and
 * layout, so use it only for changes that no operation can express.
 */
@NullMarked
package io.feedline.formats.image;

import org.jspecify.annotations.NullMarked;
