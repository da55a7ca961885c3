// A start-up file of JShell for work with Feedline:
//
//     jshell --class-path "$(cat class-path)" --startup DEFAULT --startup feedline.jsh

import io.feedline.*;
import io.feedline.batch.*;
import io.feedline.data.*;
import io.feedline.formats.folder.*;
import io.feedline.formats.image.*;
import io.feedline.formats.image.codec.*;
import io.feedline.formats.image.dataset.*;
import io.feedline.formats.image.mixing.*;
import io.feedline.formats.image.pixel.*;
import io.feedline.formats.image.transform.*;
import io.feedline.formats.image.transform.quality.*;
import io.feedline.progress.*;
import io.feedline.sampler.*;
import io.feedline.transform.*;

// Takes the first batch of an epoch and closes it: copies of its tensors, and its values, by name.
Map<String, Object> first(DataLoader<?> loader) {
  try (BatchIterator batches = loader.iterator();
      Batch batch = batches.next()) {
    Map<String, Object> kept = new LinkedHashMap<>();
    batch.tensors().forEach((name, tensor) -> kept.put(name, tensor.copy()));
    kept.putAll(batch.values());
    return kept;
  }
}

// Prints the elements of a tensor as NumPy does.
void show(Object tensor) {
  System.out.println(((Tensor) tensor).toText());
}

// Draws images, or samples with their targets, into a PNG, and returns its path.
Path sheet(List<?> samples) throws IOException {
  Path file = Files.createTempFile("feedline", ".png");
  ContactSheet.of(samples).writeTo(file);
  return file;
}

// Draws so many samples of a dataset, spread evenly over it.
Path sheet(Dataset<?> dataset, int count) throws Exception {
  Path file = Files.createTempFile("feedline", ".png");
  ContactSheet.of(dataset, count).writeTo(file);
  return file;
}
