import { decodeYaml, encodeJsonText } from '@ashlar/codec';
import { encodeBase64, type JsonValue, millisecondsOf, parseTime, type Vocabulary } from '@ashlar/core';
import * as z from 'zod/mini';
import type { ClusterEntry } from '../configuration/client-configuration.ts';
import { text } from '../configuration/text-schema.ts';
import { bearerAuthorization, type Credentials } from './credentials.ts';
import { type ExecPlugin, execGroup } from './exec-plugin.ts';

// The object `ExecCredential`: the input and output of a plugin (semantics/access#client-configuration).

const KIND = 'ExecCredential';

/**
 * The cluster that a plugin gets if `provideClusterInfo` is set; the `extension` of this name is its
 * `config`.
 */
export function execCluster(
  cluster: ClusterEntry,
  certificateAuthorities: string | undefined,
  vocabulary: Vocabulary,
): Readonly<Record<string, JsonValue>> {
  const { server = '', 'tls-server-name': serverName, 'proxy-url': proxy, extensions } = cluster;
  const name = `${execGroup(vocabulary)}/exec`;
  const config = (extensions.find((each) => each.name === name)?.extension ?? null) as JsonValue;
  const authority = certificateAuthorities && encodeBase64(new TextEncoder().encode(certificateAuthorities));
  return {
    server,
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
    ...(cluster['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
    ...(authority && { 'certificate-authority-data': authority }),
    ...(proxy !== undefined && { 'proxy-url': proxy }),
    ...(cluster['disable-compression'] && { 'disable-compression': true }),
    config,
  };
}

/** The content of the variable that a plugin reads. */
export function execInfo(
  { apiVersion }: ExecPlugin,
  interactive: boolean,
  cluster: Readonly<Record<string, JsonValue>> | undefined,
): string {
  return encodeJsonText({ kind: KIND, apiVersion, spec: { ...(cluster && { cluster }), interactive } });
}

/**
 * Credentials of a plugin and their expiry: milliseconds since 1970, or undefined until a server rejects
 * them.
 */
export interface ExpiringCredentials {
  readonly credentials: Credentials;
  readonly expires: number | undefined;
}

const response = z.object({
  kind: text,
  apiVersion: text,
  status: z.nullish(
    z.object({ token: text, clientCertificateData: text, clientKeyData: text, expirationTimestamp: text }),
  ),
});

/**
 * Parses the output of a plugin.
 * @throws Error that names the problem without quoting the output
 */
export function readExecCredential(printed: Uint8Array, { apiVersion }: ExecPlugin): ExpiringCredentials {
  const { data } = response.safeParse(yamlOf(printed));
  if (data?.kind !== KIND || data.apiVersion !== apiVersion)
    throw new Error(`it did not print an ${KIND} of ${apiVersion}`);
  if (!data.status) throw new Error('it printed no status');
  const { expirationTimestamp: time } = data.status;
  return {
    credentials: credentialsOf(data.status),
    expires: time === undefined ? undefined : momentOf(time),
  };
}

function yamlOf(printed: Uint8Array): unknown {
  try {
    return decodeYaml(printed).value;
  } catch {
    return undefined;
  }
}

function credentialsOf({
  token,
  clientCertificateData: certificate,
  clientKeyData: key,
}: NonNullable<z.output<typeof response>['status']>): Credentials {
  if (token === undefined && certificate === undefined && key === undefined)
    throw new Error('it gave neither a token nor a certificate with its key');
  if ((certificate === undefined) !== (key === undefined))
    throw new Error('it gave a certificate without a key, or a key without a certificate');
  return {
    ...(token !== undefined && { authorization: bearerAuthorization(token) }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
  };
}

function momentOf(time: string): number {
  try {
    return millisecondsOf(parseTime(time));
  } catch {
    throw new Error('its expirationTimestamp is not an RFC 3339 time');
  }
}
