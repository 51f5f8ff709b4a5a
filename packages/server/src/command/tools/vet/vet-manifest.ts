import { DecodeError } from '@ashlar/codec';
import { type ApiObject, errorMessage, StatusError } from '@ashlar/core';
import type { ApiServer } from '../../../assembly/api-server.ts';
import { asApiObject, documentValue, type ManifestDocument } from '../manifest-documents.ts';
import { lineOfError } from '../manifests/document-text.ts';
import { findKind } from './find-kind.ts';
import { OldObjects } from './old-objects.ts';
import { type Answer, send } from './send.ts';
import { tryUpdate } from './try-update.ts';

/** The result of checking a document: the object that would be stored, or why it would be rejected. */
export type ManifestVerdict =
  | {
      readonly ok: true;
      readonly object: string;
      /** As a server would store it. */
      readonly admitted: ApiObject;
      /** As it is stored before an update; absent for a creation. */
      readonly old?: ApiObject;
      /** Plural of its kind. */
      readonly resource: string;
    }
  | {
      readonly ok: false;
      readonly message: string;
      /** Line of the file that the message is about, where it is known. */
      readonly line?: number;
    };

/**
 * Checks whether a server would store the object of a document, by a dry run with strict field validation: create it, if the server is
 * empty, or update it, if there is an object of its name before. The namespace of the object is created first.
 */
export async function vetManifest(
  server: ApiServer,
  document: ManifestDocument,
  olds: OldObjects = OldObjects.none,
): Promise<ManifestVerdict> {
  try {
    await using fork = server.fork();
    await fork.ready;
    const object = asApiObject(documentValue(document));
    const path = await collectionPath(fork, object);
    const name = nameOf(object);
    const resource = path.slice(path.lastIndexOf('/') + 1);
    const old = olds.of(object);
    if (old)
      return { ok: true, object: name, resource, ...(await tryUpdate(fork, path, document.text, old)) };
    const response = await send(fork, 'POST', path, document.text);
    const result = (await response.json()) as Answer;
    if (!response.ok && result.reason !== 'AlreadyExists')
      return { ok: false, message: result.message ?? `status ${response.status}` };
    return { ok: true, object: name, admitted: response.ok ? result : object, resource };
  } catch (error) {
    const message = errorMessage(error);
    const line = DecodeError.is(error) ? lineOfError(document, message) : undefined;
    return { ok: false, message, ...(line !== undefined && { line }) };
  }
}

const nameOf = ({ kind, metadata: { name, generateName } }: ApiObject): string =>
  `${kind} ${JSON.stringify(name ?? `${generateName}*`)}`;

/** Returns the path of the object's collection. @throws StatusError for an unknown kind */
async function collectionPath(server: ApiServer, object: ApiObject): Promise<string> {
  const served = findKind(server.catalog, object);
  const { apiVersion, kind } = object;
  if (!served) throw StatusError.badRequest(`unknown kind ${kind} in ${apiVersion}`);
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { plural } = served.definition.names;
  if (!served.namespaced) return `${root}/${plural}`;
  const namespace = object.metadata.namespace ?? 'default';
  await send(server, 'POST', '/api/v1/namespaces', namespaceManifest(namespace), '');
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

const namespaceManifest = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
