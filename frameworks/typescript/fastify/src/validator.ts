import { Ajv, type AnySchema } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';

/** Fastify's own validator would also take the number 1 in a body for the text "1". */
const bodies = new Ajv({ removeAdditional: true });

/** Values of paths and queries are text. This converts them to the types of the schema. */
const texts = new Ajv({ coerceTypes: true });

export const validatorCompiler: FastifySchemaCompiler<AnySchema> = ({
  schema,
  httpPart,
}) => (httpPart === 'body' ? bodies : texts).compile(schema);
