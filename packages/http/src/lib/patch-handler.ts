import { decodeJson } from '@ashlar/codec';
import { type ApiObject, goQuote, type JsonValue, type ServerResponse, StatusError } from '@ashlar/core';
import { applyJsonPatch, applyMergePatch, decodeJsonPatch, decodeMergePatch, PatchError, strictJsonPatchFindings } from '@ashlar/patch';
import { withCanonicalMetadata } from '@ashlar/registry';
import { negotiateResponse } from './negotiate-response.ts';
import { readBody } from './request-body.ts';
import { requestContext } from './request-context.ts';
import { parseWriteParameters, type WriteParameters } from './request-parameters.ts';
import type { RequestScope } from './request-scope.ts';
import type { ResourceRequest } from './resource-request.ts';
import { objectResponse } from './responses.ts';
import type { ServedResource } from './served-resource.ts';
import { requireName, requireNamespace } from './write-handlers.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';

/** Kinds of patches, in the order in which refusals name them (semantics C9). */
const PATCH_TYPES = [JSON_PATCH, MERGE_PATCH];

/** PATCH of one object. */
export async function handlePatch({ scope, served, subresource, ambient, authorizer }: ResourceRequest): Promise<ServerResponse> {
  const type = patchType(scope, served);
  const representation = negotiateResponse(scope, served, 'object');
  const { update } = served.storage;
  if (!update) throw StatusError.methodNotSupported(served.groupResource, 'patch');
  const bytes = await readBody(scope);
  const parameters = parseWriteParameters(scope.info.query, served.vocabulary, 'PatchOptions', type);
  const patch = readPatch(type, bytes, parameters, scope);
  const apply = (current: ApiObject | undefined): ApiObject => {
    if (!current) throw StatusError.notFound(served.groupResource, scope.info.name);
    return patchedObject(scope, served, patch, parameters, current);
  };
  const { answer } = await update(requestContext(scope, served, authorizer, parameters), {
    name: scope.info.name,
    update: apply,
    ...(subresource && { subresource: subresource.name }),
  });
  return objectResponse(scope, served, answer, representation, { now: ambient.clock.now() });
}

/** The content type, cut at `;`. @throws StatusError 415 (semantics G4) */
function patchType({ request }: RequestScope, { definition }: ServedResource): string {
  const header = request.headers.get('content-type') ?? '';
  const semicolon = header.indexOf(';');
  const type = semicolon < 0 ? header : header.slice(0, semicolon).trim();
  if (PATCH_TYPES.includes(type)) return type;
  if (definition.dialect === 'custom') throw StatusError.unsupportedMediaType(PATCH_TYPES);
  throw new StatusError({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} });
}

/** A patch that has been read: what is odd about its text, and what it makes of a document. */
interface ReadPatch {
  readonly findings: readonly string[];
  apply(document: JsonValue): JsonValue;
}

/** @throws StatusError 400, 413 */
function readPatch(type: string, bytes: Uint8Array, { fieldValidation }: WriteParameters, scope: RequestScope): ReadPatch {
  const strict = fieldValidation !== 'Ignore';
  const { value, duplicates } = decodePatch(bytes, strict);
  const found = duplicates.map((path) => `duplicate field ${goQuote(path)}`);
  const patch = type === JSON_PATCH ? readJsonPatch(value, found) : readMergePatch(value, found);
  if (patch.findings.length > 0 && fieldValidation === 'Strict') {
    throw StatusError.badRequest(`strict decoding error: ${patch.findings.join(', ')}`);
  }
  if (strict) patch.findings.forEach(scope.warn);
  return patch;
}

function decodePatch(bytes: Uint8Array, strict: boolean): { value: JsonValue; duplicates: readonly string[] } {
  try {
    return decodeJson(bytes, { duplicates: 'report' });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw StatusError.badRequest(strict ? `error decoding patch: ${text}` : text, error);
  }
}

function readJsonPatch(value: JsonValue, duplicates: readonly string[]): ReadPatch {
  const patch = translated(() => decodeJsonPatch(value));
  const strict = translated(() => strictJsonPatchFindings(value));
  const findings = [...duplicates.map((text) => `json patch ${text}`), ...strict];
  return { findings, apply: (document) => applyJsonPatch(document, patch) };
}

function readMergePatch(value: JsonValue, findings: readonly string[]): ReadPatch {
  const patch = translated(() => decodeMergePatch(value));
  return { findings, apply: (document) => applyMergePatch(document, patch) };
}

function patchedObject(
  scope: RequestScope,
  served: ServedResource,
  patch: ReadPatch,
  { fieldValidation }: WriteParameters,
  current: ApiObject,
): ApiObject {
  const patched = translated(() => patch.apply(current as unknown as JsonValue));
  const object = served.decoder.decodePatched(patched, { fieldValidation, findings: [], warn: scope.warn });
  requireNamespace(scope, served, object);
  requireName(scope.info.name, object);
  const { namespace } = current.metadata;
  return object.metadata.namespace === namespace ? object : withCanonicalMetadata(object, { namespace });
}

/** Failures of patches as the API tells them (semantics G4). */
function translated<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (error.kind === 'decode') throw StatusError.badRequest(error.message, error);
    if (error.kind === 'too-many-operations') throw StatusError.requestEntityTooLarge(error.message);
    throw StatusError.unprocessable(error);
  }
}

