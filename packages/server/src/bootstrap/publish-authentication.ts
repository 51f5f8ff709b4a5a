import { type ApiObject, StatusError, systemNamespace } from '@ashlar/core';
import type { ApiServer } from '../assembly/api-server.ts';
import { pemTexts } from '../certificates/pem-texts.ts';

/** How a server recognises callers by certificates. */
export interface ClientAuthentication {
  /** CAs of client certificates, PEM. */
  readonly clientCertificateAuthority?: string;
  /** An authenticating proxy in front of the server. */
  readonly requestHeader?: {
    /** CAs of the proxy's certificate, PEM. */
    readonly certificateAuthority: string;
    readonly allowedNames: readonly string[];
    readonly usernameHeaders: readonly string[];
    readonly groupHeaders: readonly string[];
    readonly extraHeaderPrefixes: readonly string[];
  };
}

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const NAME = 'extension-apiserver-authentication';

/**
 * Publishes in a config map of the system namespace how callers are recognised, so that aggregated servers can do the same; what other servers
 * have published stays (semantics/lifecycle#objects-at-start). Without certificate authorities nothing is published.
 */
export async function publishAuthentication(
  { client, vocabulary }: Pick<ApiServer, 'client' | 'vocabulary'>,
  authentication: ClientAuthentication,
): Promise<void> {
  const own = dataOf(authentication);
  if (Object.keys(own).length === 0) return;
  const maps = client
    .resource<ConfigMap>({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
    .namespace(systemNamespace(vocabulary, 'system'));
  for (;;) {
    try {
      const stored = (await maps.list({ fieldSelector: `metadata.name=${NAME}` })).items[0];
      if (!stored) await maps.create({ metadata: { name: NAME }, data: own });
      else await maps.update({ ...stored, data: merged(stored.data ?? {}, own) });
      return;
    } catch (error) {
      // another server was faster
      if (!StatusError.is(error, 'Conflict') && !StatusError.is(error, 'AlreadyExists')) throw error;
    }
  }
}

function dataOf({ clientCertificateAuthority, requestHeader }: ClientAuthentication): Record<string, string> {
  return {
    ...(clientCertificateAuthority !== undefined && { 'client-ca-file': clientCertificateAuthority }),
    ...(requestHeader && {
      'requestheader-allowed-names': JSON.stringify(requestHeader.allowedNames),
      'requestheader-client-ca-file': requestHeader.certificateAuthority,
      'requestheader-extra-headers-prefix': JSON.stringify(requestHeader.extraHeaderPrefixes),
      'requestheader-group-headers': JSON.stringify(requestHeader.groupHeaders),
      'requestheader-username-headers': JSON.stringify(requestHeader.usernameHeaders),
    }),
  };
}

function merged(
  stored: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const all = { ...stored };
  for (const [name, text] of Object.entries(own)) {
    const before = stored[name];
    if (before === undefined) all[name] = text;
    else all[name] = name.endsWith('-ca-file') ? mergedPem(before, text) : mergedList(before, text);
  }
  return all;
}

function mergedPem(before: string, own: string): string {
  const certificates = pemTexts(own).filter(({ type }) => type === 'CERTIFICATE');
  const missing = certificates.map(({ text }) => text).filter((text) => !before.includes(text));
  return missing.length === 0 ? before : `${[before.trimEnd(), ...missing].join('\n')}\n`;
}

/** A malformed list is replaced. */
function mergedList(before: string, own: string): string {
  const names = JSON.parse(own) as readonly string[];
  try {
    const published: unknown = JSON.parse(before);
    return JSON.stringify(Array.isArray(published) ? [...new Set([...published, ...names])] : names);
  } catch {
    return own;
  }
}
