package restbench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.arc.All;
import io.quarkus.jackson.ObjectMapperCustomizer;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;
import restbench.shared.DataSource;
import restbench.shared.Jackson;
import restbench.shared.Solr;

/** Starts Quarkus, and makes what the resources share. */
@QuarkusMain
public class App {
  /** Made before Quarkus starts, because a bean that ends the app at its start would hang. */
  private static final DataSource SOURCE = new DataSource();

  public static void main(String... args) {
    Quarkus.run(args);
  }

  @Produces
  @Singleton
  DataSource dataSource() {
    return SOURCE;
  }

  @Produces
  @Singleton
  Solr solr() {
    return new Solr();
  }

  /** Replaces the mapper of Quarkus, whose extensions customize this one, too. */
  @Produces
  @Singleton
  ObjectMapper objectMapper(@All List<ObjectMapperCustomizer> customizers) {
    var mapper = Jackson.MAPPER.copy();
    customizers.forEach(customizer -> customizer.customize(mapper));
    return mapper;
  }
}
