package io.feedline.formats.image;

import java.io.IOException;

/** Rows that lie in a workspace, which is nobody else's until they have been read. */
final class WorkspaceRows implements PixelRows {

  private final Workspace workspace;
  private final PixelRows rows;
  private boolean closed;

  /**
   * Rows that take a workspace along.
   *
   * @param rows lie in the workspace
   * @param workspace closed together with them
   */
  WorkspaceRows(PixelRows rows, Workspace workspace) {
    this.rows = rows;
    this.workspace = workspace;
  }

  @Override
  public int width() {
    return rows.width();
  }

  @Override
  public int height() {
    return rows.height();
  }

  @Override
  public void read(int y, int count, int[] pixels, int offset, int stride) {
    rows.read(y, count, pixels, offset, stride);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      workspace.close();
    }
  }

  /** Makes rows in a workspace. */
  interface Maker {
    PixelRows make(Workspace workspace) throws IOException;
  }

  /**
   * Takes a workspace and makes rows in it.
   *
   * @throws IOException if the maker does; the workspace is put back then
   */
  static PixelRows of(Maker maker) throws IOException {
    Workspace workspace = Workspace.take();
    boolean made = false;
    try {
      PixelRows rows = new WorkspaceRows(maker.make(workspace), workspace);
      made = true;
      return rows;
    } finally {
      if (!made) {
        workspace.close();
      }
    }
  }
}
