import { resolve } from 'node:path';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import type { Listener } from '@ashlar/http-node';
import { DEFAULT_PORT } from './serve/serve-listeners.ts';
import type { ServerIdentity } from './storage/server-identity.ts';
import type { StateFolder } from './storage/state-folder.ts';
import { type StorageLocation, storageLocationText } from './storage/storage-location.ts';

/** What a person must know about a server that has begun to serve. */
export interface Greeting {
  readonly vocabulary: Vocabulary;
  readonly storage: StorageLocation;
  readonly listeners: readonly Listener[];
  /** Whether a port was asked for. */
  readonly portGiven: boolean;
  /** What the server made for itself, and where it lies; absent where it was given certificates or tokens. */
  readonly own: { readonly folder: StateFolder; readonly identity: ServerIdentity } | undefined;
}

/** Five lines: address, storage, vocabulary, how to reach it, how to stop it. */
export function greetingText({ vocabulary, storage, listeners, portGiven, own }: Greeting): string {
  const [secure, socket] = listeners;
  const url = secure?.url ?? '';
  const moved = !portGiven && !url.endsWith(`:${DEFAULT_PORT}`) ? ` (${DEFAULT_PORT} is taken)` : '';
  const hint =
    vocabulary === orchVocabulary ? ` (kubectl needs --vocabulary ${kubernetesVocabulary.name})` : '';
  const lines = [
    `serving     ${url}${socket ? ` and ${socket.url}` : ''}${moved}`,
    `storage     ${storageLocationText(storage)}`,
    `vocabulary  ${vocabulary.name}${hint}`,
    `reach it    ${own ? waysIn(url, own.folder, own.identity) : 'with the certificates and tokens that it was given'}`,
    'stop it     Ctrl-C',
  ];
  return `${lines.join('\n')}\n`;
}

/** Commands for any folder of this machine. */
function waysIn(url: string, folder: StateFolder, identity: ServerIdentity): string {
  const word = (path: string): string => shellWord(resolve(path));
  const configuration = word(folder.writeClientConfiguration(url, identity));
  const token = `$(cat ${word(folder.file('admin.token'))})`;
  return `export KUBECONFIG=${configuration}  or  curl --cacert ${word(folder.file('ca.crt'))} -H "Authorization: Bearer ${token}" ${url}/api/v1/namespaces`;
}

/** The text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
