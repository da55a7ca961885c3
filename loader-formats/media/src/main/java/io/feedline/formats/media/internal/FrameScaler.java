package io.feedline.formats.media.internal;

import static org.bytedeco.ffmpeg.global.avutil.AVCOL_PRI_UNSPECIFIED;
import static org.bytedeco.ffmpeg.global.avutil.AVCOL_TRC_UNSPECIFIED;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_RGB0;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_free;
import static org.bytedeco.ffmpeg.global.avutil.av_malloc;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BILINEAR;
import static org.bytedeco.ffmpeg.global.swscale.sws_alloc_context;
import static org.bytedeco.ffmpeg.global.swscale.sws_freeContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_scale_frame;

import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.io.Closeable;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.swscale.SwsContext;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * A converter of a video's frames to red, green and blue: swscale converts the codec's samples, by
 * the matrix and range that the stream names. The pixels equal those of PyAV's {@code rgb24}. A
 * frame whose size differs from the size that the container states is scaled to that size. Holds
 * one frame, 4 bytes a pixel. Used by one thread at a time. The opener closes it; closing twice is
 * allowed.
 */
public final class FrameScaler implements Closeable {

  /** The alignment of rows in pixels, since kernels of swscale write whole vectors. */
  private static final int ALIGNMENT = 64;

  private final int width;
  private final int height;
  private final int stride;

  /** The memory of a frame; not null between the first frame and {@link #close}. */
  private @Nullable Target target;

  /** The decoder of the last converted frame; the frame's number is {@link #serial}. */
  private @Nullable StreamDecoder converted;

  private long serial;

  public FrameScaler(int width, int height) {
    this.width = width;
    this.height = height;
    this.stride = Math.addExact(width, ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Returns a part of the decoder's last frame, valid until the decoder's next frame. */
  public PixelRows rows(StreamDecoder decoder, Region region) throws FormatException {
    if (converted != decoder || serial != decoder.serial()) {
      convert(decoder);
      converted = decoder;
      serial = decoder.serial();
    }
    return new Rows(target.pixels, stride, region);
  }

  private void convert(StreamDecoder decoder) throws FormatException {
    if (target == null) {
      target = new Target(width, height, stride);
    }
    AVFrame frame = decoder.frame();
    // Colors keep their primaries and transfer function, and an interlaced frame counts as one
    // image, as in PyAV and torchcodec. swscale refuses to convert interlaced to progressive.
    frame.color_primaries(AVCOL_PRI_UNSPECIFIED);
    frame.color_trc(AVCOL_TRC_UNSPECIFIED);
    frame.flags(frame.flags() & ~AVFrame.AV_FRAME_FLAG_INTERLACED);
    int code = sws_scale_frame(target.context, target.frame, frame);
    if (code < 0) {
      throw decoder.error(
          "a frame of %d x %d in FFmpeg's pixel format %d cannot be converted to RGB (%s)"
              .formatted(frame.width(), frame.height(), frame.format(), Ffmpeg.message(code)));
    }
  }

  @Override
  public void close() {
    if (target != null) {
      target.close();
      target = null;
      converted = null;
    }
  }

  private static final class Target implements Closeable {
    private final BytePointer memory;
    private final IntBuffer pixels;
    private final SwsContext context;
    private final AVFrame frame;

    Target(int width, int height, int stride) {
      long bytes = (long) stride * height * Integer.BYTES + ALIGNMENT;
      Pointer allocated = av_malloc(bytes);
      if (allocated == null) {
        throw new OutOfMemoryError(
            "no %d bytes for a frame of %d x %d".formatted(bytes, width, height));
      }
      memory = new BytePointer(allocated).capacity(bytes);
      pixels = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
      context = sws_alloc_context().flags(SWS_BILINEAR).threads(1);
      frame = av_frame_alloc().width(width).height(height).format(AV_PIX_FMT_RGB0);
      frame.data(0, memory).linesize(0, stride * Integer.BYTES);
    }

    @Override
    public void close() {
      av_frame_free(frame);
      sws_freeContext(context);
      av_free(memory);
    }
  }

  /** A region of the converted frame; clears each pixel's fourth byte, which swscale sets. */
  private record Rows(IntBuffer pixels, int stride, Region region) implements PixelRows {

    @Override
    public int width() {
      return region.width();
    }

    @Override
    public int height() {
      return region.height();
    }

    @Override
    public void read(int y, int rows, int[] target, int offset, int rowStride) {
      for (int i = 0; i < rows; i++) {
        int from = offset + i * rowStride;
        pixels.get((region.y() + y + i) * stride + region.x(), target, from, region.width());
        for (int x = from; x < from + region.width(); x++) {
          target[x] &= 0xFFFFFF;
        }
      }
    }

    @Override
    public void close() {
      // The scaler owns the memory.
    }
  }
}
