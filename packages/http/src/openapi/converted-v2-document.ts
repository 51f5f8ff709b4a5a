import {
  doneSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Steps,
  setMember,
} from '@ashlar/core';
import type { OpenApiDocument } from './openapi-frame.ts';
import { v3ReferencesSteps } from './renamed-references.ts';
import { sortedByKeySteps } from './sorted-by-key.ts';

/**
 * Converts the OpenAPI v2 document of a server that has no other to v3, with pauses. The type of a parameter becomes a schema of which
 * only type, format and uniqueness are kept, as in release 1.32 (semantics/discovery#aggregation-in-detail). What is no document is
 * left out.
 */
export function* convertedV2DocumentSteps(document: JsonObject): Steps<OpenApiDocument> {
  const v2 = yield* v3ReferencesSteps(document);
  const types: MediaTypes = { consumes: textsOf(v2.consumes), produces: textsOf(v2.produces) };
  const paths = yield* convertedSteps(v2.paths, (item) => pathItemSteps(item, types));
  const schemas = yield* convertedSteps(v2.definitions, doneSteps);
  const parameters = yield* convertedSteps(v2.parameters, (each) => doneSteps(parameter(each)));
  const responses = yield* convertedSteps(v2.responses, (each) => doneSteps(response(each, types.produces)));
  const securitySchemes = yield* convertedSteps(v2.securityDefinitions, (each) =>
    doneSteps(securityScheme(each)),
  );
  return {
    openapi: '3.0.0',
    info: objectOr(v2.info, {}),
    ...(isObject(v2.externalDocs) && { externalDocs: v2.externalDocs }),
    paths: paths ?? {},
    components: {
      ...(schemas && { schemas }),
      ...(responses && { responses }),
      ...(parameters && { parameters }),
      ...(securitySchemes && { securitySchemes }),
    },
  };
}

/** What operations take and return if they do not say it. */
interface MediaTypes {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

/** The members of a value that are objects, converted and sorted by name; undefined if the value is none. */
function* convertedSteps(
  value: JsonValue | undefined,
  convert: (member: JsonObject) => Steps<JsonObject>,
): Steps<JsonObject | undefined> {
  if (!isObject(value)) return undefined;
  const converted: [string, JsonObject][] = [];
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (isObject(member)) converted.push([name, yield* convert(member)]);
    yield;
  }
  return yield* sortedByKeySteps(converted);
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

function* pathItemSteps(item: JsonObject, types: MediaTypes): Steps<JsonObject> {
  const converted = kept(item, ['$ref']);
  for (const method of METHODS) {
    const found = item[method];
    if (isObject(found)) converted[method] = yield* operationSteps(found, types);
  }
  const { parameters } = yield* parametersSteps(item.parameters);
  if (parameters.length > 0) converted.parameters = parameters;
  return converted;
}

function* operationSteps(found: JsonObject, types: MediaTypes): Steps<JsonObject> {
  const { consumes, produces } = found;
  const { body, parameters } = yield* parametersSteps(found.parameters);
  return {
    ...kept(found, ['tags', 'summary', 'description', 'externalDocs', 'operationId', 'deprecated']),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { content: content(body.schema, consumes ? textsOf(consumes) : types.consumes) },
    }),
    responses: yield* responsesSteps(found.responses, produces ? textsOf(produces) : types.produces),
  };
}

/** Parameters or responses that are converted between two pauses. */
const STRIDE = 1024;

/** The body among parameters, and the others. */
function* parametersSteps(
  value: JsonValue | undefined,
): Steps<{ readonly body: JsonObject | undefined; readonly parameters: readonly JsonObject[] }> {
  const parameters: JsonObject[] = [];
  let body: JsonObject | undefined;
  for (const [index, found] of (Array.isArray(value) ? value : []).entries()) {
    if (index % STRIDE === STRIDE - 1) yield;
    if (!isObject(found)) continue;
    if (found.in === 'body') body = found;
    else parameters.push(parameter(found));
  }
  return { body, parameters };
}

function* responsesSteps(found: JsonValue | undefined, produces: readonly string[]): Steps<JsonObject> {
  const converted: Record<string, JsonValue> = {};
  for (const [index, [status, member]] of Object.entries(objectOr(found, {})).entries()) {
    if (index % STRIDE === STRIDE - 1) yield;
    const isExtension = status.startsWith('x-');
    if (isExtension) setMember(converted, status, member);
    else if (isObject(member)) setMember(converted, status, response(member, produces));
  }
  return converted;
}

function response(found: JsonObject, produces: readonly string[]): JsonObject {
  if (found.$ref !== undefined) return { $ref: found.$ref };
  return {
    ...kept(found, ['description']),
    ...(found.schema !== undefined && { content: content(found.schema, produces) }),
  };
}

/** Media types of a body; servers of this kind have at most as many. A schema is repeated for each, so that more would multiply a document. */
const MAXIMUM_MEDIA_TYPES = 8;

const content = (schema: JsonValue | undefined, types: readonly string[]): JsonObject =>
  Object.fromEntries(types.slice(0, MAXIMUM_MEDIA_TYPES).map((type) => [type, { schema: schema ?? {} }]));

function parameter(found: JsonObject): JsonObject {
  if (found.$ref !== undefined) return { $ref: found.$ref };
  const { type, format, uniqueItems } = found;
  const ofType = {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(uniqueItems !== undefined && { uniqueItems }),
  };
  return {
    ...kept(found, ['name', 'in', 'description', 'required', 'allowEmptyValue']),
    schema: found.schema ?? ofType,
  };
}

function securityScheme(found: JsonObject): JsonObject {
  const { flow, authorizationUrl, tokenUrl, scopes } = found;
  const flows = typeof flow === 'string' && {
    [flow]: {
      ...(authorizationUrl !== undefined && { authorizationUrl }),
      ...(tokenUrl !== undefined && { tokenUrl }),
      ...(scopes !== undefined && { scopes }),
    },
  };
  return { ...kept(found, ['type', 'description', 'name', 'in']), ...(flows && { flows }) };
}

/** The members with these names, and extensions. */
const kept = (found: JsonObject, names: readonly string[]): Record<string, JsonValue> =>
  Object.fromEntries(
    Object.entries(found).filter(([name]) => name.startsWith('x-') || names.includes(name)),
  ) as Record<string, JsonValue>;

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && isJsonObject(value);
const objectOr = (value: JsonValue | undefined, otherwise: JsonObject): JsonObject =>
  isObject(value) ? value : otherwise;
const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
