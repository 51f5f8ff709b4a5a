import type { JsonValue, ServerResponse, Status } from '@ashlar/core';
import type { Answer, ListAnswer } from '@ashlar/registry';
import { encodeStatus } from './error-response.ts';
import { toPartialObjectMetadata, toPartialObjectMetadataList } from './metadata-view.ts';
import { encodeList, encodeObject, listMetadata, objectOf } from './object-encoding.ts';
import { encodeText, type Representation } from './representation.ts';
import type { RequestScope } from './request-scope.ts';
import type { ServedResource } from './served-resource.ts';
import { parseIncludeObject, toTable } from './table-view.ts';

/** Answers one object, in the view that the caller asked for. */
export function objectResponse(
  scope: RequestScope,
  served: ServedResource,
  answer: Answer,
  representation: Representation,
  { status = 200, now }: { status?: number; now: number },
): ServerResponse {
  const { transform, contentType } = representation;
  const headers = { 'content-type': contentType };
  if (!transform) return { status, headers, body: encodeObject(served, answer, representation) };
  const view =
    transform.as === 'Table'
      ? toTable(served, [answer], singleMetadata(answer), {
          transform,
          include: parseIncludeObject(scope.info.query.get('includeObject')),
          now,
        })
      : toPartialObjectMetadata(served, answer, transform);
  return { status, headers, body: encodeView(served, view, representation) };
}

function singleMetadata(answer: Answer): object {
  const { resourceVersion } = objectOf(answer).metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/** Answers a list, in the view that the caller asked for. */
export function listResponse(
  scope: RequestScope,
  served: ServedResource,
  list: ListAnswer,
  representation: Representation,
  now: number,
): ServerResponse {
  const { transform, contentType } = representation;
  const headers = { 'content-type': contentType };
  if (!transform) return { status: 200, headers, body: encodeList(served, list, representation) };
  const view =
    transform.as === 'Table'
      ? toTable(served, list.items, listMetadata(list), {
          transform,
          include: parseIncludeObject(scope.info.query.get('includeObject')),
          now,
        })
      : toPartialObjectMetadataList(served, list, transform);
  return { status: 200, headers, body: encodeView(served, view, representation) };
}

function encodeView(served: ServedResource, view: object, representation: Representation): Uint8Array {
  if (representation.format === 'protobuf') return served.protobuf.encodeView(view);
  return encodeText(view as JsonValue, representation);
}

/** Answers a Status that is no failure. */
export function statusResponse(code: number, status: Status, representation: Representation): ServerResponse {
  const { transform: _, ...plain } = representation;
  return {
    status: code,
    headers: { 'content-type': representation.contentType },
    body: encodeStatus(status, plain),
  };
}
