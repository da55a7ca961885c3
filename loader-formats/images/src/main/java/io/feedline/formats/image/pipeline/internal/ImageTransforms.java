package io.feedline.formats.image.pipeline.internal;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.dataset.DecodeImage;
import io.feedline.formats.image.mixing.CutMix;
import io.feedline.formats.image.mixing.MixUp;
import io.feedline.formats.image.transform.AugMix;
import io.feedline.formats.image.transform.AutoAugment;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.ConvertDtype;
import io.feedline.formats.image.transform.ElasticTransform;
import io.feedline.formats.image.transform.FiveCrop;
import io.feedline.formats.image.transform.GaussianBlur;
import io.feedline.formats.image.transform.Grayscale;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.Pad;
import io.feedline.formats.image.transform.RandAugment;
import io.feedline.formats.image.transform.RandomAdjustSharpness;
import io.feedline.formats.image.transform.RandomAffine;
import io.feedline.formats.image.transform.RandomAutocontrast;
import io.feedline.formats.image.transform.RandomChannelPermutation;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.RandomEqualize;
import io.feedline.formats.image.transform.RandomErasing;
import io.feedline.formats.image.transform.RandomGrayscale;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomInvert;
import io.feedline.formats.image.transform.RandomIoUCrop;
import io.feedline.formats.image.transform.RandomPerspective;
import io.feedline.formats.image.transform.RandomPhotometricDistort;
import io.feedline.formats.image.transform.RandomPosterize;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.RandomRotation;
import io.feedline.formats.image.transform.RandomShortestSize;
import io.feedline.formats.image.transform.RandomSolarize;
import io.feedline.formats.image.transform.RandomVerticalFlip;
import io.feedline.formats.image.transform.RandomZoomOut;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.SanitizeBoundingBoxes;
import io.feedline.formats.image.transform.ScaleJitter;
import io.feedline.formats.image.transform.TenCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.formats.image.transform.TrivialAugmentWide;
import io.feedline.formats.image.transform.quality.GaussianNoise;
import io.feedline.formats.image.transform.quality.JPEG;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The transforms of this module; a test fails if a new transform is missing here. */
public final class ImageTransforms implements Transforms.Library {

  private static final List<Class<?>> NAMED =
      List.of(
          AugMix.class,
          AutoAugment.class,
          CenterCrop.class,
          ColorJitter.class,
          ConvertDtype.class,
          CutMix.class,
          DecodeImage.class,
          ElasticTransform.class,
          FiveCrop.class,
          GaussianBlur.class,
          GaussianNoise.class,
          Grayscale.class,
          JPEG.class,
          MixUp.class,
          Normalize.class,
          Pad.class,
          RandAugment.class,
          RandomAdjustSharpness.class,
          RandomAffine.class,
          RandomAutocontrast.class,
          RandomChannelPermutation.class,
          RandomCrop.class,
          RandomEqualize.class,
          RandomErasing.class,
          RandomGrayscale.class,
          RandomHorizontalFlip.class,
          RandomInvert.class,
          RandomIoUCrop.class,
          RandomPerspective.class,
          RandomPhotometricDistort.class,
          RandomPosterize.class,
          RandomResizedCrop.class,
          RandomRotation.class,
          RandomShortestSize.class,
          RandomSolarize.class,
          RandomVerticalFlip.class,
          RandomZoomOut.class,
          Resize.class,
          SanitizeBoundingBoxes.class,
          ScaleJitter.class,
          TenCrop.class,
          ToTensor.class,
          TrivialAugmentWide.class);

  @Override
  public Map<String, Class<?>> transforms() {
    Map<String, Class<?>> transforms = new TreeMap<>();
    NAMED.forEach(type -> transforms.put(type.getSimpleName(), type));
    // The transforms without a public class of their own.
    RandomTransform<Image, Image> random = RandomHorizontalFlip.of();
    transforms.put("JointTransform", JointTransform.of(CenterCrop.of(1)).getClass());
    transforms.put("JointRandomTransform", JointTransform.of(random).getClass());
    transforms.put("RandomResize", Resize.random(1, 2).getClass());
    transforms.put("RandomErasingOnBatches", RandomErasing.of().onBatches("image").getClass());
    transforms.put(
        "LinearTransformation", ToTensor.linear(new float[0][], new float[0]).getClass());
    return transforms;
  }
}
