import { type ApiObject, StatusError } from '@ashlar/core';
import type { ApiServer } from '../../../assembly/api-server.ts';
import { asApiObject, documentValue } from '../manifest-documents.ts';
import { type Answer, send } from './send.ts';

/** An object before and after an update. */
interface TriedUpdate {
  readonly admitted: ApiObject;
  readonly old: ApiObject;
}

/**
 * Stores an object, and updates it in a dry run to what a manifest says.
 * @param path of the collection
 * @throws StatusError if one of them would be rejected
 */
export async function tryUpdate(
  server: ApiServer,
  path: string,
  text: string,
  old: ApiObject,
): Promise<TriedUpdate> {
  const stored = await store(server, path, old);
  const target = `${path}/${encodeURIComponent(old.metadata.name ?? '')}`;
  const updated = await putManifest(server, target, text, stored);
  return { old: withHistory(stored, old), admitted: withHistory(updated, old) };
}

async function store(server: ApiServer, path: string, old: ApiObject): Promise<ApiObject> {
  const { resourceVersion: _, uid: __, ...metadata } = old.metadata;
  const body = JSON.stringify({ ...old, metadata });
  const target = `${path}/${encodeURIComponent(old.metadata.name ?? '')}`;
  let response = await send(server, 'POST', path, body, '');
  let result = (await response.json()) as Answer;
  // an object that every server has, such as the namespace "default"
  if (result.reason === 'AlreadyExists') {
    response = await send(server, 'PUT', target, body, '');
    result = (await response.json()) as Answer;
  }
  if (!response.ok) throw StatusError.badRequest(`the object before the update: ${result.message}`);
  return result;
}

async function putManifest(
  server: ApiServer,
  target: string,
  text: string,
  { metadata: { uid, resourceVersion } }: ApiObject,
): Promise<ApiObject> {
  const response = await send(server, 'PUT', target, text);
  const result = (await response.json()) as Answer;
  if (response.ok) return result;
  if (result.reason === 'BadRequest') throw StatusError.badRequest(result.message ?? 'bad request');
  // the manifest is of an object that has another uid and version than the one of this trial, or has to name a version
  const object = asApiObject(documentValue({ text }));
  const body = JSON.stringify({ ...object, metadata: { ...object.metadata, uid, resourceVersion } });
  const second = await send(server, 'PUT', target, body);
  const decided = (await second.json()) as Answer;
  if (!second.ok) throw StatusError.badRequest(decided.message ?? `status ${second.status}`);
  return decided;
}

/** Fields that a server has given to an object in the past: those of the trial are of no meaning. */
const HISTORY = ['uid', 'resourceVersion', 'creationTimestamp'] as const;

/** The object with the status and the history of its old state; an update changes none of them before it is stored. */
function withHistory(object: ApiObject, old: ApiObject): ApiObject {
  const metadata = { ...object.metadata };
  for (const field of HISTORY)
    if (old.metadata[field] !== undefined) Object.assign(metadata, { [field]: old.metadata[field] });
  const { status } = old as { readonly status?: unknown };
  return { ...object, ...(status !== undefined && { status }), metadata } as ApiObject;
}
