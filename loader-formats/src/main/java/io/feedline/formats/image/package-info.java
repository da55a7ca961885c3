/**
 * Images that are decoded, cropped, scaled, flipped and normalized in one pass, straight into
 * their row of a batch.
 *
 * <p>An {@link io.feedline.formats.image.Image} is a recipe: it knows where its pixels come from
 * and its size, from the file's header, but holds no pixels. Transforms ({@link
 * io.feedline.formats.image.Resize}, {@link io.feedline.formats.image.CenterCrop}, {@link
 * io.feedline.formats.image.RandomResizedCrop}, {@link
 * io.feedline.formats.image.RandomHorizontalFlip}, {@link io.feedline.formats.image.Normalize},
 * {@link io.feedline.formats.image.ToTensor}) only write down what they want:
 *
 * <pre>{@code
 * RandomTransform<Image, Image> train =
 *     RandomResizedCrop.of(224).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());
 * Transform<Image, Image> validate =
 *     Resize.of(256).andThen(CenterCrop.of(224)).andThen(Normalize.imagenet());
 * }</pre>
 *
 * <p>When the loader tells the image to write itself, the source is asked for the pixels that
 * matter to the result, and for no others, and each sample of the tensor is written once. The
 * result equals torchvision's on PIL images bit for bit, given the same decoded pixels.
 *
 * <p>Transforms that change colors ({@link io.feedline.formats.image.ColorJitter}, {@link
 * io.feedline.formats.image.GaussianBlur}, ...) or warp ({@link
 * io.feedline.formats.image.RandomRotation}, ...) put an operation between the source and what
 * follows; it is carried out when the image is written, on the pixels of that moment. {@link
 * io.feedline.formats.image.RandomErasing} overwrites the finished row, and comes last. {@link
 * io.feedline.formats.image.MixUp} and {@link io.feedline.formats.image.CutMix} mix the images of
 * a batch, when all are written.
 *
 * <p><b>Memory.</b> A thread keeps what its decoder needed for the largest image so far, about 3
 * bytes a pixel and up to 64 MiB, and a workspace of a few rows; both are used again for its next
 * image and live as long as the thread. Where a recipe begins with another one, the latter's
 * result is kept as well, at 4 bytes a pixel and up to 64 MiB. The target belongs to the caller.
 *
 * <p><b>Threads.</b> Images and transforms are immutable and may be shared; each call of {@code
 * writeTo} works on its own thread's workspace.
 *
 * <p><b>To create your own transform</b> write an immutable class that implements {@link
 * io.feedline.transform.Transform} or {@link io.feedline.transform.RandomTransform} from Image to
 * Image. One that can be said in terms of {@code crop}, {@code resize} and {@code flipHorizontal}
 * stays a recipe. One that must see pixels calls {@link io.feedline.formats.image.Image#pixels},
 * changes them and returns {@link io.feedline.formats.image.Pixels#toImage}; this decodes at once
 * and forgets normalization, dtype and layout, so it belongs before these. A test that extends
 * {@code TransformContract} holds the promises that loaders rely on.
 */
package io.feedline.formats.image;
