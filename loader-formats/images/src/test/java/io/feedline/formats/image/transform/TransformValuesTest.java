package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.BatchTransform;
import io.feedline.batch.DType;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.mixing.CutMix;
import io.feedline.formats.image.mixing.MixUp;
import io.feedline.formats.image.pipeline.internal.ImageTransforms;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.transform.quality.GaussianNoise;
import io.feedline.formats.image.transform.quality.JPEG;
import io.feedline.transform.RandomApply;
import io.feedline.transform.RandomChoice;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Transforms of images as values: their equality, their text, and the options they refuse. */
class TransformValuesTest {

  private static final int INSTANCES = 60;

  static Collection<Class<?>> named() {
    return new ImageTransforms().transforms().values();
  }

  static Stream<Class<?>> configurable() {
    return named().stream().filter(type -> Modifier.isPublic(type.getModifiers()));
  }

  @Test
  void shouldNameEveryTransformOfTheModule() throws Exception {
    Set<Class<?>> transforms = new LinkedHashSet<>();
    for (Class<?> type : List.of(Resize.class, JPEG.class, MixUp.class)) {
      for (String name : classesBeside(type)) {
        Class<?> each = Class.forName(name);
        boolean isTransform =
            RandomTransform.class.isAssignableFrom(each)
                || BatchTransform.class.isAssignableFrom(each);
        if (isTransform && !each.isInterface() && !Modifier.isAbstract(each.getModifiers())) {
          transforms.add(each);
        }
      }
    }

    assertThat(new HashSet<Class<?>>(named())).containsAll(transforms);
    assertThat(transforms).hasSizeGreaterThan(40);
  }

  private static Set<String> classesBeside(Class<?> type) throws IOException {
    Path classes =
        Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .resolve(type.getPackageName().replace('.', '/'));
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(classes)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\w+\\.class"))
          .forEach(name -> names.add(type.getPackageName() + "." + name.replace(".class", "")));
    }
    return names;
  }

  @ParameterizedTest
  @MethodSource("configurable")
  void shouldBeReadAsItWasWritten(Class<?> type) throws Exception {
    Random random = new Random(type.getSimpleName().hashCode());
    Set<Object> different = new LinkedHashSet<>();
    for (int i = 0; i < INSTANCES; i++) {
      Object transform = anyOf(type, random);
      different.add(transform);
      Object back = read(transform);

      assertThat(back).isEqualTo(transform).hasSameHashCodeAs(transform);
      assertThat(back).hasToString(transform.toString());
      assertThat(write(back)).isEqualTo(write(transform));
      assertThat(((Transforms.Value) back).options())
          .isEqualTo(((Transforms.Value) transform).options());
      if (i < 8 && transform instanceof RandomTransform<?, ?> ofSamples) {
        assertThat(pixels(back)).isEqualTo(pixels(ofSamples));
      }
    }
    // Equality tells options apart.
    assertThat(different.stream().map(Object::toString).distinct()).hasSameSizeAs(different);
  }

  /** The pixels of an image after a transform; what was thrown where it takes no such image. */
  @SuppressWarnings("unchecked")
  private static Object pixels(Object transform) throws Exception {
    List<ByteBuffer> all = new ArrayList<>();
    for (int index = 0; index < 3; index++) {
      try {
        Object result =
            ((RandomTransform<Image, Object>) transform)
                .apply(TestImage.image(40, 30), new SampleRandom(3, 1, index, 0));
        for (Object each : result instanceof List<?> list ? list : List.of(result)) {
          Image image = (Image) each;
          if (image.shape().elements() > 1 << 20) {
            return image.toString();
          }
          all.add(Golden.written(image));
        }
      } catch (IllegalArgumentException | IllegalStateException e) {
        return e.getMessage();
      }
    }
    return all;
  }

  private static String write(Object transform) {
    return transform instanceof BatchTransform ofBatches
        ? Transforms.batchToJson(ofBatches)
        : Transforms.toJson((RandomTransform<?, ?>) transform);
  }

  private static Object read(Object transform) {
    return transform instanceof BatchTransform
        ? Transforms.batchFromJson(write(transform))
        : Transforms.<Object, Object>fromJson(write(transform));
  }

  /** Makes a transform by its factories and withers, with arguments that it takes. */
  private static Object anyOf(Class<?> type, Random random) throws Exception {
    List<Method> factories = new ArrayList<>();
    List<Method> withers = new ArrayList<>();
    for (Method method : type.getDeclaredMethods()) {
      boolean open = Modifier.isPublic(method.getModifiers()) && method.getReturnType() == type;
      if (open && method.getName().startsWith("of")) {
        factories.add(method);
      } else if (open && method.getName().startsWith("with")) {
        withers.add(method);
      }
    }
    Object transform = null;
    while (transform == null) {
      transform = tried(factories.get(random.nextInt(factories.size())), null, random).orElse(null);
    }
    for (int i = 0; i < 2 * withers.size(); i++) {
      Method wither = withers.get(random.nextInt(withers.size()));
      transform = tried(wither, transform, random).orElse(transform);
    }
    return transform;
  }

  private static Optional<Object> tried(Method method, Object target, Random random)
      throws Exception {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = any(method.getParameterTypes()[i], random);
    }
    try {
      return Optional.of(method.invoke(target, arguments));
    } catch (InvocationTargetException e) {
      assertThat(e.getCause()).isInstanceOf(IllegalArgumentException.class);
      return Optional.empty();
    }
  }

  private static Object any(Class<?> type, Random random) {
    if (type == int.class) {
      return random.nextInt(4) == 0 ? random.nextInt(256) : 1 + random.nextInt(12);
    } else if (type == double.class) {
      return random.nextInt(3) == 0 ? random.nextInt(5) : random.nextDouble() * 1.5;
    } else if (type == float.class) {
      return random.nextFloat();
    } else if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == String.class) {
      return "name \" \\ \u00e4 " + random.nextInt(9);
    } else if (type == int[].class) {
      return random.ints(1 + random.nextInt(3), 1, 50).toArray();
    } else if (type == double[].class) {
      return random.doubles(1 + random.nextInt(3)).toArray();
    } else if (type == float[].class) {
      return new float[] {random.nextFloat(), 0.25f, 0.1f + random.nextFloat()};
    } else if (type == DecodeOptions.class) {
      return DecodeOptions.DEFAULT
          .withMode((ImageMode) any(ImageMode.class, random))
          .withExifRotation(random.nextBoolean())
          .withMaxPixels(1 + random.nextInt(1 << 20));
    } else if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return constants[random.nextInt(constants.length)];
    }
    throw new IllegalArgumentException("no values of " + type);
  }

  @Test
  void shouldReadWhatMethodsMake() {
    List<RandomTransform<?, ?>> transforms =
        List.of(
            JointTransform.of(RandomHorizontalFlip.of()),
            JointTransform.of(Resize.of(3)),
            Resize.random(5, 9, Interpolation.BICUBIC),
            ToTensor.linear(new float[][] {{1, 2}, {3, 4}}, new float[] {5, 6}),
            RandomTransform.inRandomOrder(RandomInvert.of(), RandomEqualize.of()),
            RandomChoice.of(RandomInvert.of(), RandomEqualize.of()),
            RandomApply.of(ColorJitter.of(0.4, 0.4, 0.4, 0.1).andThen(GaussianBlur.of(3)), 0.8));
    for (RandomTransform<?, ?> each : transforms) {
      assertThat(read(each)).isEqualTo(each).hasToString(each.toString());
    }
    BatchTransform batch =
        BatchTransform.oneOf(MixUp.of(5), CutMix.of(5).withAlpha(0.5))
            .andThen(RandomErasing.of().withValue(1, 2, 3).onBatches("image"));
    assertThat(read(batch)).isEqualTo(batch).hasToString(batch.toString());
  }

  @Test
  void shouldWriteTheUsualValidationAsTorchvisionWouldNameIt() {
    Transform<Image, Image> validation =
        Resize.of(256).andThen(CenterCrop.of(224)).andThen(Normalize.imagenet());

    String text = Transforms.toJson(validation);

    assertThat(text)
        .isEqualTo(
            "{\"version\":1,\"transform\":["
                + "{\"Resize\":{\"shorterEdge\":256,\"interpolation\":\"bilinear\",\"antialias\":true}},"
                + "{\"CenterCrop\":{\"size\":[224,224]}},"
                + "{\"Normalize\":{\"mean\":[0.485,0.456,0.406],\"std\":[0.229,0.224,0.225]}}]}");
    assertThat(Transforms.<Image, Image>pureFromJson(text)).isEqualTo(validation);
    assertThatThrownBy(() -> Transforms.pureFromJson(Transforms.toJson(RandomInvert.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "transform.RandomInvert is random, where only transforms that draw nothing are taken");
  }

  /** 10,000 texts with an error each: none may end in anything but a reading or a clear refusal. */
  @Test
  void shouldReadOrRefuseWhatBecomesOfABrokenText() {
    String whole =
        Transforms.toJson(
            Resize.of(256)
                .andThen(
                    RandomApply.of(
                        RandomAffine.of(10).withTranslate(0.1, 0.2).withCenter(3, 4), 0.3))
                .andThen(RandomChoice.of(RandomPosterize.of(3), AutoAugment.of()))
                .andThen(RandomErasing.of().withValue(1, 2, 3))
                .andThen(Normalize.imagenet()));
    Random random = new Random(7);
    String letters = "0123456789.-e\"[]{},:truefalsnR\\ \u0000\uD800";
    int read = 0;
    for (int i = 0; i < 10_000; i++) {
      StringBuilder text = new StringBuilder(whole);
      for (int errors = random.nextInt(3); errors >= 0 && !text.isEmpty(); errors--) {
        int at = random.nextInt(text.length());
        int end = Math.min(text.length(), at + 1 + random.nextInt(12));
        char letter = letters.charAt(random.nextInt(letters.length()));
        switch (random.nextInt(5)) {
          case 0 -> text.setCharAt(at, letter);
          case 1 -> text.insert(at, letter);
          case 2 -> text.delete(at, end);
          case 3 -> text.insert(at, text.substring(at, end));
          default -> text.setLength(Math.max(1, at));
        }
      }
      try {
        assertThat(Transforms.<Object, Object>fromJson(text.toString())).isNotNull();
        read++;
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(2000);
        assertThat(e.getMessage()).matches("(?s)(the )?transform.*");
      }
    }
    assertThat(read).isBetween(10, 3000);
  }

  private static Arguments refusal(ThrowingCallable making, String words) {
    return Arguments.of(making, words);
  }

  static List<Arguments> refusals() {
    return Arrays.asList(
        refusal(() -> MixUp.of(0), "numClasses must be 1 or more, was 0"),
        refusal(() -> CutMix.of(3).withProbability(1.5), "was 1.5"),
        refusal(() -> AugMix.of().withSeverity(11), "severity must be 1 to 10, was 11"),
        refusal(() -> AugMix.of().withSeverity(0), "was 0"),
        refusal(() -> AugMix.of().withMixtureWidth(0), "mixtureWidth must be 1 or more, was 0"),
        refusal(() -> AugMix.of().withAlpha(0), "alpha must be above 0 and finite, was 0.0"),
        refusal(() -> AugMix.of().withInterpolation(Interpolation.LANCZOS), "was lanczos"),
        refusal(() -> ElasticTransform.of(-1, 5), "alpha"),
        refusal(() -> ElasticTransform.of(1, 512), "sigma"),
        refusal(() -> ElasticTransform.of().withSigma(0, 1), "was (0.0, 1.0)"),
        refusal(() -> ElasticTransform.of().withInterpolation(Interpolation.BOX), "was box"),
        refusal(() -> Pad.of(-1), "was -1, -1, -1, -1"),
        refusal(() -> Pad.of(Integer.MAX_VALUE), "padding"),
        refusal(() -> Pad.of(1).withFill(-1, 0, 0), "was -1, 0, 0"),
        refusal(() -> Pad.of(1).withFill(0, 0, 9).withMode(PaddingMode.SYMMETRIC), "symmetric"),
        refusal(() -> RandAugment.of(-1, 9), "numOps must be 0 or more, was -1"),
        refusal(() -> RandAugment.of(2, 31), "magnitude must be 0 to 30, was 31"),
        refusal(() -> RandAugment.of().withNumMagnitudeBins(1), "was 1"),
        refusal(() -> RandAugment.of().withInterpolation(Interpolation.LANCZOS), "was lanczos"),
        refusal(() -> RandAugment.of().withFill(0, 256, 0), "was 0, 256, 0"),
        refusal(() -> RandomAdjustSharpness.of(2, 1.5), "probability must be 0 to 1, was 1.5"),
        refusal(() -> RandomAdjustSharpness.of(-0.5), "sharpnessFactor"),
        refusal(() -> RandomAffine.of(-1), "was -1.0"),
        refusal(() -> RandomAffine.of(5).withShear(-1), "was -1.0; a range takes two numbers"),
        refusal(() -> RandomAffine.of(1).withTranslate(0.5, 1.5), "translate y"),
        refusal(() -> RandomAffine.of(1).withScale(0, 1), "scale"),
        refusal(() -> RandomAffine.of(1).withShear(0, 1, 2, 1), "shear y"),
        refusal(() -> RandomAffine.of(1).withCenter(0, Double.NaN), "center"),
        refusal(() -> RandomAffine.of(1).withInterpolation(Interpolation.BOX), "was box"),
        refusal(() -> RandomAutocontrast.of(1.5), "probability must be 0 to 1, was 1.5"),
        refusal(() -> RandomCrop.of(0), "height"),
        refusal(() -> RandomCrop.of(1, 0), "width"),
        refusal(() -> RandomCrop.of(5).withPadding(-1), "padding"),
        refusal(() -> RandomCrop.of(5).withFill(0, 0, 9).withMode(PaddingMode.EDGE), "edge"),
        refusal(() -> RandomEqualize.of(1.5), "probability must be 0 to 1, was 1.5"),
        refusal(() -> RandomErasing.of(1.5), "was 1.5"),
        refusal(() -> RandomErasing.of().withScale(0.5, 1.1), "scale"),
        refusal(() -> RandomErasing.of().withRatio(0, 1), "ratio"),
        refusal(() -> RandomErasing.of().withRatio(2, 1), "was 2.0 to 1.0"),
        refusal(() -> RandomInvert.of(1.5), "probability must be 0 to 1, was 1.5"),
        refusal(() -> RandomIoUCrop.of().withScale(0.5, 1.5), "scale"),
        refusal(() -> RandomIoUCrop.of().withAspectRatio(2, 1), "aspectRatio"),
        refusal(() -> RandomIoUCrop.of().withOverlaps(), "there must be one, was []"),
        refusal(() -> RandomIoUCrop.of().withOverlaps(0.5, -1), "-1.0"),
        refusal(() -> RandomIoUCrop.of().withTrials(0), "trials must be 1 or more, was 0"),
        refusal(() -> RandomTransform.<Image>inRandomOrder(), "a transform to apply, was []"),
        refusal(() -> RandomPerspective.of(1.5, 0.5), "distortionScale"),
        refusal(() -> RandomPerspective.of(0.5, 2), "was 2.0"),
        refusal(() -> RandomPerspective.of().withInterpolation(Interpolation.BOX), "was box"),
        refusal(() -> RandomPhotometricDistort.of().withBrightness(-1, 2), "brightness"),
        refusal(() -> RandomPhotometricDistort.of().withContrast(2, 1), "contrast"),
        refusal(() -> RandomPhotometricDistort.of().withSaturation(-1, 1), "saturation"),
        refusal(() -> RandomPhotometricDistort.of().withHue(-0.6, 0), "hue"),
        refusal(() -> RandomPhotometricDistort.of().withProbability(2), "was 2.0"),
        refusal(() -> RandomPosterize.of(3, 1.5), "probability must be 0 to 1, was 1.5"),
        refusal(() -> RandomPosterize.of(9), "bits must be 0 to 8, was 9"),
        refusal(() -> RandomPosterize.of(-1), "bits must be 0 to 8, was -1"),
        refusal(() -> Resize.random(5, 5), "maxEdge must be more than minEdge, 5, was 5"),
        refusal(() -> Resize.random(0, 5), "minEdge"),
        refusal(() -> RandomResizedCrop.of(8).withScale(1, 0.5), "in order, was 1.0 to 0.5"),
        refusal(() -> RandomResizedCrop.of(8).withRatio(0, 1), "ratio"),
        refusal(() -> RandomResizedCrop.of(8).withScale(0.1, Double.NaN), "scale"),
        refusal(() -> RandomResizedCrop.of(0), "height"),
        refusal(() -> RandomRotation.of(-1), "was -1.0; a range takes two numbers"),
        refusal(() -> RandomRotation.of(Double.NaN), "degrees"),
        refusal(() -> RandomRotation.of(1).withCenter(Double.NaN, 0), "center"),
        refusal(() -> RandomRotation.of(1).withInterpolation(Interpolation.BOX), "was box"),
        refusal(() -> RandomShortestSize.of(), "minSizes"),
        refusal(() -> RandomShortestSize.of(3, 0), "was 0"),
        refusal(() -> RandomShortestSize.of(3).withMaxSize(0), "maxSize"),
        refusal(() -> RandomSolarize.of(100, 1.5), "probability must be 0 to 1, was 1.5"),
        refusal(() -> RandomSolarize.of(Double.NaN), "was NaN"),
        refusal(() -> RandomZoomOut.of().withSideRange(0.5, 2), "was 0.5 to 2.0"),
        refusal(() -> RandomZoomOut.of().withFill(0, 0, 256), "was 0, 0, 256"),
        refusal(() -> RandomZoomOut.of().withProbability(-1), "was -1.0"),
        refusal(() -> Resize.of(0), "shorterEdge"),
        refusal(() -> Resize.of(5, -1), "width"),
        refusal(() -> Resize.of(5).withMaxSize(0), "maxSize"),
        refusal(() -> Resize.of(5).withMaxSize(5), "maxSize must exceed the shorter edge 5, was 5"),
        refusal(() -> Resize.of(5, 6).withMaxSize(9), "maxSize 9"),
        refusal(() -> ScaleJitter.of(0), "targetWidth"),
        refusal(() -> ScaleJitter.of(3, -1), "targetHeight"),
        refusal(() -> ScaleJitter.of(3).withScale(0, 1), "scale"),
        refusal(
            () -> ScaleJitter.of(3).withInterpolation(Interpolation.BICUBIC).withAntialias(false),
            "antialias"),
        refusal(() -> TrivialAugmentWide.of().withNumMagnitudeBins(1), "was 1"),
        refusal(() -> TrivialAugmentWide.of().withInterpolation(Interpolation.BOX), "was box"),
        refusal(() -> GaussianNoise.of(Double.NaN, 1), "mean must be finite, was NaN"),
        refusal(() -> GaussianNoise.of(0, -1), "sigma must be 0 or more and finite, was -1.0"),
        refusal(() -> RandomGrayscale.of(1.01), "probability must be 0 to 1, was 1.01"),
        refusal(() -> RandomHorizontalFlip.of(1.01), "probability must be 0 to 1, was 1.01"),
        refusal(() -> RandomVerticalFlip.of(1.01), "probability must be 0 to 1, was 1.01"),
        refusal(() -> RandomHorizontalFlip.of(Double.NaN), "was NaN"),
        refusal(() -> MixUp.of(3, 0), "alpha must be above 0 and finite, was 0.0"),
        refusal(() -> CutMix.of(3, Double.NaN), "was NaN"),
        refusal(() -> Resize.of(5).withInterpolation(null), "interpolation"),
        refusal(() -> ToTensor.of(DType.FLOAT64), "FLOAT16, BFLOAT16"),
        refusal(() -> GaussianBlur.of(4), "kernelWidth must be odd and from 1 to 4095, was 4"),
        refusal(() -> GaussianBlur.of(4097), "was 4097"),
        refusal(() -> GaussianBlur.of(3).withSigma(0), "sigma"),
        refusal(() -> GaussianBlur.of(3).withSigma(Double.POSITIVE_INFINITY), "sigma"),
        refusal(() -> GaussianBlur.of(3).withSigma(2, 1), "was 2.0 to 1.0"),
        refusal(() -> ColorJitter.of(-1, 0, 0, 0), "brightness"),
        refusal(() -> ColorJitter.of(0, Double.NaN, 0, 0), "contrast"),
        refusal(() -> ColorJitter.of().withSaturation(2, 1), "was 2.0 to 1.0"),
        refusal(() -> ColorJitter.of(0, 0, 0, 0.6), "was 0.6 to 0.6"),
        refusal(() -> ColorJitter.of().withHue(-0.6, 0), "hue"),
        refusal(() -> SanitizeBoundingBoxes.of().withMinSize(0.5), "minSize"),
        refusal(() -> SanitizeBoundingBoxes.of().withMinArea(Double.NaN), "minArea"),
        refusal(() -> JPEG.of(0), "quality must be within 1 to 100 and in order, was 0..0"),
        refusal(() -> JPEG.of(10, 101), "was 10..101"),
        refusal(() -> JPEG.of(9, 8), "was 9..8"),
        refusal(() -> TestImage.image(8, 8).jpeg(101), "quality must be 1 to 100, was 101"),
        refusal(() -> AutoAugment.of().withInterpolation(Interpolation.BOX), "was box"),
        refusal(() -> AutoAugment.of(null), "policy"),
        refusal(() -> Normalize.of(new float[3], new float[] {1, 0, 1}), "std must not be 0"),
        refusal(() -> Normalize.of(new float[2], new float[3]), "one value for each channel"),
        refusal(() -> Normalize.of(new float[1], new float[] {1, 1, 1}), "as many values"),
        refusal(() -> Normalize.of(new float[3], new float[] {1, 1, 1, 1}), "std"),
        refusal(() -> Normalize.of(new float[] {1, Float.NaN, 1}, new float[] {1, 1, 1}), "finite"),
        refusal(() -> Grayscale.of(2), "channels must be 1 or 3, was 2"),
        refusal(() -> CenterCrop.of(0), "height"),
        refusal(() -> FiveCrop.of(1, 0), "width"),
        refusal(() -> ConvertDtype.of(DType.INT32), "ToTensor with INT32 gives whole values"),
        refusal(
            () -> Resize.of(9).withAntialias(false).withInterpolation(Interpolation.BICUBIC),
            "antialias(false) goes with bilinear interpolation, was bicubic"),
        refusal(() -> Grayscale.of().apply(null), "image"),
        refusal(() -> FiveCrop.of(30, 20).apply(TestImage.image(40, 29)), "20 x 30"),
        refusal(() -> Resize.of(256).apply(TestImage.image(1, 100_000)), "25600000"),
        refusal(
            () -> RandomCrop.of(32).apply(TestImage.image(40, 30), SampleRandom.ofBatch(0, 0, 0)),
            "a part of 32 x 32 does not fit into an image of 40 x 30"),
        refusal(
            () ->
                RandomZoomOut.of()
                    .withSideRange(Image.MAX_SIDE, Image.MAX_SIDE)
                    .withProbability(1)
                    .apply(TestImage.image(3, 3), SampleRandom.ofBatch(0, 0, 0)),
            String.valueOf(Image.MAX_SIDE)),
        refusal(
            () -> TestImage.image(65501, 1).jpeg(50), "a JPEG has at most 65500 pixels a side"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void shouldRefuseOptionsOutOfRange(ThrowingCallable making, String words) {
    assertThatThrownBy(making)
        .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class)
        .hasMessageContaining(words);
  }
}
