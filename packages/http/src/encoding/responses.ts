import {
  type ApiObject,
  andThen,
  type JsonValue,
  type MaybePromise,
  pause,
  type ResponseBody,
  runAtOnce,
  runInSlices,
  type ServerResponse,
  type Status,
  type Steps,
} from '@ashlar/core';
import type { ObjectList, ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { ServedResource } from '../catalog/served-resource.ts';
import { encodeStatus } from '../pipeline/error-response.ts';
import type { ResourceRequest } from '../verbs/resource-request.ts';
import { parseIncludeObject } from './include-object.ts';
import { isLarge } from './large-records.ts';
import { encodeListSteps, jsonPieces, prettyPieces } from './list-body.ts';
import { listMetadata } from './list-head.ts';
import type { ListItems } from './list-items.ts';
import { encodeMetadataListSteps, toPartialObjectMetadata } from './metadata-view.ts';
import { requireFittingView } from './negotiate-response.ts';
import { encodeObject, encodeObjectSteps } from './object-encoding.ts';
import {
  encodeText,
  encodeTextSteps,
  plainJson,
  type Representation,
  type Transform,
} from './representation.ts';
import { uncachedObjectOf } from './result-object.ts';
import { inRowOrder, tableRows } from './table-rows.ts';
import { noRows, row, tableHead, toTableSteps } from './table-view.ts';

/** Returns the response with one object, in the requested view. */
export function objectResponse(
  request: ResourceRequest,
  result: ResultObject,
  representation: Representation,
  status: number = 200,
): MaybePromise<ServerResponse> {
  if (!request.scope.audit?.contents?.keepsAnswer)
    return representedObject(request, result, representation, status);
  return auditedResponse(request, representation, (as) => representedObject(request, result, as, status));
}

/** Returns a response, and shows what it says in JSON to whom records the events of the request. */
function auditedResponse(
  { scope }: ResourceRequest,
  representation: Representation,
  respond: (as: Representation) => MaybePromise<ServerResponse>,
): MaybePromise<ServerResponse> {
  const { transform, format, pretty } = representation;
  return andThen(respond(representation), (response) => {
    const isPlain = format === 'json' && !pretty;
    return andThen(isPlain ? response : respond({ ...plainJson, transform }), ({ body }) => {
      scope.audit?.contents?.answer(body);
      return response;
    });
  });
}

function representedObject(
  request: ResourceRequest,
  result: ResultObject,
  representation: Representation,
  status: number,
): MaybePromise<ServerResponse> {
  const { transform, format, pretty } = representation;
  const isRecord = ObjectRecord.is(result);
  if (!isRecord && !transform) return responseInSlices(request, result, representation, status);
  const isStoredJson = !transform && format === 'json' && !pretty;
  return isStoredJson || !isLarge(result)
    ? responseAtOnce(request, result, representation, status)
    : largeResponse(request, result, representation, status);
}

/** The response with an object that is not stored, such as a review, or that of a dry run, or that is large. */
function responseInSlices(
  { served, ambient }: ResourceRequest,
  object: ApiObject,
  representation: Representation,
  status: number,
): ServerResponse | Promise<ServerResponse> {
  const headers = { 'content-type': representation.contentType };
  const encoded = runInSlices(encodeObjectSteps(served, object, representation), ambient);
  const respond = (body: readonly Uint8Array[]): ServerResponse => ({ status, headers, body });
  return encoded instanceof Promise ? encoded.then(respond) : respond(encoded);
}

/** The response with a large record, whose encodings are not cached. */
async function largeResponse(
  request: ResourceRequest,
  record: ObjectRecord,
  representation: Representation,
  status: number,
): Promise<ServerResponse> {
  const { served, ambient } = request;
  const { transform } = representation;
  requireFittingView(transform, 'object', served);
  const object = await runInSlices(record.decodeSteps(), ambient);
  await pause(ambient);
  return transform
    ? responseAtOnce(request, object, representation, status)
    : responseInSlices(request, object, representation, status);
}

function responseAtOnce(
  request: ResourceRequest,
  result: ResultObject,
  representation: Representation,
  status: number,
): ServerResponse {
  const { served, scope } = request;
  const { transform, contentType } = representation;
  requireFittingView(transform, 'object', served);
  const headers = { 'content-type': contentType };
  const isRead = scope.info.verb === 'get';
  if (!transform) return { status, headers, body: encodeObject(served, result, representation, isRead) };
  if (transform.as === 'Table') {
    return {
      status,
      headers,
      body: runAtOnce(
        encodeTable(request, { items: [result], isSelected: true }, singleMetadata(result), representation),
      ),
    };
  }
  return {
    status,
    headers,
    body: encodeView(served, toPartialObjectMetadata(served, result, transform), representation),
  };
}

function singleMetadata(result: ResultObject): object {
  const { resourceVersion } = uncachedObjectOf(result).metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/** Returns the response with a list, in the requested view. */
export function listResponse(
  request: ResourceRequest,
  list: ObjectList,
  representation: Representation,
): MaybePromise<ServerResponse> {
  return request.scope.audit?.contents?.keepsAnswer
    ? auditedResponse(request, representation, (as) => representedList(request, list, as))
    : representedList(request, list, representation);
}

function representedList(
  request: ResourceRequest,
  list: ObjectList,
  representation: Representation,
): MaybePromise<ServerResponse> {
  const { served } = request;
  const { transform, contentType } = representation;
  requireFittingView(transform, 'list', served);
  const headers = { 'content-type': contentType };
  const steps = !transform
    ? encodeListSteps(served, list, representation)
    : transform.as === 'Table'
      ? encodeTable(request, list, listMetadata(list), representation)
      : encodeMetadataListSteps(served, list, representation, transform);
  const body = runInSlices(steps, request.ambient);
  const respond = (encoded: ResponseBody): ServerResponse => ({ status: 200, headers, body: encoded });
  return body instanceof Promise ? body.then(respond) : respond(body);
}

function* encodeTable(
  { scope, served, ambient }: ResourceRequest,
  listed: ListItems,
  metadata: object,
  representation: Representation,
): Steps<ResponseBody> {
  const { transform = TABLE } = representation;
  const include = parseIncludeObject(scope.info.query.get('includeObject'));
  const request = { transform, include, now: ambient.clock.now() };
  const head = tableHead(served, metadata, transform, false);
  const list = inRowOrder(served, listed);
  if (representation.format === 'json' && list.items.length === 0)
    return encodeText({ ...head, rows: noRows(served) } as JsonValue, representation);
  if (representation.format === 'json' && representation.pretty)
    return yield* prettyPieces(head, 'rows', list.items, (result) =>
      row(served, uncachedObjectOf(result), request),
    );
  if (representation.format !== 'json') {
    const table = yield* toTableSteps(served, list.items, metadata, request);
    return yield* encodeTextSteps(table as JsonValue, representation);
  }
  return jsonPieces(head, 'rows', yield* tableRows(served, list, request));
}

const TABLE: Transform = { as: 'Table', version: 'v1' };

function encodeView(served: ServedResource, view: object, representation: Representation): Uint8Array {
  if (representation.format === 'protobuf') return served.protobuf.encodeView(view);
  return encodeText(view as JsonValue, representation);
}

/** Returns the response with a Status of success. */
export function statusResponse(
  { scope }: ResourceRequest,
  code: number,
  status: Status,
  representation: Representation,
): ServerResponse {
  scope.audit?.contents?.answerStatus(status);
  const { transform: _, ...untransformed } = representation;
  return {
    status: code,
    headers: { 'content-type': representation.contentType },
    body: encodeStatus(status, untransformed),
  };
}
