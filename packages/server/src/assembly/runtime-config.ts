import { apiVersionOf, CodedError } from '@ashlar/core';
import {
  applyRuntimeConfig,
  type ConfiguredVersions,
  type RuntimeConfigFlag,
  RuntimeConfigSyntaxError,
  runtimeConfigErrors,
} from '@ashlar/lifecycle';
import type { ResourceDefinition } from '@ashlar/registry';

/**
 * Versions (`apps/v1`; `/v1` of the core group), resources (`apps/v1/deployments`) and stages (`api/beta`) that are enabled or disabled.
 * `readRuntimeConfig` parses one from the text of a flag.
 */
export type RuntimeConfig = RuntimeConfigFlag;

/** Returns a definition with its versions enabled or disabled: by entries of its resource, of its versions, or of their stages. */
export function withRuntimeConfig(
  definition: ResourceDefinition,
  config: ConfiguredVersions | undefined,
): ResourceDefinition {
  if (!config) return definition;
  const { group, names, versions } = definition;
  return {
    ...definition,
    versions: versions.map((version) => ({
      ...version,
      served: config.setting(apiVersionOf({ group, version: version.name }), names.plural) ?? version.served,
    })),
  };
}

/** A runtime configuration that is invalid, names an unknown version or resource, or disables one that the server needs. */
export class RuntimeConfigError extends CodedError {
  static override readonly code: string = 'ERR_RUNTIME_CONFIG';
  override readonly name: string = 'RuntimeConfigError';
}

/**
 * Applies a runtime configuration to the served types (semantics/lifecycle#runtime-configuration-and-gates).
 *
 * @param needed resources that the server itself uses, as `<group>/<version>/<resource>`
 * @throws RuntimeConfigError for an invalid configuration, an unknown group, version or resource, and a needed resource that is disabled
 */
export function configuredVersions(
  config: RuntimeConfig,
  definitions: readonly ResourceDefinition[],
  needed: readonly string[],
): ConfiguredVersions {
  const defaults = servedByDefault(definitions);
  const [invalid] = runtimeConfigErrors(config, { defaults });
  if (invalid !== undefined) throw new RuntimeConfigError(invalid);
  const configured = applied(config, defaults);
  requireKnownResources(config, definitions);
  const off = needed.find((key) => {
    const end = key.lastIndexOf('/');
    return configured.setting(key.slice(0, end), key.slice(end + 1)) === false;
  });
  if (off !== undefined)
    throw new RuntimeConfigError(`the server itself needs ${off}, which cannot be switched off`);
  return configured;
}

function applied(config: RuntimeConfig, defaults: ReadonlyMap<string, boolean>): ConfiguredVersions {
  try {
    return applyRuntimeConfig(config, { defaults });
  } catch (error) {
    if (!RuntimeConfigSyntaxError.is(error)) throw error;
    throw new RuntimeConfigError(error.message, { cause: error });
  }
}

/** Group versions, and whether a resource of them is served without configuration. */
function servedByDefault(definitions: readonly ResourceDefinition[]): ReadonlyMap<string, boolean> {
  const defaults = new Map<string, boolean>();
  for (const { group, versions } of definitions)
    for (const { name, served } of versions) {
      const key = apiVersionOf({ group, version: name });
      defaults.set(key, served || defaults.get(key) === true);
    }
  return defaults;
}

/** The reference ignores keys of resources that it does not know; here they are mistakes. */
function requireKnownResources(config: RuntimeConfig, definitions: readonly ResourceDefinition[]): void {
  const served = new Set(
    definitions.flatMap(({ group, names, versions }) =>
      versions.map(({ name }) => `${group}/${name}/${names.plural}`),
    ),
  );
  const other = [...config.keys()].find((key) => key.split('/').length > 2 && !served.has(key));
  if (other !== undefined) throw new RuntimeConfigError(`there is no ${other} that could be switched`);
}
