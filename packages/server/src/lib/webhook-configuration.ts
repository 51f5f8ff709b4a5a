import { dirname, resolve } from 'node:path';
import { DecodeError, decodeYaml } from '@ashlar/codec';
import { decodeBase64, isJsonArray, isJsonObject, type JsonObject, type TransportTls } from '@ashlar/core';
import { readTextFile } from './read-text-file.ts';
import { UsageError } from './usage-error.ts';

/** Where a webhook is, and how the server shows itself to it. */
export interface WebhookConnection {
  readonly url: string;
  readonly tls: TransportTls;
  readonly token?: string;
}

const CLUSTER = [
  'server',
  'certificate-authority',
  'certificate-authority-data',
  'insecure-skip-tls-verify',
  'tls-server-name',
];
const USER = [
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'client-key-data',
  'token',
  'tokenFile',
];

/**
 * Reads a client configuration file that names a webhook (specification 2, "Webhook contract for token authentication"; semantics K14):
 * the cluster and the user of its current context. Paths are relative to the file.
 *
 * @throws UsageError that names the flag and the file; for what this server cannot do as such a client, too
 */
export function readWebhookConfiguration(flag: string, file: string): WebhookConnection {
  const text = readTextFile(flag, file);
  try {
    return connectionOf(decodeYaml(new TextEncoder().encode(text)).value as JsonObject, (path) =>
      readTextFile(flag, resolve(dirname(file), path)),
    );
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof DecodeError)
      throw new UsageError(`flag --${flag}: ${file}: ${error.message}`);
    throw error;
  }
}

class ConfigurationError extends Error {}

type Read = (path: string) => string;

function connectionOf(configuration: JsonObject, read: Read): WebhookConnection {
  if (!isJsonObject(configuration)) throw new ConfigurationError('it is no object');
  const context = entry(configuration, 'context', configuration['current-context']);
  const cluster = entry(configuration, 'cluster', context.cluster);
  const user = context.user === undefined ? {} : entry(configuration, 'user', context.user);
  refuseOthers('cluster', cluster, CLUSTER);
  refuseOthers('user', user, USER);
  const url = text(cluster, 'server');
  if (url === undefined || !URL.canParse(url))
    throw new ConfigurationError('the server of its cluster is no URL');
  const token = tokenOf(user, read);
  return { url, tls: tlsOf(cluster, user, read), ...(token !== undefined && { token }) };
}

/** The entry of a name in one of the three lists. */
function entry(configuration: JsonObject, kind: 'context' | 'cluster' | 'user', name: unknown): JsonObject {
  const list = configuration[`${kind}s`];
  const found = isJsonArray(list) ? list.find((each) => isJsonObject(each) && each.name === name) : undefined;
  const content = isJsonObject(found) ? found[kind] : undefined;
  if (typeof name !== 'string' || !isJsonObject(content))
    throw new ConfigurationError(`its current context leads to no ${kind}`);
  return content;
}

function refuseOthers(kind: string, content: JsonObject, known: readonly string[]): void {
  const other = Object.keys(content).find((key) => !known.includes(key));
  if (other !== undefined)
    throw new ConfigurationError(`this server does not know ${other} of a ${kind} that is a webhook's`);
}

function text(content: JsonObject, key: string): string | undefined {
  const value = content[key];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new ConfigurationError(`its ${key} is no string`);
  return value;
}

/** Data win over a file. */
function dataOrFile(content: JsonObject, key: string, read: Read): string | undefined {
  const data = text(content, `${key}-data`);
  const file = text(content, key);
  if (data === undefined) return file === undefined ? undefined : read(file);
  try {
    return new TextDecoder().decode(decodeBase64(data));
  } catch {
    throw new ConfigurationError(`its ${key}-data are not base64`);
  }
}

function tokenOf(user: JsonObject, read: Read): string | undefined {
  const file = text(user, 'tokenFile');
  return file === undefined ? text(user, 'token') : read(file).trim();
}

function tlsOf(cluster: JsonObject, user: JsonObject, read: Read): TransportTls {
  const certificateAuthorities = dataOrFile(cluster, 'certificate-authority', read);
  const certificate = dataOrFile(user, 'client-certificate', read);
  const key = dataOrFile(user, 'client-key', read);
  const serverName = text(cluster, 'tls-server-name');
  if ((certificate === undefined) !== (key === undefined))
    throw new ConfigurationError('its user has a certificate without a key, or a key without a certificate');
  return {
    ...(certificateAuthorities !== undefined && { certificateAuthorities }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { serverName }),
    ...(cluster['insecure-skip-tls-verify'] === true && { insecure: true }),
  };
}
