import { isJsonObject, type JsonObject, type JsonValue, type Steps, type Vocabulary } from '@ashlar/core';
import { APPLY_PATCH } from '../request/read-apply.ts';
import { JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH } from '../request/read-patch.ts';
import { BEARER_TOKEN, documentInfo, type OpenApiDocument } from './openapi-frame.ts';
import { contextOf, SharedParameters } from './openapi-v2-parameters.ts';
import { v2Reference, v2Schema } from './openapi-v2-schema.ts';
import { sortedByKey, sortedByKeySteps } from './sorted-by-key.ts';

/**
 * Creates the OpenAPI v2 document of everything from the v3 documents of all group versions, with pauses
 * (semantics/discovery#openapi).
 */
export function* openApiV2DocumentSteps(
  documents: readonly OpenApiDocument[],
  vocabulary: Vocabulary,
  release: string,
): Steps<JsonObject> {
  const paths: Record<string, JsonObject> = {};
  const definitions: Record<string, JsonObject> = {};
  const shared = new SharedParameters();
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths)) {
      paths[path] = v2PathItem(item as JsonObject, vocabulary, shared);
      yield;
    }
    for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
      const definition = v2Schema(schema as JsonObject, vocabulary);
      const existing = definitions[name];
      definitions[name] = existing ? withKindsOf(definition, existing, vocabulary) : definition;
      yield;
    }
  }
  return {
    swagger: '2.0',
    info: documentInfo(vocabulary, release),
    paths: yield* sortedByKeySteps(Object.entries(paths)),
    definitions: yield* sortedByKeySteps(Object.entries(definitions)),
    parameters: sortedByKey(shared.parameters),
    securityDefinitions: BEARER_TOKEN,
    security: [{ BearerToken: [] }],
  };
}

/** Types in several documents have the kinds of all of them. */
function withKindsOf(
  definition: JsonObject,
  existing: JsonObject,
  { extensionPrefix }: Vocabulary,
): JsonObject {
  const marker = `${extensionPrefix}group-version-kind`;
  const [kinds, others] = [definition[marker], existing[marker]];
  if (!Array.isArray(kinds) || !Array.isArray(others)) return { ...existing, ...definition };
  const byText = new Map([...others, ...kinds].map((kind) => [JSON.stringify(kind), kind]));
  return { ...definition, [marker]: [...byText.values()] };
}

function v2PathItem(item: JsonObject, vocabulary: Vocabulary, shared: SharedParameters): JsonObject {
  const { parameters, ...operations } = item as { readonly [method: string]: JsonObject };
  const [first] = Object.values(operations);
  const context = contextOf(first, vocabulary);
  const written: Record<string, JsonValue> = {};
  for (const method in operations)
    written[method] = v2Operation(operations[method] as JsonObject, vocabulary, shared);
  if (Array.isArray(parameters)) written.parameters = parameters.map((each) => shared.convert(each, context));
  return written;
}

function v2Operation(operation: JsonObject, vocabulary: Vocabulary, shared: SharedParameters): JsonObject {
  const { tags, description, operationId, parameters, requestBody, responses, ...extensions } = operation;
  const produces = producedTypes(responses as JsonObject);
  const body = bodyParameter(requestBody as JsonObject | undefined);
  const context = contextOf(operation, vocabulary);
  const all = [
    ...body.map((each) => shared.share(each, context)),
    ...((parameters ?? []) as readonly JsonObject[]).map((each) => shared.convert(each, context)),
  ];
  const consumes = consumedTypes(operation, produces, vocabulary);
  const kindName = `${vocabulary.extensionPrefix}group-version-kind`;
  return {
    tags,
    description,
    operationId,
    ...(consumes && { consumes }),
    produces,
    schemes: ['https'],
    ...(all.length > 0 && { parameters: all }),
    responses: v2Responses(responses as JsonObject),
    ...extensions,
    ...(isJsonObject(extensions[kindName]) && { [kindName]: sortedByKey(extensions[kindName]) }),
  };
}

const contentOf = (part: JsonObject | undefined): JsonObject => (part?.content ?? {}) as JsonObject;

function producedTypes(responses: JsonObject): readonly string[] {
  const types = Object.values(responses).flatMap((response) =>
    Object.keys(contentOf(response as JsonObject)),
  );
  return [...new Set(types)];
}

const PATCH_ORDER = [JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH];

/**
 * Without a request body, operations of built-in kinds consume everything, and others what they produce; documents at fixed paths
 * consume nothing.
 */
function consumedTypes(
  operation: JsonObject,
  produces: readonly string[],
  { protobufMediaType, extensionPrefix }: Vocabulary,
): readonly string[] | undefined {
  const requestBody = operation.requestBody as JsonObject | undefined;
  if (!requestBody) {
    const isOfKind = operation[`${extensionPrefix}action`] !== undefined;
    if (isOfKind) return produces.includes(protobufMediaType) ? ['*/*'] : produces;
    return schemaOf((operation.responses as JsonObject)['200'] as JsonObject)?.$ref ? produces : undefined;
  }
  const place = (type: string): number =>
    PATCH_ORDER.includes(type) ? PATCH_ORDER.indexOf(type) : PATCH_ORDER.length;
  return Object.keys(contentOf(requestBody)).sort((a, b) => place(a) - place(b));
}

function bodyParameter(requestBody: JsonObject | undefined): readonly JsonObject[] {
  if (!requestBody) return [];
  const schema = schemaOf(requestBody);
  return [
    {
      name: 'body',
      in: 'body',
      ...(requestBody.required === true && { required: true }),
      ...(schema && { schema }),
    },
  ];
}

function v2Responses(responses: JsonObject): JsonObject {
  const written: Record<string, JsonValue> = {};
  for (const status in responses) {
    const { description = '' } = responses[status] as JsonObject;
    const schema = schemaOf(responses[status] as JsonObject);
    written[status] = schema ? { description, schema } : { description };
  }
  return written;
}

/** All media types of a body share one schema, which is a reference. */
function schemaOf(part: JsonObject): JsonObject | undefined {
  const [form] = Object.values(contentOf(part));
  const schema = (form as JsonObject | undefined)?.schema;
  if (schema === undefined || !isJsonObject(schema)) return undefined;
  return typeof schema.$ref === 'string' ? { $ref: v2Reference(schema.$ref) } : schema;
}
