package io.feedline.formats.store.internal.jobs;

import io.feedline.data.Quarantine;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.util.Map;

record OneTaskWriter(StoreWriter<TaskSample> task) implements StoreWriter<EncodedImage> {

  @Override
  public long written() {
    return task.written();
  }

  @Override
  public void write(EncodedImage image) throws IOException {
    task.write(new TaskSample(image, Map.of()));
  }

  @Override
  public void leaveOut(Quarantine.Entry sample) throws IOException {
    task.leaveOut(sample);
  }

  @Override
  public Quarantine leftOut() {
    return task.leftOut();
  }

  @Override
  public void commit() throws IOException {
    task.commit();
  }

  @Override
  public void close() throws IOException {
    task.close();
  }

  @Override
  public String toString() {
    return task.toString();
  }
}
