import * as z from 'zod';

/** Values of paths and queries are text. Zod's coercion would take an empty one for 0. */
export const Integer = z.string().regex(z.regexes.integer).transform(Number);

/** A number in a path, such as an id. */
export const Int32 = Integer.pipe(z.int32().nonnegative());
