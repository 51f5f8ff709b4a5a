import { resolve } from 'node:path';
import type { Authenticator, Authorizer, Vocabulary } from '@ashlar/core';
import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { type Listener, type ListenOptions, listen, nodeAmbient } from '@ashlar/http-node';
import type { KeyValueStore } from '@ashlar/storage';
import { createMemoryStore } from '@ashlar/storage';
import type { CommandSurroundings } from './command.ts';
import { type ApiServer, createApiServer } from './create-api-server.ts';
import { readTextFile } from './read-text-file.ts';
import { authenticatorOf, authorizerOf } from './serve-access.ts';
import type { ServeFlags } from './serve-flags.ts';
import { type ServerIdentity, StateFolder } from './state-folder.ts';
import { UsageError } from './usage-error.ts';
import { requireVocabulary } from './vocabulary-marker.ts';
import { watchCertificateFiles } from './watch-certificate-files.ts';

const FOLDER = '.ashlar';
const DEFAULT_PORT = 6443;
/** Ports tried behind the default one before giving up. */
const PORTS = 100;

/**
 * `ashlar serve`: a durable server with HTTPS until the signal, and what a person must know to reach it.
 * @throws UsageError
 */
export async function serve(flags: ServeFlags, surroundings: CommandSurroundings): Promise<void> {
  const vocabulary = flags.vocabulary ?? orchVocabulary;
  const folder = new StateFolder(FOLDER);
  if (needsFolder(flags)) folder.open();
  const identity = ownsIdentity(flags) ? await folder.identity(nodeAmbient(vocabulary).random) : undefined;
  const storage = await openStorage(flags, folder, vocabulary);
  const server = await startServer(flags, vocabulary, storage, identity, surroundings);
  const stopping = new AbortController();
  server.health.add({ name: 'shutdown', check: () => stopping.signal.throwIfAborted() }, ['readyz']);
  const listeners = await openListeners(flags, server, identity, surroundings);
  const rereading = watchCertificateFiles(flags, listeners[0] as Listener, surroundings.stderr);
  surroundings.stdout(greeting(flags, vocabulary, listeners, identity && folder, identity));
  await aborted(surroundings.signal);
  stopping.abort(new Error('the server is shutting down'));
  await delay(flags['shutdown-delay-duration'] ?? 0);
  rereading[Symbol.dispose]();
  await Promise.all(listeners.map((listener) => listener.close()));
  await server.close();
}

const needsFolder = (flags: ServeFlags): boolean => ownsIdentity(flags) || flags.storage === undefined;

/** A server that is given a certificate or tokens is told who it is; one that is given neither makes its own. */
const ownsIdentity = (flags: ServeFlags): boolean =>
  flags['tls-cert-file'] === undefined &&
  flags['token-auth-file'] === undefined &&
  flags['client-ca-file'] === undefined;

async function openStorage(
  flags: ServeFlags,
  folder: StateFolder,
  vocabulary: Vocabulary,
): Promise<KeyValueStore> {
  const { clock } = nodeAmbient(vocabulary);
  if (flags.storage?.engine === 'memory') return createMemoryStore({ clock });
  const file = flags.storage?.file ?? folder.file('state.db');
  const { createSqliteStore } = await import('@ashlar/storage-sqlite');
  try {
    const store = await createSqliteStore({ file, clock });
    await requireVocabulary(store, vocabulary, file);
    return store;
  } catch (error) {
    throw error instanceof UsageError
      ? error
      : new UsageError(`flag --storage: ${error instanceof Error ? error.message : error}`);
  }
}

async function startServer(
  flags: ServeFlags,
  vocabulary: Vocabulary,
  storage: KeyValueStore,
  identity: ServerIdentity | undefined,
  { stderr }: CommandSurroundings,
): Promise<ApiServer> {
  const authenticator: Authenticator = authenticatorOf(
    flags,
    nodeAmbient(vocabulary),
    identity?.token,
    stderr,
  );
  const authorizer: Authorizer = authorizerOf(flags);
  const ttl = flags['event-ttl'];
  const timeout = flags['request-timeout'];
  const server = createApiServer({
    vocabulary,
    storage,
    authenticator,
    authorizer,
    limits: limitsOf(flags),
    ...(ttl !== undefined && { eventTtlSeconds: Math.ceil(ttl / 1000) }),
    ...(timeout && { requestTimeoutMilliseconds: timeout }),
    onError: (error) =>
      stderr(`ashlar: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`),
  });
  await server.ready;
  return server;
}

function limitsOf(flags: ServeFlags): { readOnly?: number; mutating?: number } {
  const readOnly = flags['max-requests-inflight'];
  const mutating = flags['max-mutating-requests-inflight'];
  return { ...(readOnly !== undefined && { readOnly }), ...(mutating !== undefined && { mutating }) };
}

async function openListeners(
  flags: ServeFlags,
  server: ApiServer,
  identity: ServerIdentity | undefined,
  { stderr }: CommandSurroundings,
): Promise<Listener[]> {
  const onError = (error: unknown): void =>
    stderr(`ashlar: ${error instanceof Error ? error.message : error}\n`);
  const options = { host: flags['bind-address'] ?? '127.0.0.1', tls: tlsOf(flags, identity), onError };
  const secure = await listenFrom(server, options, flags['secure-port']);
  const path = flags['http-socket'];
  if (path === undefined) return [secure];
  try {
    return [secure, await listen(server.handler, { path, onError })];
  } catch (error) {
    throw new UsageError(`flag --http-socket: ${error instanceof Error ? error.message : error}`);
  }
}

/** Without a port of its own the server takes the default one, or the next that is free. */
async function listenFrom(
  server: ApiServer,
  options: ListenOptions,
  port: number | undefined,
): Promise<Listener> {
  for (let next = port ?? DEFAULT_PORT; ; next++) {
    try {
      return await listen(server.handler, { ...options, port: next });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const last = port !== undefined || next === DEFAULT_PORT + PORTS;
      if (code !== 'EADDRINUSE' || last)
        throw new UsageError(
          `flag --secure-port: cannot listen on ${options.host}:${next} (${code ?? error})`,
        );
    }
  }
}

function tlsOf(flags: ServeFlags, identity: ServerIdentity | undefined): NonNullable<ListenOptions['tls']> {
  const certificateFile = flags['tls-cert-file'];
  const keyFile = flags['tls-private-key-file'];
  const authorities = flags['client-ca-file'];
  const clients =
    authorities === undefined
      ? {}
      : { clientCertificateAuthorities: readTextFile('client-ca-file', authorities) };
  if (certificateFile === undefined && keyFile === undefined && identity) {
    return { certificate: identity.certificate, key: identity.key, ...clients };
  }
  if (certificateFile === undefined)
    throw new UsageError(
      'flag --tls-cert-file is needed with --tls-private-key-file, --token-auth-file or --client-ca-file',
    );
  if (keyFile === undefined)
    throw new UsageError('flag --tls-private-key-file is needed with --tls-cert-file');
  return {
    certificate: readTextFile('tls-cert-file', certificateFile),
    key: readTextFile('tls-private-key-file', keyFile),
    ...clients,
  };
}

function greeting(
  flags: ServeFlags,
  vocabulary: Vocabulary,
  listeners: readonly Listener[],
  folder: StateFolder | undefined,
  identity: ServerIdentity | undefined,
): string {
  const [secure, socket] = listeners;
  const url = secure?.url ?? '';
  const storage =
    flags.storage?.engine === 'memory' ? 'memory' : `sqlite:${flags.storage?.file ?? `${FOLDER}/state.db`}`;
  const moved =
    flags['secure-port'] === undefined && !url.endsWith(`:${DEFAULT_PORT}`)
      ? ` (${DEFAULT_PORT} is taken)`
      : '';
  const hint =
    vocabulary === orchVocabulary ? ` (kubectl needs --vocabulary ${kubernetesVocabulary.name})` : '';
  const lines = [
    `serving     ${url}${socket ? ` and ${socket.url}` : ''}${moved}`,
    `storage     ${storage}`,
    `vocabulary  ${vocabulary.name}${hint}`,
    `reach it    ${folder && identity ? waysIn(url, folder, identity) : 'with the certificates and tokens that it was given'}`,
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
