import { type Static, Type } from '@fastify/type-provider-typebox';

export const Query = Type.Object({
  document_type: Type.Integer({
    description: 'The type of the documents to return',
    minimum: -(2 ** 31),
    maximum: 2 ** 31 - 1,
    examples: [1],
  }),
});

const Child = Type.Object({
  id: Type.String({ examples: ['registry-001-0'] }),
  name: Type.Optional(Type.String({ examples: ['Birch Mill'] })),
  number: Type.Optional(Type.Integer({ examples: [100] })),
});

const Document = Type.Object({
  id: Type.String({ examples: ['registry-001'] }),
  document_type: Type.Integer({ examples: [1] }),
  string_array: Type.Optional(
    Type.Array(Type.String(), { examples: [['Amber Quay', 'Łąka Höhe']] }),
  ),
  int_array: Type.Optional(
    Type.Array(Type.Integer(), { examples: [[3, 1, 2]] }),
  ),
  child_objects: Type.Optional(Type.Array(Child)),
});
export type Document = Static<typeof Document>;

export const Documents = Type.Array(Document, { description: 'Documents' });

/** Fastify's own answer to an error. */
const Failure = {
  statusCode: Type.Integer(),
  code: Type.Optional(Type.String()),
  error: Type.String(),
  message: Type.String(),
};

export const BadRequest = Type.Object(Failure, {
  description: 'document_type is not one integer',
});

export const Unavailable = Type.Object(Failure, {
  description: 'Solr gives no answer that can be used',
});
