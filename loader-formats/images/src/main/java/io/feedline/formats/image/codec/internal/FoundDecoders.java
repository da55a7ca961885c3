package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageDecoder;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link ImageDecoder}s on the class path. The class path is searched once. A decoder is loaded
 * before the first image for which it may be used.
 */
final class FoundDecoders {

  private static final Logger LOG = LoggerFactory.getLogger(FoundDecoders.class);

  private FoundDecoders() {}

  private static final class All {
    static final List<ImageDecoder> DECODERS =
        ServiceLoader.load(ImageDecoder.class, ImageDecoder.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
  }

  /** The decoders that are used instead of Feedline's own; loaded with this class. */
  private static final class Preferred {
    static final List<FoundDecoder> DECODERS = new ArrayList<>();

    static {
      for (ImageDecoder decoder : All.DECODERS) {
        if (decoder.backend() == DecodeOptions.Backend.AUTO) {
          try {
            DECODERS.add(loaded(decoder));
          } catch (LinkageError | RuntimeException missing) {
            LOG.warn("{} does not load, and is not used", decoder.getClass().getName(), missing);
          }
        }
      }
    }
  }

  static @Nullable ImageHeader header(byte[] data) throws FormatException {
    for (FoundDecoder decoder : Preferred.DECODERS) {
      ImageHeader header = decoder.found().header(data);
      if (header != null) {
        return header;
      }
    }
    return null;
  }

  static PixelDecoder ofForeign(byte[] data) throws FormatException {
    for (FoundDecoder decoder : Preferred.DECODERS) {
      if (decoder.found().header(data) != null) {
        return decoder;
      }
    }
    throw new AssertionError("no decoder has read the header");
  }

  static @Nullable PixelDecoder preferred(ImageHeader header) {
    for (FoundDecoder decoder : Preferred.DECODERS) {
      if (decoder.found().decodes(header)) {
        return decoder;
      }
    }
    return null;
  }

  /**
   * Loads the decoder of a backend and returns it; null if the class path has no such decoder.
   *
   * @throws LinkageError if the decoder does not load
   */
  static @Nullable PixelDecoder load(DecodeOptions.Backend backend) {
    for (ImageDecoder decoder : All.DECODERS) {
      if (decoder.backend() == backend) {
        return loaded(decoder);
      }
    }
    return null;
  }

  private static FoundDecoder loaded(ImageDecoder decoder) {
    decoder.load();
    LOG.info("images are also decoded by {}", decoder.name());
    return new FoundDecoder(decoder);
  }

  /** A decoder from the class path. If it does not decode to a mode, its RGB is converted. */
  private record FoundDecoder(ImageDecoder found) implements PixelDecoder {

    @Override
    public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
        throws IOException {
      if (found.decodesTo(header, mode)) {
        return found.decode(data, header, region, mode);
      }
      Conversion.requireEightBits(header, mode);
      return Conversion.convert(found.decode(data, header, region, ImageMode.RGB), mode);
    }
  }
}
