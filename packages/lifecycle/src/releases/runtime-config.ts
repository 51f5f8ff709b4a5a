import { CodedError, goQuote } from '@ashlar/core';

/** The value of `--runtime-config`: values by key, unparsed if they come from a flag; empty for a key without one. */
export type RuntimeConfigFlag = ReadonlyMap<string, string | boolean>;

/** The APIs to which a runtime configuration applies. */
export interface ConfiguredApis {
  /** Group versions (`apps/v1`; of the core group `v1`), and whether they are enabled without configuration. */
  readonly defaults: ReadonlyMap<string, boolean>;
  /** Group versions that are known besides: they are not served, but may be named. */
  readonly known?: Iterable<string>;
  /** Groups that other parts of the server serve: their keys are valid, and ignored here. */
  readonly otherGroups?: readonly string[];
}

/** What a server serves by its runtime configuration. */
export interface ConfiguredVersions {
  readonly versions: ReadonlyMap<string, boolean>;
  /** Whether the configuration enables or disables a resource, itself or with its version; undefined if it names neither. */
  setting(groupVersion: string, resource: string): boolean | undefined;
  /** Whether a resource is enabled: by its own entry, or else by that of its version. */
  isEnabled(groupVersion: string, resource: string): boolean;
}

/** An invalid runtime configuration; the messages are those of the reference. */
export class RuntimeConfigSyntaxError extends CodedError {
  static override readonly code: string = 'ERR_RUNTIME_CONFIG_SYNTAX';
  override readonly name: string = 'RuntimeConfigSyntaxError';
}

const ALL = 'api/all';
/** Keys of all versions of a stage, in the order in which they apply. */
const STAGES: ReadonlyMap<string, RegExp> = new Map([
  [ALL, /(?:)/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
]);

/** Parses comma-separated pairs `key[=value]`; the last value of a repeated key counts. */
export function readRuntimeConfig(text: string): RuntimeConfigFlag {
  const flag = new Map<string, string>();
  for (const pair of text.split(',')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    flag.set(key.trim(), equals < 0 ? '' : pair.slice(equals + 1).trim());
  }
  return flag;
}

/**
 * Returns the errors of a runtime configuration: keys of another form and unknown groups
 * (semantics/lifecycle#runtime-configuration-and-gates).
 */
export function runtimeConfigErrors(flag: RuntimeConfigFlag, apis: ConfiguredApis): readonly string[] {
  if (flag.size === 1 && textOf(flag, ALL) === 'false') return [`invalid key with only ${ALL}=false`];
  const groups = new Set<string>();
  for (const key of flag.keys()) {
    if (STAGES.has(key)) continue;
    const parts = key.split('/');
    if (parts.length !== 2 && parts.length !== 3) return [`runtime-config invalid key ${key}`];
    groups.add(parts[0] as string);
  }
  const knownGroups = groupsOf(apis);
  for (const group of apis.otherGroups ?? []) knownGroups.add(group);
  const unknown = [...groups].filter((group) => !knownGroups.has(group)).sort();
  return unknown.length === 0 ? [] : [`unknown api groups ${unknown.join(',')}`];
}

/**
 * Applies a runtime configuration: stages first, then versions, then resources. Keys of unknown groups are ignored.
 * @throws RuntimeConfigSyntaxError for a value that is no boolean, an unknown version of a known group, and an invalid resource
 */
export function applyRuntimeConfig(flag: RuntimeConfigFlag, apis: ConfiguredApis): ConfiguredVersions {
  const set = stageSettings(flag, apis.defaults.keys());
  const { ofVersions, ofResources } = readPreferences(flag, apis);
  for (const [version, enabled] of ofVersions) set.set(version, enabled);
  const versions = new Map([...apis.defaults, ...set]);
  const setting = (groupVersion: string, resource: string): boolean | undefined =>
    ofResources.get(`${groupVersion}/${resource}`) ?? set.get(groupVersion);
  return {
    versions,
    setting,
    isEnabled: (groupVersion, resource) =>
      setting(groupVersion, resource) ?? versions.get(groupVersion) ?? false,
  };
}

const textOf = (flag: RuntimeConfigFlag, key: string): string | undefined => {
  const value = flag.get(key);
  return value === undefined ? undefined : String(value);
};

function stageSettings(flag: RuntimeConfigFlag, versions: Iterable<string>): Map<string, boolean> {
  const [set, all] = [new Map<string, boolean>(), [...versions]];
  for (const [key, stage] of STAGES) {
    const value = textOf(flag, key);
    if (value === undefined) continue;
    if (value !== 'true' && value !== 'false')
      throw new RuntimeConfigSyntaxError(`invalid value ${key}=${value}`);
    for (const version of all)
      if (stage.test(version.slice(version.indexOf('/') + 1))) set.set(version, value === 'true');
  }
  return set;
}

interface Preferences {
  readonly ofVersions: ReadonlyMap<string, boolean>;
  readonly ofResources: ReadonlyMap<string, boolean>;
}

function readPreferences(flag: RuntimeConfigFlag, apis: ConfiguredApis): Preferences {
  const groups = groupsOf(apis);
  const registered = new Set([...apis.defaults.keys(), ...(apis.known ?? [])]);
  const ofVersions = new Map<string, boolean>();
  const ofResources = new Map<string, boolean>();
  for (const key of [...flag.keys()].sort()) {
    const [group = '', version, resource, ...more] = key.split('/');
    if (STAGES.has(key) || version === undefined || more.length > 0 || !groups.has(group)) continue;
    const groupVersion = group === '' ? version : `${group}/${version}`;
    if (!registered.has(groupVersion))
      throw new RuntimeConfigSyntaxError(`group version ${groupVersion} that has not been registered`);
    const enabled = readBoolean(key, textOf(flag, key) ?? '');
    if (resource === undefined) ofVersions.set(groupVersion, enabled);
    else if (resource === resource.toLowerCase()) ofResources.set(`${groupVersion}/${resource}`, enabled);
    else
      throw new RuntimeConfigSyntaxError(
        `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${goQuote(resource)}`,
      );
  }
  return { ofVersions, ofResources };
}

const groupsOf = ({ defaults, known = [] }: ConfiguredApis): Set<string> =>
  new Set(
    [...defaults.keys(), ...known].map((version) => version.slice(0, Math.max(0, version.indexOf('/')))),
  );

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['', '1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

function readBoolean(key: string, text: string): boolean {
  const value = BOOLEANS.get(text);
  if (value !== undefined) return value;
  throw new RuntimeConfigSyntaxError(
    `invalid value of ${key}: ${text}, err: strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`,
  );
}
