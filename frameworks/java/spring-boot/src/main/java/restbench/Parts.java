package restbench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Thirty routes, each of which answers the integer of its path. Spring compares a request with all
 * routes that have a variable, in whichever order they were registered.
 */
@RestController
class Parts {
  @Autowired
  void register(RequestMappingHandlerMapping mapping) throws NoSuchMethodException {
    var part = Parts.class.getDeclaredMethod("part", int.class);
    for (var method : List.of(RequestMethod.GET, RequestMethod.POST, RequestMethod.PUT)) {
      var name = method.name().toLowerCase(Locale.ROOT);
      for (int number = 0; number < 10; number++) {
        var path = "/route-" + name + "-" + number + "/{part}";
        mapping.registerMapping(
            RequestMappingInfo.paths(path).methods(method).build(), this, part);
      }
    }
  }

  Map<String, Integer> part(@PathVariable int part) {
    return Map.of("part", part);
  }
}
