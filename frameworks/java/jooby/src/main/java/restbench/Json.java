package restbench;

import static io.jooby.MediaType.json;

import com.fasterxml.jackson.core.JacksonException;
import io.jooby.Context;
import io.jooby.Extension;
import io.jooby.Jooby;
import io.jooby.MessageDecoder;
import io.jooby.MessageEncoder;
import io.jooby.buffer.DataBuffer;
import io.jooby.exception.BadRequestException;
import java.io.IOException;
import java.lang.reflect.Type;
import restbench.shared.Jackson;

/** Bodies in JSON, read and written by Jackson. */
final class Json implements Extension, MessageDecoder, MessageEncoder {

  @Override
  public void install(Jooby app) {
    app.decoder(json, this);
    app.encoder(json, this);
  }

  @Override
  public Object decode(Context ctx, Type type) throws IOException {
    try {
      Object value =
          Jackson.MAPPER.readValue(ctx.body().bytes(), Jackson.MAPPER.constructType(type));
      if (value == null) {
        throw new BadRequestException("null is not a body");
      }
      return value;
    } catch (JacksonException error) {
      throw new BadRequestException(error.getOriginalMessage(), error);
    }
  }

  @Override
  public DataBuffer encode(Context ctx, Object value) throws IOException {
    ctx.setDefaultResponseType(json);
    return ctx.getBufferFactory().wrap(Jackson.MAPPER.writeValueAsBytes(value));
  }
}
