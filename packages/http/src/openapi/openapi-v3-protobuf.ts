import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberNames,
  type Steps,
  setMember,
} from '@ashlar/core';
import type { OpenApiDocument } from './openapi-frame.ts';
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

// Messages and field numbers of the published Protobuf description of OpenAPI v3, as far as documents of an
// API use them.

const reference: Message = { fields: { $ref: [1, text] } };

/** A message, or a reference to one. */
function orReference(of: () => Message): Field {
  const [itself, referring] = [
    inside(1, message(of)),
    inside(
      2,
      message(() => reference),
    ),
  ];
  return (writer, number, value) => {
    const isReference = isJsonObject(value) && value.$ref !== undefined;
    (isReference ? referring : itself)(writer, number, value);
  };
}

const schemaOrReference: Field = orReference(() => schema);

/** Members that are objects: `true` allows anything. */
const schemaOrFlag: Field = (writer, number, value) =>
  (isJsonObject(value) ? inside(1, schemaOrReference) : inside(2, flag))(writer, number, value);

const DEFAULTS: Readonly<Record<string, Field>> = {
  number: inside(1, double),
  boolean: inside(2, flag),
  string: inside(3, text),
};

const empty = message(() => ({ fields: {} }));

/** Only numbers, booleans and strings have a field; other defaults are only marked as present. */
const defaultValue: Field = (writer, number, value) =>
  (DEFAULTS[typeof value] ?? empty)(writer, number, value);

const schema: Message = {
  extensions: 36,
  fields: {
    nullable: [1, flag],
    title: [9, text],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, flag],
    minimum: [13, double],
    exclusiveMinimum: [14, flag],
    maxLength: [15, count],
    minLength: [16, count],
    pattern: [17, text],
    maxItems: [18, count],
    minItems: [19, count],
    uniqueItems: [20, flag],
    maxProperties: [21, count],
    minProperties: [22, count],
    required: [23, each(text)],
    enum: [24, each(any)],
    type: [25, text],
    allOf: [26, each(schemaOrReference)],
    oneOf: [27, each(schemaOrReference)],
    anyOf: [28, each(schemaOrReference)],
    not: [29, message(() => schema)],
    items: [30, inside(1, schemaOrReference)],
    properties: [31, inside(1, named(schemaOrReference))],
    additionalProperties: [32, schemaOrFlag],
    default: [33, defaultValue],
    description: [34, text],
    format: [35, text],
  },
};

const mediaType: Message = { extensions: 5, fields: { schema: [1, schemaOrReference] } };
const content: Field = inside(1, named(message(() => mediaType)));
const parameter: Message = {
  extensions: 14,
  fields: {
    name: [1, text],
    in: [2, text],
    description: [3, text],
    required: [4, flag],
    allowEmptyValue: [6, flag],
    schema: [10, schemaOrReference],
  },
};
const parameterOrReference: Field = orReference(() => parameter);
const parameters: Field = each(parameterOrReference);
const requestBody: Message = {
  extensions: 4,
  fields: { description: [1, text], content: [2, content], required: [3, flag] },
};
const response: Message = { extensions: 5, fields: { description: [1, text], content: [3, content] } };
const responseOrReference: Field = orReference(() => response);
const responsesByKind: Message = {
  extensions: 3,
  fields: { default: [1, responseOrReference], byStatus: [2, named(responseOrReference)] },
};
const allResponses: Field = message(() => responsesByKind);

/** The responses of an operation: that of other statuses, and extensions, have fields of their own. */
const responses: Field = (writer, number, value) => {
  const byStatus: Record<string, JsonValue> = {};
  const byKind: Record<string, JsonValue> = { byStatus };
  for (const status of isJsonObject(value) ? memberNames(value) : []) {
    const isOther = status === 'default' || status.startsWith('x-');
    setMember(isOther ? byKind : byStatus, status, (value as JsonObject)[status]);
  }
  allResponses(writer, number, byKind);
};

const externalDocs: Field = message(() => ({
  extensions: 3,
  fields: { description: [1, text], url: [2, text] },
}));
const operation: Message = {
  extensions: 13,
  fields: {
    tags: [1, each(text)],
    summary: [2, text],
    description: [3, text],
    externalDocs: [4, externalDocs],
    operationId: [5, text],
    parameters: [6, parameters],
    requestBody: [
      7,
      inside(
        1,
        message(() => requestBody),
      ),
    ],
    responses: [8, responses],
    deprecated: [10, flag],
  },
};
const pathItem: Message = {
  extensions: 14,
  fields: {
    get: [4, message(() => operation)],
    put: [5, message(() => operation)],
    post: [6, message(() => operation)],
    delete: [7, message(() => operation)],
    options: [8, message(() => operation)],
    head: [9, message(() => operation)],
    patch: [10, message(() => operation)],
    parameters: [13, parameters],
  },
};
const info: Message = {
  extensions: 7,
  fields: { title: [1, text], description: [2, text], version: [6, text] },
};
/** Components without their schemas. */
const components: Message = {
  extensions: 10,
  fields: {
    responses: [2, inside(1, named(responseOrReference))],
    parameters: [3, inside(1, named(parameterOrReference))],
    securitySchemes: [
      7,
      inside(
        1,
        named(
          inside(
            1,
            message(() => securityScheme),
          ),
        ),
      ),
    ],
  },
};
const flow: Field = message(() => ({
  fields: { authorizationUrl: [1, text], tokenUrl: [2, text], scopes: [4, inside(1, named(text))] },
}));
const securityScheme: Message = {
  extensions: 9,
  fields: {
    type: [1, text],
    description: [2, text],
    name: [3, text],
    in: [4, text],
    flows: [7, message(() => ({ fields: { implicit: [1, flow], password: [2, flow] } }))],
  },
};
/** The document without its paths and components. */
const document: Message = {
  extensions: 9,
  fields: {
    openapi: [1, text],
    info: [2, message(() => info)],
    externalDocs: [8, externalDocs],
  },
};

/** Encodes a document of OpenAPI v3 in Protobuf (semantics/discovery#openapi). */
export function* encodeOpenApiV3Steps(value: OpenApiDocument): Steps<Uint8Array> {
  const paths = yield* encodePairsSteps(
    1,
    value.paths,
    message(() => pathItem),
  );
  const { schemas } = value.components;
  const types = new MessageParts();
  if (schemas) types.addField(1, yield* encodePairsSteps(1, schemas, schemaOrReference));
  types.add(encodeMessage(components, value.components));
  const parts = new MessageParts();
  parts.add(encodeMessage(document, value));
  parts.addField(4, paths);
  parts.addField(5, types);
  return yield* parts.finish();
}
