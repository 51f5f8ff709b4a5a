import { resolve } from 'node:path';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import type { Listener } from '@ashlar/http-node';
import { DEFAULT_PORT } from './serve/serve-listeners.ts';
import type { ServerIdentity } from './storage/server-identity.ts';
import type { StateFolder } from './storage/state-folder.ts';
import { type StorageLocation, storageLocationText } from './storage/storage-location.ts';

/** Facts about a started server that its greeting shows. */
export interface Greeting {
  readonly vocabulary: Vocabulary;
  readonly storage: StorageLocation;
  readonly listeners: readonly Listener[];
  /** Whether a port was given. */
  readonly isPortSet: boolean;
  /** The generated identity and its folder; undefined if certificates or tokens were given. */
  readonly own: { readonly folder: StateFolder; readonly identity: ServerIdentity } | undefined;
}

/** Returns five lines: address, storage, vocabulary, how to connect, how to stop the server. */
export function greetingText({ vocabulary, storage, listeners, isPortSet, own }: Greeting): string {
  const [secure, socket] = listeners;
  const url = secure?.url ?? '';
  const moved = !isPortSet && !url.endsWith(`:${DEFAULT_PORT}`) ? ` (${DEFAULT_PORT} is in use)` : '';
  const hint =
    vocabulary === orchVocabulary ? ` (kubectl needs --vocabulary ${kubernetesVocabulary.name})` : '';
  const lines = [
    `serving     ${url}${socket ? ` and ${socket.url}` : ''}${moved}`,
    `storage     ${storageLocationText(storage)}`,
    `vocabulary  ${vocabulary.name}${hint}`,
    `connect     ${own ? connectCommands(url, own.folder, own.identity) : 'with the given certificates and tokens'}`,
    'stop        Ctrl-C',
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns shell commands that work in any folder of this machine. */
function connectCommands(url: string, folder: StateFolder, identity: ServerIdentity): string {
  const word = (path: string): string => shellWord(resolve(path));
  const configuration = word(folder.writeClientConfiguration(url, identity));
  const token = `$(cat ${word(folder.file('admin.token'))})`;
  return `export KUBECONFIG=${configuration}  or  curl --cacert ${word(folder.file('ca.crt'))} -H "Authorization: Bearer ${token}" ${url}/api/v1/namespaces`;
}

/** Quotes a text as one argument of a shell. */
const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
