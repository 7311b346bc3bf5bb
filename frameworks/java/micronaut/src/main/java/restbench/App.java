package restbench;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.runtime.Micronaut;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import jakarta.inject.Singleton;
import restbench.shared.DataSource;
import restbench.shared.Solr;

/** Starts the app. The rest of its settings is in application.properties. */
@Factory
@OpenAPIDefinition(info = @Info(title = "restbench", version = "1.0.0"))
public class App {
  /** It is made at start. Micronaut would make a singleton when it is first used. */
  @Context
  DataSource source() {
    return new DataSource();
  }

  @Singleton
  Solr solr() {
    return new Solr();
  }

  public static void main(String[] args) {
    Micronaut.run(App.class, args);
  }
}
