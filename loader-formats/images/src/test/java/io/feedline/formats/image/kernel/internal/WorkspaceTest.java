package io.feedline.formats.image.kernel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.pixel.Interpolation;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WorkspaceTest {

  @Test
  void shouldServeOneWriterOfItsThreadAtATime() {
    Workspace mine = Workspace.take();
    mine.close();

    Workspace theirs =
        CompletableFuture.supplyAsync(Workspace::take, task -> new Thread(task).start()).join();

    assertThat(theirs).isNotSameAs(mine);
    try (Workspace outer = Workspace.take();
        Workspace inner = Workspace.take()) {
      assertThat(outer).isSameAs(mine);
      assertThat(inner).isNotSameAs(outer);
    }
  }

  @Test
  void shouldKeepArraysThatAreLargeEnough() {
    try (Workspace workspace = Workspace.take()) {
      int[] sums = workspace.sums(100);
      int[] row = workspace.rows(3, 100)[2];

      assertThat(workspace.sums(50)).isSameAs(sums);
      assertThat(workspace.rows(3, 50)[2]).isSameAs(row);
    }
  }

  @Test
  void shouldForgetWhatAHugeImageNeeded() {
    Workspace workspace = Workspace.take();
    workspace.pixels().resize(6000, 6000);
    workspace.window(5_000_000);
    workspace.horizontal().plan(9_000_000, 1, 0, 1, Interpolation.BOX, true);
    workspace.horizontal().weigh();
    workspace.packed(5_000_000);
    workspace.close();

    try (Workspace again = Workspace.take()) {
      assertThat(again).isSameAs(workspace);
      assertThat(again.pixels().pixels()).isEmpty();
      assertThat(again.window(1)).hasSize(1);
      assertThat(again.packed(1)).hasSize(1);
      assertThat(again.horizontal().weights()).isEmpty();
    }
  }
}
