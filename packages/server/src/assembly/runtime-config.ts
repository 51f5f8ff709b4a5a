import { CodedError } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';

/** Versions (`<group>/<version>`) and resources (`<group>/<version>/<resource>`) that are enabled or disabled. */
export type RuntimeConfig = ReadonlyMap<string, boolean>;

const KEY = /^[^/=]+\/[^/=]+(\/[^/=]+)?$/;
const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Parses comma-separated pairs `<key>[=<value>]` (semantics/lifecycle#runtime-configuration-and-gates). A key without a value is
 * enabled; the last value of a repeated key counts.
 * @throws Error for a malformed pair
 * @example parseRuntimeConfig('example.com/v1=false,example.com/v1/widgets').get('example.com/v1/widgets'); // true
 */
export function parseRuntimeConfig(text: string): RuntimeConfig {
  return new Map(text.split(',').map(parsePair));
}

function parsePair(pair: string): readonly [string, boolean] {
  const equals = pair.indexOf('=');
  const key = equals < 0 ? pair : pair.slice(0, equals);
  const value = equals < 0 ? true : VALUES.get(pair.slice(equals + 1));
  if (!KEY.test(key)) throw new Error(`${key} is neither <group>/<version> nor <group>/<version>/<resource>`);
  if (value === undefined) throw new Error(`the value of ${pair} is neither true nor false`);
  return [key, value];
}

/** Returns a definition with its versions enabled or disabled; an entry for the resource takes precedence over one for its version. */
export function withRuntimeConfig(
  definition: ResourceDefinition,
  config: RuntimeConfig | undefined,
): ResourceDefinition {
  if (!config) return definition;
  const { group, names, versions } = definition;
  const isServed = (name: string): boolean | undefined =>
    config.get(`${group}/${name}/${names.plural}`) ?? config.get(`${group}/${name}`);
  return {
    ...definition,
    versions: versions.map((version) => ({ ...version, served: isServed(version.name) ?? version.served })),
  };
}

/** A runtime configuration that names an unknown version or resource, or disables one that the server needs. */
export class RuntimeConfigError extends CodedError {
  static override readonly code: string = 'ERR_RUNTIME_CONFIG';
  override readonly name: string = 'RuntimeConfigError';
}

/**
 * Checks a runtime configuration against the served types.
 *
 * @param needed resources that the server itself uses, as `<group>/<version>/<resource>`
 * @throws RuntimeConfigError for an unknown version or resource, and for a needed resource that is disabled
 */
export function checkRuntimeConfig(
  config: RuntimeConfig,
  definitions: readonly ResourceDefinition[],
  needed: readonly string[],
): void {
  const known = new Set(
    definitions.flatMap(({ group, names, versions }) =>
      versions.flatMap(({ name }) => [`${group}/${name}`, `${group}/${name}/${names.plural}`]),
    ),
  );
  const other = [...config.keys()].find((key) => !known.has(key));
  if (other !== undefined) throw new RuntimeConfigError(`there is no ${other} that could be switched`);
  const off = needed.find(
    (key) => (config.get(key) ?? config.get(key.slice(0, key.lastIndexOf('/')))) === false,
  );
  if (off !== undefined)
    throw new RuntimeConfigError(`the server itself needs ${off}, which cannot be switched off`);
}
