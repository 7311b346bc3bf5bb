import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

import { environment } from '../../shared/environment.js';
import { inEachWorker } from '../../shared/workers.js';
import { AppModule } from './app.module.js';

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule, {
    logger: ['error', 'warn'],
    forceCloseConnections: true,
  });
  // As process 1 of a container, an app is not ended by the signal that it would send itself.
  app.enableShutdownHooks(['SIGTERM'], { useProcessExit: true });

  const config = new DocumentBuilder()
    .setTitle('restbench')
    .setVersion('1.0.0')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
  });

  await app.listen(environment.port, '0.0.0.0');
}

await inEachWorker(bootstrap);
