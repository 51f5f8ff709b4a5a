import {
  doneSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberNames,
  objectOf,
  type Steps,
  setMember,
} from '@ashlar/core';
import type { OpenApiDocument } from './openapi-frame.ts';
import { v3Reference, v3SchemaSteps } from './renamed-references.ts';
import { sortedByKeySteps } from './sorted-by-key.ts';

/**
 * Converts the OpenAPI v2 document of a server that has no other to v3, with pauses. The type of a parameter becomes a schema of which
 * only type, format and uniqueness are kept, as in release 1.32 (semantics/discovery#aggregation-in-detail). What is no document is
 * left out.
 */
export function* convertedV2DocumentSteps(v2: JsonObject): Steps<OpenApiDocument> {
  const types: MediaTypes = { consumes: textsOf(v2.consumes), produces: textsOf(v2.produces) };
  const paths = yield* convertedSteps(v2.paths, (item) => pathItemSteps(item, types));
  const schemas = yield* convertedSteps(v2.definitions, v3SchemaSteps);
  const parameters = yield* convertedSteps(v2.parameters, parameterSteps);
  const responses = yield* convertedSteps(v2.responses, (each) => responseSteps(each, types.produces));
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
  for (const name of memberNames(value)) {
    const member = value[name];
    if (isObject(member)) converted.push([name, yield* convert(member)]);
    yield;
  }
  return yield* sortedByKeySteps(converted);
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

function* pathItemSteps(item: JsonObject, types: MediaTypes): Steps<JsonObject> {
  const converted = kept(item, []);
  for (const method of METHODS) {
    const found = item[method];
    if (isObject(found)) converted[method] = yield* operationSteps(found, types);
  }
  const { parameters } = yield* parametersSteps(item.parameters);
  if (parameters.length > 0) converted.parameters = parameters;
  return converted;
}

/** What operations have in both versions. */
const OPERATION_MEMBERS = ['tags', 'summary', 'description', 'externalDocs', 'operationId', 'deprecated'];

function* operationSteps(found: JsonObject, types: MediaTypes): Steps<JsonObject> {
  const { consumes, produces } = found;
  const { body, parameters } = yield* parametersSteps(found.parameters);
  const converted = kept(found, OPERATION_MEMBERS);
  if (parameters.length > 0) converted.parameters = parameters;
  if (body) {
    const taken = consumes ? textsOf(consumes) : types.consumes;
    converted.requestBody = { content: yield* contentSteps(body.schema, taken) };
  }
  const returned = produces ? textsOf(produces) : types.produces;
  converted.responses = yield* responsesSteps(found.responses, returned);
  return converted;
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
    else parameters.push(yield* parameterSteps(found));
  }
  return { body, parameters };
}

function* responsesSteps(found: JsonValue | undefined, produces: readonly string[]): Steps<JsonObject> {
  const converted: Record<string, JsonValue> = {};
  for (const [index, [status, member]] of Object.entries(objectOr(found, {})).entries()) {
    if (index % STRIDE === STRIDE - 1) yield;
    const isExtension = status.startsWith('x-');
    if (isExtension) setMember(converted, status, member);
    else if (isObject(member)) setMember(converted, status, yield* responseSteps(member, produces));
  }
  return converted;
}

function* responseSteps(found: JsonObject, produces: readonly string[]): Steps<JsonObject> {
  if (typeof found.$ref === 'string') return { $ref: v3Reference(found.$ref) };
  const converted = kept(found, ['description']);
  if (found.schema !== undefined) converted.content = yield* contentSteps(found.schema, produces);
  return converted;
}

/** Media types of a body; servers of this kind have at most as many. A schema is repeated for each, so that more would multiply a document. */
const MAXIMUM_MEDIA_TYPES = 8;

function* contentSteps(found: JsonValue | undefined, types: readonly string[]): Steps<JsonObject> {
  const schema = isObject(found) ? yield* v3SchemaSteps(found) : ANYTHING;
  return objectOf(types.slice(0, MAXIMUM_MEDIA_TYPES).map((type) => [type, { schema }]));
}

/** The schema of a value of which nothing is said. */
const ANYTHING: JsonObject = {};

function parameterSteps(found: JsonObject): Steps<JsonObject> {
  if (typeof found.$ref === 'string') return doneSteps({ $ref: v3Reference(found.$ref) });
  const converted = kept(found, ['name', 'in', 'description', 'required', 'allowEmptyValue']);
  if (isObject(found.schema)) return withSchemaSteps(converted, found.schema);
  const { type, format, uniqueItems } = found;
  const isTyped = type !== undefined || format !== undefined || uniqueItems !== undefined;
  converted.schema = isTyped ? withMembers(found, ['type', 'format', 'uniqueItems']) : ANYTHING;
  return doneSteps(converted);
}

function* withSchemaSteps(converted: Record<string, JsonValue>, schema: JsonObject): Steps<JsonObject> {
  converted.schema = yield* v3SchemaSteps(schema);
  return converted;
}

function securityScheme(found: JsonObject): JsonObject {
  const converted = kept(found, ['type', 'description', 'name', 'in']);
  const { flow } = found;
  if (typeof flow === 'string')
    converted.flows = objectOf([[flow, withMembers(found, ['authorizationUrl', 'tokenUrl', 'scopes'])]]);
  return converted;
}

/** An object with these members, and the extensions. */
function kept(found: JsonObject, names: readonly string[]): Record<string, JsonValue> {
  const copy = withMembers(found, names);
  for (const name in found) if (name.startsWith('x-')) setMember(copy, name, found[name]);
  return copy;
}

/** An object with these members, as far as there are any. */
function withMembers(found: JsonObject, names: readonly string[]): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (const name of names) {
    const member = found[name];
    if (member !== undefined) copy[name] = member;
  }
  return copy;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && isJsonObject(value);
const objectOr = (value: JsonValue | undefined, otherwise: JsonObject): JsonObject =>
  isObject(value) ? value : otherwise;
const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
