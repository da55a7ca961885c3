package io.feedline.formats.media.internal;

import static org.bytedeco.ffmpeg.global.avformat.AVFMT_NO_BYTE_SEEK;
import static org.bytedeco.ffmpeg.global.avformat.AVFMT_TS_DISCONT;
import static org.bytedeco.ffmpeg.global.avformat.AVSEEK_FLAG_BACKWARD;
import static org.bytedeco.ffmpeg.global.avformat.AVSEEK_FLAG_BYTE;
import static org.bytedeco.ffmpeg.global.avformat.AVSEEK_SIZE;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avformat.av_seek_frame;
import static org.bytedeco.ffmpeg.global.avformat.avformat_alloc_context;
import static org.bytedeco.ffmpeg.global.avformat.avformat_close_input;
import static org.bytedeco.ffmpeg.global.avformat.avformat_find_stream_info;
import static org.bytedeco.ffmpeg.global.avformat.avformat_open_input;
import static org.bytedeco.ffmpeg.global.avformat.avio_alloc_context;
import static org.bytedeco.ffmpeg.global.avformat.avio_context_free;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EIO;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;
import static org.bytedeco.ffmpeg.global.avutil.av_dict_free;
import static org.bytedeco.ffmpeg.global.avutil.av_dict_set;
import static org.bytedeco.ffmpeg.global.avutil.av_free;
import static org.bytedeco.ffmpeg.global.avutil.av_malloc;

import io.feedline.data.FormatException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVInputFormat;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avformat.Read_packet_Pointer_BytePointer_int;
import org.bytedeco.ffmpeg.avformat.Seek_Pointer_long_int;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * An open container: its streams, and their packets in the order of the file. FFmpeg reads the
 * container through two callbacks, so that the bytes may come from any file system, and opens no
 * other file.
 *
 * <p>Used by one thread at a time. The opener closes it, after its decoders; closing twice is
 * allowed, and a use afterwards throws {@link IllegalStateException}.
 */
public final class MediaInput implements Closeable {

  /** FFmpeg's names of the containers that are read; playlists, which name files, are left out. */
  private static final String CONTAINERS =
      "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,ogg,asf,ivf,wav,w64,flac,mp3,aac,"
          + "aiff,au,caf";

  private static final int NEAR_BYTES = 1 << 16;
  private static final int FAR_BYTES = 1 << 18;
  private static final String MOST_STREAMS = "64";

  /** The bytes of a sound file that FFmpeg reads to find the streams; FFmpeg's default is 5 MB. */
  private static final long SOUND_PROBE_BYTES = 1 << 12;

  /** The inputs that FFmpeg may read, by the number that FFmpeg passes to the callbacks. */
  private static final Map<Long, MediaInput> OPEN = new ConcurrentHashMap<>();

  private static final AtomicLong NUMBERS = new AtomicLong();

  /** The callback for reads of all inputs: JavaCPP makes at most ten callbacks of a class. */
  private static final Reader READER = new Reader();

  private static final Seeker SEEKER = new Seeker();

  private final String name;
  private final MediaBytes bytes;
  private final long length;
  private final long number;
  private final @Nullable AVIOContext io;
  private final AVFormatContext format;
  private final List<MediaStream> streams;

  private long position;
  private @Nullable Throwable failure;
  private boolean closed;

  private MediaInput(String name, MediaBytes bytes) throws IOException {
    Ffmpeg.load();
    this.name = name;
    this.bytes = bytes;
    this.length = bytes.length();
    if (length == 0) {
      throw new FormatException(name + ": the file is empty");
    }
    this.number = NUMBERS.incrementAndGet();
    OPEN.put(number, this);
    this.format = avformat_alloc_context();
    AVIOContext opened = null;
    try {
      int buffer = bytes.isFar() ? FAR_BYTES : NEAR_BYTES;
      opened =
          avio_alloc_context(
              new BytePointer(av_malloc(buffer)),
              buffer,
              0,
              new Opaque(number),
              READER,
              null,
              SEEKER);
      this.io = opened;
      this.streams = openStreams();
    } catch (IOException | RuntimeException | Error broken) {
      release(opened);
      throw broken;
    }
  }

  /**
   * Opens a container and finds its streams.
   *
   * @param name the name of the file, for errors
   * @param bytes the bytes of the file, which this input does not close
   * @throws FormatException if the file is damaged, or of a container that is not allowed
   * @throws IOException if the file cannot be read
   */
  public static MediaInput open(String name, MediaBytes bytes) throws IOException {
    return new MediaInput(name, bytes);
  }

  private List<MediaStream> openStreams() throws IOException {
    format.pb(io);
    AVDictionary options = new AVDictionary(null);
    try {
      av_dict_set(options, "format_whitelist", CONTAINERS, 0);
      av_dict_set(options, "protocol_whitelist", "none", 0);
      av_dict_set(options, "max_streams", MOST_STREAMS, 0);
      int code = avformat_open_input(format, (String) null, (AVInputFormat) null, options);
      if (code < 0) {
        throw error(
            code,
            "the file is no video or sound file of a known container, or its header is damaged");
      }
    } finally {
      av_dict_free(options);
    }
    if (IntStream.range(0, format.nb_streams())
        .allMatch(i -> MediaStream.of(format.streams(i)).kind() == MediaStream.Kind.AUDIO)) {
      format.probesize(SOUND_PROBE_BYTES);
    }
    int code = avformat_find_stream_info(format, (AVDictionary) null);
    if (code < 0 || failure != null) {
      throw error(code, "the streams of the file cannot be read");
    }
    return IntStream.range(0, format.nb_streams())
        .mapToObj(i -> MediaStream.of(format.streams(i)))
        .toList();
  }

  public String name() {
    return name;
  }

  /** Returns FFmpeg's name of the container, for example {@code mov,mp4,m4a,3gp,3g2,mj2}. */
  public String container() {
    return format().iformat().name().getString();
  }

  public List<MediaStream> streams() {
    return streams;
  }

  /**
   * Returns the first stream of a kind.
   *
   * @throws FormatException if the file has no such stream; the message lists its streams
   */
  public MediaStream first(MediaStream.Kind kind) throws FormatException {
    return streams.stream()
        .filter(stream -> stream.kind() == kind)
        .findFirst()
        .orElseThrow(
            () ->
                new FormatException(
                    "%s: the file has no stream of kind %s; it has %s"
                        .formatted(
                            name, kind, streams.stream().map(MediaStream::inWords).toList())));
  }

  /** Returns FFmpeg's structure of a stream. This input owns and frees the structure. */
  public AVStream stream(int index) {
    return format().streams(index);
  }

  /**
   * Reads the next packet of any stream that is not discarded; see {@link AVStream#discard}.
   *
   * @param packet receives the content, which the caller frees
   * @return false at the end of the file, even if the file was cut off
   * @throws IOException if the file cannot be read, or FFmpeg finds no packet where it expects one
   */
  boolean read(AVPacket packet) throws IOException {
    int code = av_read_frame(format(), packet);
    requireRead();
    if (code == AVERROR_EOF) {
      return false;
    }
    if (code < 0) {
      throw error(code, "no packet can be read at byte " + position);
    }
    return true;
  }

  /**
   * Moves to a packet, or to a key frame before it; returns false if neither is found.
   *
   * @param time the packet's time of decoding, in ticks of the stream
   * @param byteOffset the packet's place in the file, used if times may repeat; -1 if unknown
   */
  boolean seek(int stream, long time, long byteOffset) throws IOException {
    int code =
        byteOffset >= 0 && seeksByBytes()
            ? av_seek_frame(format(), stream, byteOffset, AVSEEK_FLAG_BYTE)
            : av_seek_frame(format(), stream, time, AVSEEK_FLAG_BACKWARD);
    requireRead();
    return code >= 0;
  }

  private boolean seeksByBytes() {
    AVInputFormat container = format().iformat();
    int flags = container.flags();
    return (flags & AVFMT_TS_DISCONT) != 0
        && (flags & AVFMT_NO_BYTE_SEEK) == 0
        && !container.name().getString().equals("ogg");
  }

  /** Throws the exception of a callback, if any: it could not be thrown through FFmpeg. */
  private void requireRead() throws IOException {
    Throwable thrown = failure;
    failure = null;
    if (thrown instanceof IOException io) {
      throw io;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }

  /** Returns an error for FFmpeg's code; throws a callback's exception instead if there is one. */
  private FormatException error(int code, String problem) throws IOException {
    requireRead();
    return new FormatException("%s: %s (%s)".formatted(name, problem, Ffmpeg.message(code)));
  }

  private AVFormatContext format() {
    if (closed) {
      throw new IllegalStateException(name + " is used after it was closed");
    }
    return format;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      release(io);
    }
  }

  private void release(@Nullable AVIOContext opened) {
    // If the container could not be opened, FFmpeg has freed the context already.
    if (!format.isNull()) {
      avformat_close_input(format);
    }
    if (opened != null && !opened.isNull()) {
      av_free(opened.buffer());
      avio_context_free(opened);
    }
    OPEN.remove(number);
  }

  private int read(BytePointer target, int size) {
    try {
      if (position >= length) {
        return AVERROR_EOF;
      }
      int count = (int) Math.min(size, length - position);
      ByteBuffer buffer = target.capacity(count).asByteBuffer();
      bytes.read(position, buffer);
      position += count;
      return count;
    } catch (Throwable unreadable) {
      // Nothing can be thrown through C; see requireRead.
      failure = unreadable;
      return AVERROR_EIO();
    }
  }

  private long seek(long offset, int whence) {
    if ((whence & AVSEEK_SIZE) != 0) {
      return length;
    }
    long to =
        switch (whence & 3) {
          case 0 -> offset;
          case 1 -> position + offset;
          default -> length + offset;
        };
    if (to < 0) {
      return -1;
    }
    position = to;
    return to;
  }

  /** The number of an input, as an address that C passes on and never reads. */
  private static final class Opaque extends Pointer {
    Opaque(long number) {
      super((Pointer) null);
      address = number;
    }
  }

  private static final class Reader extends Read_packet_Pointer_BytePointer_int {
    @Override
    public int call(Pointer input, BytePointer target, int size) {
      MediaInput open = OPEN.get(input.address());
      return open == null ? AVERROR_EOF : open.read(target, size);
    }
  }

  private static final class Seeker extends Seek_Pointer_long_int {
    @Override
    public long call(Pointer input, long offset, int whence) {
      MediaInput open = OPEN.get(input.address());
      return open == null ? -1 : open.seek(offset, whence);
    }
  }
}
