package io.feedline;

import io.feedline.internal.Digest;
import io.feedline.internal.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** States that were changed and have the checksum of what they say now. */
final class ChangedState {

  private ChangedState() {}

  /** Returns a state with another value of a member of its JSON. */
  static LoaderState with(LoaderState state, String member, Object value) {
    Map<String, Object> json = new LinkedHashMap<>();
    Json.read(state.toJson())
        .forEach(
            (name, old) -> {
              json.put(name, old);
              // A state has this member only for batches out of order, at this place.
              if (member.equals(name) || (member.equals("ahead") && name.equals("position"))) {
                json.put(member, value);
              }
            });
    return LoaderState.fromJson(checked(Json.write(json)));
  }

  /** Returns a state's JSON with the checksum of its other members. */
  static String checked(String state) {
    Map<String, Object> json = Json.read(state);
    json.remove("check");
    json.put("check", Digest.of(Json.write(json)));
    return Json.write(json);
  }
}
