import { Type } from '@fastify/type-provider-typebox';

/** A number in a path, such as an id. */
export const Int32 = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 });
