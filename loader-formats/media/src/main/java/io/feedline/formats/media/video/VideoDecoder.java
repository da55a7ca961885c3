package io.feedline.formats.media.video;

import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.media.internal.FrameScaler;
import io.feedline.formats.media.internal.MediaInput;
import io.feedline.formats.media.internal.MediaStream;
import io.feedline.formats.media.internal.StreamDecoder;
import io.feedline.internal.Closing;
import java.io.Closeable;
import java.io.IOException;

/**
 * A decoder of a video, positioned at a frame. To reach a later frame, it decodes forward, or seeks
 * to the last key frame before the later frame if that key frame is much nearer. Used by one thread
 * at a time. The opener closes it.
 */
final class VideoDecoder implements Closeable {

  /** The cost of a seek, in decoded frames: the decoder's delay begins anew. */
  private static final int SEEK_FRAMES = 4;

  private final VideoSource source;
  private final FrameIndex index;
  private final VideoFile.Options options;
  private final FrameScaler scaler;

  private MediaInput input;
  private StreamDecoder decoder;

  /** The present frame's number, after which decoding continues; -1 before the first frame. */
  private int current = -1;

  private VideoDecoder(
      VideoSource source, VideoFile.Options options, FrameIndex index, MediaInput input)
      throws IOException {
    this.source = source;
    this.options = options;
    this.index = index;
    this.input = input;
    this.decoder = decoder();
    this.scaler = new FrameScaler(decoder.width(), decoder.height());
  }

  static VideoDecoder open(VideoSource source, VideoFile.Options options) throws IOException {
    FrameIndex index = source.index(options);
    MediaInput input = source.open();
    try {
      return new VideoDecoder(source, options, index, input);
    } catch (IOException | RuntimeException | Error failure) {
      Closing.afterFailure(failure, input);
      throw failure;
    }
  }

  private StreamDecoder decoder() throws IOException {
    StreamDecoder opened =
        StreamDecoder.open(
            input, input.first(MediaStream.Kind.VIDEO), options.maxPixels(), options.strict());
    if (index.byDecodingTime()) {
      opened.nameByDecodingTime();
    }
    return opened;
  }

  VideoSource source() {
    return source;
  }

  FrameIndex index() {
    return index;
  }

  StreamDecoder stream() {
    return decoder;
  }

  /** Moves to a frame; if damage lost it, to the next decodable frame, or else the last. */
  void goTo(int frame) throws IOException {
    if (current == frame) {
      return;
    }
    int key = index.keyBefore(frame);
    int fromKey = key < 0 ? frame : frame - index.keys().get(key).frame();
    boolean ahead = current >= 0 && current < frame && frame - current <= fromKey + SEEK_FRAMES;
    if (!ahead) {
      seek(frame, key);
    }
    current = -1;
    boolean found = decodeTo(frame, true);
    if (found && !decoder.isDamaged()) {
      current = frame;
      return;
    }
    if (!found && options.strict()) {
      throw undecodable(frame);
    }
    // Concealed damage must not depend on the decoder's former position.
    seek(frame, key);
    long before = decoder.serial();
    decodeTo(frame, false);
    if (decoder.serial() == before) {
      throw undecodable(frame);
    }
  }

  /**
   * Decodes up to a frame. If the frame is missing, decodes up to the next, or else the last.
   *
   * @param skip true: frames on the way are not decoded if no other frame refers to them
   * @return true if the present frame is the wanted frame
   */
  private boolean decodeTo(int frame, boolean skip) throws IOException {
    long wanted = index.identities()[frame];
    boolean skips = skip && index.isOrdered();
    while (skips ? decoder.nextTowards(wanted) : decoder.next()) {
      if (decoder.time() == wanted) {
        return true;
      }
      if (index.isOrdered() && decoder.time() > wanted) {
        return false;
      }
    }
    return false;
  }

  private FormatException undecodable(int frame) {
    return decoder.error("frame %d of %d cannot be decoded".formatted(frame, index.frames()));
  }

  /** Seeks to a key frame before the frame; reopens the video if no seek succeeds. */
  private void seek(int frame, int key) throws IOException {
    int step = 1;
    for (int k = key; k >= 0; k -= step, step *= 2) {
      FrameIndex.Key at = index.keys().get(k);
      if (decoder.seek(at.identity(), at.byteOffset()) && startsBefore(frame)) {
        return;
      }
    }
    decoder.close();
    input.close();
    input = source.open();
    decoder = decoder();
  }

  /** Returns whether the seek ended at a key frame from which the frame can be decoded. */
  private boolean startsBefore(int frame) throws IOException {
    long landed = decoder.peekKey();
    return index.keys().stream().anyMatch(key -> key.identity() == landed && key.frame() <= frame);
  }

  /** Returns a part of the present frame, valid until the decoder moves on. */
  PixelRows pixels(Region region) throws IOException {
    return scaler.rows(decoder, region);
  }

  @Override
  public void close() {
    scaler.close();
    decoder.close();
    input.close();
  }
}
