import { isJsonObject, type JsonObject, type Steps } from '@ashlar/core';
import { encodePairsSteps, MessageParts } from './openapi-protobuf-parts.ts';
import {
  any,
  count,
  double,
  each,
  encodeMessage,
  type Field,
  flag,
  inside,
  type Message,
  message,
  named,
  text,
} from './openapi-protobuf-writer.ts';

// Messages and field numbers of the published Protobuf description of OpenAPI v2, as far as documents of an
// API use them.

const schema: Message = {
  extensions: 31,
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, count],
    minLength: [12, count],
    pattern: [13, text],
    maxItems: [14, count],
    minItems: [15, count],
    uniqueItems: [16, flag],
    maxProperties: [17, count],
    minProperties: [18, count],
    required: [19, each(text)],
    enum: [20, each(any)],
    additionalProperties: [21, schemaOrFlag()],
    type: [22, inside(1, each(text))],
    items: [
      23,
      inside(
        1,
        message(() => schema),
      ),
    ],
    properties: [25, inside(1, named(message(() => schema)))],
  },
};

function schemaOrFlag(): Field {
  const asSchema = inside(
    1,
    message(() => schema),
  );
  const asFlag = inside(2, flag);
  return (writer, number, value) => (isJsonObject(value) ? asSchema : asFlag)(writer, number, value);
}

const bodyParameter: Message = {
  extensions: 6,
  fields: {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, message(() => schema)],
  },
};
const pathParameter: Message = {
  extensions: 22,
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, flag],
  },
};
const queryParameter: Message = {
  extensions: 23,
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, flag],
  },
};

/** A parameter is one of several messages, depending on its location. */
const parameter: Field = (writer, number, value) => {
  const place = (value as JsonObject).in;
  if (place === 'body')
    return inside(
      1,
      message(() => bodyParameter),
    )(writer, number, value);
  const asPath = inside(
    4,
    message(() => pathParameter),
  );
  const asQuery = inside(
    3,
    message(() => queryParameter),
  );
  return inside(2, place === 'path' ? asPath : asQuery)(writer, number, value);
};

/** A parameter, or a reference to a shared one. */
const parameterOrReference: Field = (writer, number, value) => {
  const isReference = isJsonObject(value) && value.$ref !== undefined;
  const asReference = inside(
    2,
    message(() => ({ fields: { $ref: [1, text] } })),
  );
  return (isReference ? asReference : inside(1, parameter))(writer, number, value);
};

const response: Message = {
  extensions: 5,
  fields: {
    description: [1, text],
    schema: [
      2,
      inside(
        1,
        message(() => schema),
      ),
    ],
  },
};
const operation: Message = {
  extensions: 13,
  fields: {
    tags: [1, each(text)],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    produces: [6, each(text)],
    consumes: [7, each(text)],
    parameters: [8, each(parameterOrReference)],
    responses: [
      9,
      inside(
        1,
        named(
          inside(
            1,
            message(() => response),
          ),
        ),
      ),
    ],
    schemes: [10, each(text)],
    deprecated: [11, flag],
  },
};
const pathItem: Message = {
  extensions: 10,
  fields: {
    get: [2, message(() => operation)],
    put: [3, message(() => operation)],
    post: [4, message(() => operation)],
    delete: [5, message(() => operation)],
    options: [6, message(() => operation)],
    head: [7, message(() => operation)],
    patch: [8, message(() => operation)],
    parameters: [9, each(parameterOrReference)],
  },
};
const info: Message = {
  extensions: 7,
  fields: { title: [1, text], version: [2, text], description: [3, text] },
};
const apiKey: Message = {
  extensions: 5,
  fields: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] },
};
/** The document without its paths and definitions. */
const document: Message = {
  extensions: 16,
  fields: {
    swagger: [1, text],
    info: [2, message(() => info)],
    parameters: [10, inside(1, named(parameter))],
    security: [12, each(inside(1, named(inside(1, each(text)))))],
    securityDefinitions: [
      13,
      inside(
        1,
        named(
          inside(
            2,
            message(() => apiKey),
          ),
        ),
      ),
    ],
  },
};

/** Encodes a document of OpenAPI v2 in Protobuf, the only format that some clients read (kubectl wire, 4). */
export function* encodeOpenApiV2Steps(value: JsonObject): Steps<Uint8Array> {
  const paths = yield* encodePairsSteps(
    2,
    value.paths,
    message(() => pathItem),
  );
  const definitions = yield* encodePairsSteps(
    1,
    value.definitions,
    message(() => schema),
  );
  const parts = new MessageParts();
  parts.add(encodeMessage(document, value));
  parts.addField(8, paths);
  parts.addField(9, definitions);
  return yield* parts.finish();
}
