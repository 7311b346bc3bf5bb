package restbench;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import restbench.shared.DataSource;
import restbench.shared.Solr;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** Starts the app. The rest of its settings is in application.properties. */
@SpringBootApplication
public class App {
  @Bean
  DataSource source() {
    return new DataSource();
  }

  @Bean
  Solr solr() {
    return new Solr();
  }

  /** Refuses numbers in place of a text. Jackson would convert them, and no property forbids it. */
  @Bean
  JsonMapperBuilderCustomizer strictTexts() {
    return builder ->
        builder.withCoercionConfig(
            LogicalType.Textual,
            text ->
                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
  }

  public static void main(String[] args) {
    SpringApplication.run(App.class, args);
  }
}
