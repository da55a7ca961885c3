package io.feedline.formats.media.internal;

import static org.bytedeco.ffmpeg.global.avcodec.AVDISCARD_ALL;
import static org.bytedeco.ffmpeg.global.avcodec.AVDISCARD_DEFAULT;
import static org.bytedeco.ffmpeg.global.avcodec.AVDISCARD_NONREF;
import static org.bytedeco.ffmpeg.global.avcodec.AV_EF_CRCCHECK;
import static org.bytedeco.ffmpeg.global.avcodec.AV_EF_EXPLODE;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_DATA_DISPLAYMATRIX;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_DISCARD;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_KEY;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_side_data_get;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_decoder;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_flush_buffers;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_parameters_to_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_frame;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_packet;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EAGAIN;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;
import static org.bytedeco.ffmpeg.global.avutil.av_display_rotation_get;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_unref;

import io.feedline.data.FormatException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Locale;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.IntPointer;

/**
 * A decoder of one stream. A frame is an image or a block of sound; frames are decoded in the order
 * in which they are shown, on the calling thread.
 *
 * <p>A frame's time is its packet's time of showing, in ticks of the stream; if the container has
 * no such times (AVI, MPEG), it is the packet's time of decoding.
 *
 * <p>Used by one thread at a time. The opener closes it, before the input.
 */
public final class StreamDecoder implements Closeable {

  private final MediaInput input;
  private final MediaStream stream;
  private final boolean strict;
  private final AVCodecContext codec;
  private final AVPacket packet;

  /** The last frame; the next is decoded into {@link #received}, then both are swapped. */
  private AVFrame frame;

  private AVFrame received;

  private boolean byDecodingTime;
  private long lastTime = Ffmpeg.NO_TIME;

  /** The time of the key frame at which decoding has begun. */
  private long begin = Long.MIN_VALUE;

  /** True if a packet could not be decoded correctly since decoding has begun. */
  private boolean damaged;

  /** The time, in ticks, before which frames may be left out. */
  private long from = Long.MIN_VALUE;

  /** The number of frames decoded so far. */
  private long serial;

  /** True if {@link #peekKey} has read {@link #packet}, which was not sent to the codec yet. */
  private boolean pending;

  private boolean drained;
  private boolean closed;

  private StreamDecoder(MediaInput input, MediaStream stream, long maxPixels, boolean strict)
      throws IOException {
    this.input = input;
    this.stream = stream;
    this.strict = strict;
    AVStream declared = input.stream(stream.index());
    AVCodec found = avcodec_find_decoder(declared.codecpar().codec_id());
    if (found == null) {
      throw error("there is no decoder for this codec");
    }
    this.codec = avcodec_alloc_context3(found);
    this.packet = av_packet_alloc();
    this.frame = av_frame_alloc();
    this.received = av_frame_alloc();
    try {
      require(avcodec_parameters_to_context(codec, declared.codecpar()), "its parameters");
      if (stream.kind() == MediaStream.Kind.VIDEO) {
        requirePixels(maxPixels);
      }
      codec.pkt_timebase(declared.time_base());
      codec.thread_count(1);
      codec.max_pixels(maxPixels);
      if (strict) {
        codec.err_recognition(codec.err_recognition() | AV_EF_CRCCHECK | AV_EF_EXPLODE);
      }
      require(avcodec_open2(codec, found, (AVDictionary) null), "its decoder cannot be opened");
      select();
    } catch (IOException | RuntimeException | Error failure) {
      close();
      throw failure;
    }
  }

  /**
   * Opens the decoder of a stream.
   *
   * @param input the input, which is not closed here, and from now on reads only this stream
   * @param maxPixels the largest number of pixels of a video's frame
   * @param strict true: damage is an error; false: FFmpeg conceals damage
   * @throws FormatException if the stream has no decoder, or its decoder refuses it
   */
  public static StreamDecoder open(
      MediaInput input, MediaStream stream, long maxPixels, boolean strict) throws IOException {
    return new StreamDecoder(input, stream, maxPixels, strict);
  }

  private void requirePixels(long maxPixels) throws FormatException {
    long pixels = (long) codec.width() * codec.height();
    if (pixels < 1 || pixels > maxPixels) {
      throw error(
          "frames of %d x %d pixels are not decoded; 1 to %d pixels are expected"
              .formatted(codec.width(), codec.height(), maxPixels));
    }
  }

  private void select() {
    for (MediaStream each : input.streams()) {
      input.stream(each.index())
          .discard(each.index() == stream.index() ? AVDISCARD_DEFAULT : AVDISCARD_ALL);
    }
  }

  public MediaStream stream() {
    return stream;
  }

  /** Returns the last frame, valid until the next frame is decoded. */
  public AVFrame frame() {
    return frame;
  }

  /**
   * Makes {@link #time} return times of decoding from now on, for a container that lacks some times
   * of showing. Frames are then not in the order of their times.
   */
  public void nameByDecodingTime() {
    byDecodingTime = true;
  }

  public long serial() {
    return serial;
  }

  /** Returns whether a packet since the last seek was damaged; FFmpeg may then guess content. */
  public boolean isDamaged() {
    return damaged;
  }

  public int width() {
    return codec.width();
  }

  public int height() {
    return codec.height();
  }

  /** Returns the quarter turns by which a video is turned clockwise for display: 0 to 3. */
  public int quarterTurns() {
    AVCodecParameters parameters = input.stream(stream.index()).codecpar();
    AVPacketSideData matrix =
        av_packet_side_data_get(
            parameters.coded_side_data(),
            parameters.nb_coded_side_data(),
            AV_PKT_DATA_DISPLAYMATRIX);
    if (matrix == null || matrix.size() < 9 * Integer.BYTES) {
      return 0;
    }
    double counterClockwise = av_display_rotation_get(new IntPointer(matrix.data()));
    return Double.isNaN(counterClockwise)
        ? 0
        : Math.floorMod(-Math.round(counterClockwise / 90), 4);
  }

  /** Returns whether frames may be shown in another order than their packets have. */
  public boolean hasDelay() {
    return codec.has_b_frames() > 0 || input.stream(stream.index()).codecpar().video_delay() > 0;
  }

  /** Returns the last frame's time in ticks; {@link Ffmpeg#NO_TIME} if the frame has no time. */
  public long time() {
    return lastTime;
  }

  public interface PacketVisitor {
    /**
     * Receives a packet's header.
     *
     * @param time the time of showing, in ticks; {@link Ffmpeg#NO_TIME} if the container lacks it
     * @param decodingTime the time of decoding, in ticks, or {@link Ffmpeg#NO_TIME}
     * @param byteOffset the packet's place in the file; -1 if unknown
     * @param key whether decoding can begin at this packet
     * @param shown false for a packet that an edit list hides
     */
    void visit(
        long time, long decodingTime, long duration, long byteOffset, boolean key, boolean shown);
  }

  /** Reads all packets from the current position to the file's end, without decoding them. */
  public void visitPackets(PacketVisitor visitor) throws IOException {
    while (readPacket()) {
      try {
        visitor.visit(
            packet.pts(),
            packet.dts(),
            packet.duration(),
            packet.pos(),
            (packet.flags() & AV_PKT_FLAG_KEY) != 0,
            (packet.flags() & AV_PKT_FLAG_DISCARD) == 0);
      } finally {
        av_packet_unref(packet);
      }
    }
  }

  /**
   * Moves to a packet, or to a key frame before the packet, and drops decoded frames. Returns false
   * if the container cannot find the packet; the position is then unknown.
   *
   * @param time the packet's time of decoding, in ticks
   * @param byteOffset the packet's place in the file; -1 if unknown
   */
  public boolean seek(long time, long byteOffset) throws IOException {
    avcodec_flush_buffers(codec);
    while (avcodec_receive_frame(codec, received) == 0) {
      // The HEVC decoder keeps finished frames when it is flushed.
      av_frame_unref(received);
    }
    if (pending) {
      av_packet_unref(packet);
      pending = false;
    }
    drained = false;
    damaged = false;
    lastTime = Ffmpeg.NO_TIME;
    return input.seek(stream.index(), time, byteOffset);
  }

  /**
   * Reads up to the next key frame's packet, and returns the packet's time; {@link Ffmpeg#NO_TIME}
   * if no key frame follows. Called after {@link #seek}: decoding then begins at this packet.
   */
  public long peekKey() throws IOException {
    while (readPacket()) {
      if ((packet.flags() & AV_PKT_FLAG_KEY) != 0) {
        pending = true;
        begin = identity();
        return begin;
      }
      av_packet_unref(packet);
    }
    return Ffmpeg.NO_TIME;
  }

  /**
   * Decodes the next frame on the way to {@code wanted}, a time in ticks: leaves out frames before
   * this time to which no other frame refers. Returns false at the end of the stream.
   *
   * @throws FormatException for damage if damage is an error; names file, stream and time
   */
  public boolean nextTowards(long wanted) throws IOException {
    from = wanted;
    try {
      return next();
    } finally {
      from = Long.MIN_VALUE;
    }
  }

  /**
   * Decodes the next frame; returns false at the end of the stream.
   *
   * @throws FormatException for damage if damage is an error; names file, stream and time
   */
  public boolean next() throws IOException {
    while (true) {
      int code = avcodec_receive_frame(codec, received);
      if (code == 0) {
        AVFrame before = frame;
        frame = received;
        received = before;
        serial++;
        lastTime = frame.pts() == Ffmpeg.NO_TIME ? frame.pkt_dts() : frame.pts();
        boolean broken =
            (frame.flags() & AVFrame.AV_FRAME_FLAG_CORRUPT) != 0 || frame.decode_error_flags() != 0;
        // A frame shown before the key frame at which decoding began may lack its reference frames.
        if (broken && (byDecodingTime || lastTime >= begin)) {
          conceal("a frame is damaged");
        }
        return true;
      }
      if (code == AVERROR_EOF) {
        return false;
      }
      if (code != AVERROR_EAGAIN()) {
        conceal("a packet cannot be decoded (%s)".formatted(Ffmpeg.message(code)));
        if (drained) {
          return false;
        }
      }
      send();
    }
  }

  private void send() throws IOException {
    if (pending) {
      pending = false;
    } else if (!readPacket()) {
      drained = true;
      avcodec_send_packet(codec, null);
      return;
    }
    try {
      packet.pts(identity());
      // Only frames that no other frame refers to are left out.
      codec.skip_frame(packet.pts() < from ? AVDISCARD_NONREF : AVDISCARD_DEFAULT);
      int code = avcodec_send_packet(codec, packet);
      if (code < 0) {
        lastTime = packet.pts();
        conceal("a packet cannot be decoded (%s)".formatted(Ffmpeg.message(code)));
      }
    } finally {
      av_packet_unref(packet);
    }
  }

  private long identity() {
    return byDecodingTime || packet.pts() == Ffmpeg.NO_TIME ? packet.dts() : packet.pts();
  }

  /** Reads the stream's next packet; returns false at the end, or at damage that is concealed. */
  private boolean readPacket() throws IOException {
    try {
      while (input.read(packet)) {
        if (packet.stream_index() == stream.index()) {
          return true;
        }
        av_packet_unref(packet);
      }
      return false;
    } catch (FormatException broken) {
      if (strict) {
        throw broken;
      }
      damaged = true;
      return false;
    }
  }

  private void conceal(String problem) throws FormatException {
    damaged = true;
    if (strict) {
      throw error(problem);
    }
  }

  private void require(int code, String problem) throws FormatException {
    if (code < 0) {
      throw error("%s (%s)".formatted(problem, Ffmpeg.message(code)));
    }
  }

  /** Returns an error that names file, stream and the time of the last frame. */
  public FormatException error(String problem) {
    String time =
        lastTime == Ffmpeg.NO_TIME
            ? ""
            : String.format(Locale.ROOT, ", at %.3f s", stream.seconds(lastTime));
    return new FormatException(
        "%s, %s%s: %s".formatted(input.name(), stream.inWords(), time, problem));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      av_frame_free(frame);
      av_frame_free(received);
      av_packet_free(packet);
      avcodec_free_context(codec);
    }
  }
}
