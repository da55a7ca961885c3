package io.feedline.gpu.internal;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives each test the fake driver in C as if it had just been loaded, and holds that the test, with
 * what it does after itself, has left nothing in it.
 */
public final class FreshFakeCuda implements BeforeEachCallback, AfterEachCallback {

  private FakeCudaControl control;

  public FakeCudaControl control() {
    return control;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    control = FakeCudaControl.load();
    control.reset();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    try {
      control.assertNothingLeaked();
    } finally {
      control.abandon();
    }
  }
}
