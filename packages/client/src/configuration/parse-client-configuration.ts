import { DecodeError, decodeYaml } from '@ashlar/codec';
import { actualValueText } from '@ashlar/core';
import {
  type ClientConfiguration,
  ClientConfigurationError,
  type ConfigurationEntry,
} from './client-configuration.ts';
import { readConfigurationFields } from './configuration-schema.ts';

/**
 * Parses a client configuration file in YAML or JSON (semantics/access#client-configuration). Unknown fields
 * are ignored; an empty file is an empty configuration.
 *
 * @param origin the file, for errors and for relative paths
 * @throws ClientConfigurationError `config: users[0].user.token: expected string, received number`
 * @example
 * const { contexts } = parseClientConfiguration(new TextEncoder().encode('contexts: [{name: home}]'));
 * [...contexts.keys()]; // ['home']
 */
export function parseClientConfiguration(bytes: Uint8Array, origin?: string): ClientConfiguration {
  if (!(bytes instanceof Uint8Array))
    throw new TypeError(
      `parseClientConfiguration takes the bytes of a file, such as those of readFile(path), not ${actualValueText(bytes)}`,
    );
  const fail = (fault: string): never => {
    throw new ClientConfigurationError(origin === undefined ? fault : `${origin}: ${fault}`);
  };
  const fields = readConfigurationFields(readYaml(bytes, fail));
  if ('fault' in fields) return fail(fields.fault);
  const { apiVersion = 'v1', kind = 'Config' } = fields;
  if (apiVersion !== 'v1' || kind !== 'Config')
    fail('expected kind Config of apiVersion v1, received another one');
  const clusters = fields.clusters.map(({ name, cluster: entry }) => ({ name, entry }));
  const users = fields.users.map(({ name, user: entry }) => ({ name, entry }));
  const contexts = fields.contexts.map(({ name, context: entry }) => ({ name, entry }));
  return {
    currentContext: fields['current-context'],
    clusters: entriesByName('clusters', clusters, origin, fail),
    users: entriesByName('users', users, origin, fail),
    contexts: entriesByName('contexts', contexts, origin, fail),
  };
}

type Fail = (fault: string) => never;

function readYaml(bytes: Uint8Array, fail: Fail): unknown {
  try {
    return decodeYaml(bytes).value;
  } catch (error) {
    if (DecodeError.is(error)) return fail(withoutQuotes(error.message));
    throw error;
  }
}

/** The message of the decoder without the quoted text, which may be a credential. */
function withoutQuotes(message: string): string {
  const [unquoted = ''] = /^(?:yaml: )?(?:line \d+: )?[a-z][a-z ,-]*/.exec(message) ?? [];
  return unquoted.trim() || 'it is not YAML';
}

function entriesByName<Entry extends ConfigurationEntry>(
  part: string,
  named: readonly { readonly name: string; readonly entry: Omit<Entry, 'origin'> }[],
  origin: string | undefined,
  fail: Fail,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [i, { name, entry }] of named.entries()) {
    if (entries.has(name)) fail(`${part}[${i}].name: ${JSON.stringify(name)} stands there already`);
    entries.set(name, { ...entry, origin } as Entry);
  }
  return entries;
}
