package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.jpeg.internal.Marker;

/**
 * A check of a JPEG's scans before they are decoded. It refuses scans that are too many or too
 * large: with these a small file would keep a thread busy for minutes, or take gigabytes of memory.
 * It also refuses an image that has more blocks than the file has bits.
 *
 * <p>A progressive image is refined by one scan after another, and each scan visits all blocks of
 * its components, even if the scan contains almost nothing. Meanwhile all coefficients of the image
 * are in memory. libjpeg leaves limits to its callers: {@code djpeg -maxscans} sets one, and
 * libjpeg-turbo's own fuzzers allow 500 scans. If an image has a single scan, only its blocks are
 * counted, since libjpeg paints missing blocks gray.
 */
final class JpegScans {

  /** The largest number of scans. Encoders write about 10, or 20 if they seek the best order. */
  static final int MAX_SCANS = 100;

  /** The number of blocks that the scans of any file may visit: about 0.2 s of a thread. */
  static final long FREE_VISITS = 16L << 20;

  /** The number of blocks that scans may visit for each byte; an image of one color needs 30. */
  static final int MAX_VISITS_PER_BYTE = 200;

  /** The number of blocks that any image may have; their coefficients take 128 MiB. */
  static final long FREE_BLOCKS = 1L << 20;

  /** The number of blocks allowed for each byte of the file; a block takes at least a bit. */
  static final int MAX_BLOCKS_PER_BYTE = 8;

  private final byte[] data;
  private int frameAt;
  private boolean progressive;
  private int scans;
  private long visits;

  private JpegScans(byte[] data) {
    this.data = data;
  }

  static void requireReasonable(byte[] data) throws FormatException {
    new JpegScans(data).countScans();
  }

  private void countScans() throws FormatException {
    for (int at = Marker.find(data, 2, data.length);
        at >= 0;
        at = Marker.find(data, behind(at), data.length)) {
      int marker = u8(at);
      if (marker == Marker.EOI) {
        return;
      }
      if (Marker.isFrame(marker) && frameAt == 0) {
        frameAt = at + 3;
        progressive = (marker & 3) == 2;
      } else if (marker == Marker.SOS && frameAt > 0) {
        int components = u8(at + 3);
        if (scans == 0 && !progressive && components == u8(frameAt + 5)) {
          if (u8(frameAt - 3) <= Marker.SOF1) {
            requireRoom();
          }
          return;
        }
        countScan(at + 3, components);
      }
    }
  }

  private void countScan(int at, int components) throws FormatException {
    scans++;
    if (scans > MAX_SCANS) {
      throw new FormatException(
          "the JPEG has more than %d scans, expected about 10: number %d begins at byte %d of %d"
              .formatted(MAX_SCANS, scans, at, data.length));
    }
    for (int c = 0; c < u8(frameAt + 5); c++) {
      for (int i = 0; i < components; i++) {
        if (u8(at + 1 + 2 * i) == u8(frameAt + 6 + 3 * c)) {
          visits += blocks(frameAt + 6 + 3 * c);
        }
      }
    }
    requireRoom();
    if (visits > Math.max(FREE_VISITS, (long) MAX_VISITS_PER_BYTE * data.length)) {
      throw new FormatException(
          "the JPEG's first %d scans go over %d blocks of 8 x 8, expected at most %d in %d bytes"
              .formatted(scans, visits, MAX_VISITS_PER_BYTE * (long) data.length, data.length));
    }
  }

  private void requireRoom() throws FormatException {
    long image = 0;
    for (int c = 0; c < u8(frameAt + 5); c++) {
      image += blocks(frameAt + 6 + 3 * c);
    }
    if (image > Math.max(FREE_BLOCKS, (long) MAX_BLOCKS_PER_BYTE * data.length)) {
      throw new FormatException(
          "the JPEG claims %d blocks of 8 x 8, expected at most %d in %d bytes"
              .formatted(image, MAX_BLOCKS_PER_BYTE * (long) data.length, data.length));
    }
  }

  private long blocks(int componentAt) {
    int across = 1;
    int down = 1;
    for (int c = 0; c < u8(frameAt + 5); c++) {
      across = Math.max(across, u8(frameAt + 7 + 3 * c) >> 4);
      down = Math.max(down, u8(frameAt + 7 + 3 * c) & 15);
    }
    long width = (long) u16(frameAt + 3) * (u8(componentAt + 1) >> 4);
    long height = (long) u16(frameAt + 1) * (u8(componentAt + 1) & 15);
    return (width / (8L * across) + 1) * (height / (8L * down) + 1);
  }

  private int behind(int markerAt) {
    int marker = u8(markerAt);
    return Marker.isAlone(marker) ? markerAt + 1 : markerAt + 1 + Math.max(2, u16(markerAt + 1));
  }

  private int u8(int at) {
    return at >= 0 && at < data.length ? data[at] & 0xFF : 0;
  }

  private int u16(int at) {
    return u8(at) << 8 | u8(at + 1);
  }
}
