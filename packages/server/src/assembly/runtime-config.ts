import { CodedError } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';

/** What is switched on or off: `<group>/<version>`, or one resource of it as `<group>/<version>/<resource>`. */
export type RuntimeConfig = ReadonlyMap<string, boolean>;

const KEY = /^[^/=]+\/[^/=]+(\/[^/=]+)?$/;
const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Reads pairs `<key>[=<value>]` with commas between them (semantics/lifecycle#runtime-configuration-and-gates); without a value
 * something is on, and of a key that is given twice the later value holds.
 * @throws Error for a pair that is none
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

/** A type in the versions that are left or added to it; what is said of the resource counts before what is said of its version. */
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

/** Something is to be switched that there is not. */
export class RuntimeConfigError extends CodedError {
  static override readonly code: string = 'ERR_RUNTIME_CONFIG';
  override readonly name: string = 'RuntimeConfigError';
}

/**
 * @param needed what the server itself asks for, as `<group>/<version>/<resource>`
 * @throws RuntimeConfigError for a version or a resource that none of the types has, and for one that is needed and switched off
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
