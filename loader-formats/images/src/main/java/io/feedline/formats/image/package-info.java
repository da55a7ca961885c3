/**
 * Images that are decoded, cropped, scaled, flipped and normalized in one pass, directly into their
 * row of a batch.
 *
 * <p>An {@link io.feedline.formats.image.Image} is a recipe: it knows the source of its pixels and,
 * from the file's header, its size, but contains no pixels. Transforms ({@link
 * io.feedline.formats.image.transform.Resize}, {@link
 * io.feedline.formats.image.transform.CenterCrop}, {@link
 * io.feedline.formats.image.transform.RandomResizedCrop}, {@link
 * io.feedline.formats.image.transform.RandomHorizontalFlip}, {@link
 * io.feedline.formats.image.transform.Normalize}, {@link
 * io.feedline.formats.image.transform.ToTensor}) only add operations to the recipe:
 *
 * <pre>{@code
 * RandomTransform<Image, Image> train =
 *     RandomResizedCrop.of(224).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());
 * Transform<Image, Image> validate =
 *     Resize.of(256).andThen(CenterCrop.of(224)).andThen(Normalize.imagenet());
 * }</pre>
 *
 * <p>When the image is written, its source decodes only the pixels that the result needs, and each
 * sample of the tensor is written once. The result equals torchvision's on PIL images bit for bit,
 * given the same decoded pixels.
 *
 * <p>Transforms that change colors ({@link io.feedline.formats.image.transform.ColorJitter}, {@link
 * io.feedline.formats.image.transform.GaussianBlur}, ...) or warp ({@link
 * io.feedline.formats.image.transform.RandomRotation}, ...) add an operation on the pixels of the
 * steps before. The operation is carried out when the image is written. {@link
 * io.feedline.formats.image.transform.RandomErasing} overwrites the finished row, and must be the
 * last transform. {@link io.feedline.formats.image.mixing.MixUp} and {@link
 * io.feedline.formats.image.mixing.CutMix} mix the images of a batch after all are written.
 *
 * <p><b>Targets.</b> A sample may have a {@link io.feedline.formats.image.Mask}, {@link
 * io.feedline.formats.image.InstanceMasks}, {@link io.feedline.formats.image.BoundingBoxes}, {@link
 * io.feedline.formats.image.KeyPoints}, {@link io.feedline.formats.image.BoxLabels} and further
 * images beside its image. {@link io.feedline.formats.image.JointTransform} applies a transform of
 * images to all of them: they become linked targets of the first image, and each operation on the
 * first image is passed on to its linked targets.
 *
 * <p><b>Image and targets lie in one package,</b> because an operation of the image is a value that
 * defines the effect on each kind of target ({@code ImageStep}). To add an operation to Image, add
 * a factory to {@code ImageStep}.
 *
 * <p><b>Memory.</b> A thread keeps the memory that its decoder needed for the largest image so far,
 * about 3 bytes a pixel and up to 64 MiB, and a workspace of a few rows. Both are used again for
 * the thread's next image and live as long as the thread. The result of a recipe that is the source
 * of another recipe takes 4 bytes a pixel, up to 64 MiB, and operations that change pixels take 3
 * bytes a pixel; a thread keeps this memory, too. Moving the pixels of an image with alpha takes 12
 * bytes a pixel until the image is written. The target buffer belongs to the caller.
 *
 * <p><b>Threads.</b> Images and transforms are immutable and may be shared; each call of {@code
 * writeTo} uses the workspace of the calling thread.
 *
 * <p><b>To create your own transform</b> write an immutable class that implements {@link
 * io.feedline.transform.Transform} or {@link io.feedline.transform.RandomTransform} from Image to
 * Image, made of Image's operations; see {@code image.transform}. {@code map} with a {@link
 * io.feedline.formats.image.Image.PixelOperation} changes pixels when the image is decoded. {@link
 * io.feedline.formats.image.Image#pixels} decodes at once and forgets normalization, dtype and
 * layout, so use it only for changes that no operation can express.
 */
@NullMarked
package io.feedline.formats.image;

import org.jspecify.annotations.NullMarked;
