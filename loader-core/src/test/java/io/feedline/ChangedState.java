package io.feedline;

import io.feedline.internal.Digest;
import io.feedline.internal.Json;
import java.util.Map;

/** States that were changed and have the checksum of what they say now. */
final class ChangedState {

  private ChangedState() {}

  /** Returns a state's JSON with the checksum of its other members. */
  static String checked(String state) {
    Map<String, Object> json = Json.read(state);
    json.remove("check");
    json.put("check", Digest.of(Json.write(json)));
    return Json.write(json);
  }
}
