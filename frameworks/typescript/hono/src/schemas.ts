import { z } from '@hono/zod-openapi';

/** Values of paths and queries are text. z.coerce.number() would take an empty one for 0. */
const toNumber = (text: unknown) =>
  z.regexes.integer.test(String(text)) ? Number(text) : text;

/** z.int32() has the same limits, but the OpenAPI document would not call it an integer. */
export const Int32 = z.preprocess(
  toNumber,
  z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1),
);

/** A number in a path, such as an id. */
export const Id = z.preprocess(toNumber, z.int32().nonnegative());
