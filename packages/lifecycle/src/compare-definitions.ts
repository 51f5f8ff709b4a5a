import type { Schema } from '@ashlar/core';
import {
  type ApiChange,
  type Breakage,
  clients,
  everybody,
  nobody,
  type SchemaChange,
  storedObjects,
} from './api-change.ts';
import { compareSchemas } from './compare-schemas.ts';

/** A version of a resource type, as far as its changes can break somebody. */
export interface ComparedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** Schema of the whole object. */
  readonly schema: Schema;
  readonly subresources?: readonly { readonly name: string }[];
  readonly views?: readonly { readonly name: string }[];
  readonly selectableFields?: { readonly names: readonly string[] };
}

/** A resource type, as far as its changes can break somebody; the definitions of `@ashlar/registry` are such. */
export interface ComparedDefinition {
  readonly group: string;
  readonly names: { readonly plural: string; readonly kind: string; readonly shortNames?: readonly string[] };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly ComparedVersion[];
  readonly views?: readonly { readonly name: string }[];
}

/**
 * What is different between two sets of definitions, and whether it breaks stored objects or clients. What is allowed in addition
 * breaks nobody; what is no longer allowed, kept or served does. Objects of all versions are taken to have the same fields.
 *
 * @example
 * const changes = compareDefinitions(published, proposed);
 * const broken = changes.filter(({ breaks }) => breaks.length > 0);
 */
export function compareDefinitions(
  before: Iterable<ComparedDefinition>,
  after: Iterable<ComparedDefinition>,
): readonly ApiChange[] {
  const [old, now] = [byType(before), byType(after)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((type) => {
    const [was, is] = [old.get(type), now.get(type)];
    if (!is) return [{ type, path: '', change: 'is gone', breaks: everybody }];
    if (!was) return [{ type, path: '', change: 'is new', breaks: nobody }];
    return compareDefinition(type, was, is);
  });
}

function byType(definitions: Iterable<ComparedDefinition>): ReadonlyMap<string, ComparedDefinition> {
  const types = new Map<string, ComparedDefinition>();
  for (const definition of definitions) {
    const { group, names } = definition;
    types.set(group === '' ? names.plural : `${names.plural}.${group}`, definition);
  }
  return types;
}

function compareDefinition(
  type: string,
  before: ComparedDefinition,
  after: ComparedDefinition,
): readonly ApiChange[] {
  const changes: ApiChange[] = [];
  const told = (change: string, breaks: readonly Breakage[]): void =>
    void changes.push({ type, path: '', change, breaks });
  if (before.scope !== after.scope) told(`was of the scope ${before.scope} and is ${after.scope}`, everybody);
  if (before.names.kind !== after.names.kind)
    told(`was of the kind ${before.names.kind} and is ${after.names.kind}`, everybody);
  for (const name of before.names.shortNames ?? [])
    if (!after.names.shortNames?.includes(name)) told(`is no longer called ${name}`, clients);
  return [...changes, ...compareStorage(type, before, after), ...compareVersions(type, before, after)];
}

const stored = ({ versions }: ComparedDefinition): ComparedVersion | undefined =>
  versions.find(({ storage }) => storage);

/** Objects stay in the version that they were stored in until somebody writes them. */
function compareStorage(
  type: string,
  before: ComparedDefinition,
  after: ComparedDefinition,
): readonly ApiChange[] {
  const [old, now] = [stored(before), stored(after)];
  if (!old || !now || old.name === now.name) return [];
  const isReadable = after.versions.some(({ name }) => name === old.name);
  const change = `objects were stored in ${old.name} and are in ${now.name}`;
  if (!isReadable)
    return [
      { type, path: '', change: `${change}, and nothing reads ${old.name} any more`, breaks: storedObjects },
    ];
  const lost = compareSchemas(old.schema, now.schema).filter(isLoss);
  return [
    { type, path: '', change, breaks: nobody },
    ...lost.map(({ path }) => ({
      type,
      version: now.name,
      path,
      change: `is in ${old.name} and not in ${now.name}; it is dropped when an object is stored`,
      breaks: storedObjects,
    })),
  ];
}

const isLoss = ({ change }: SchemaChange): boolean => change.startsWith('is gone');

function compareVersions(
  type: string,
  before: ComparedDefinition,
  after: ComparedDefinition,
): readonly ApiChange[] {
  const changes: ApiChange[] = [];
  for (const old of before.versions) {
    const version = old.name;
    const told = (change: string, breaks: readonly Breakage[], path = ''): void =>
      void changes.push({ type, version, path, change, breaks });
    const now = after.versions.find(({ name }) => name === version);
    if (!now?.served && old.served) told(now ? 'is no longer served' : 'is gone', clients);
    else if (!now) told('is gone', nobody);
    if (!now) continue;
    if (now.served && !old.served) told('is served now', nobody);
    compareParts(partsOf(before, old), partsOf(after, now), told);
    for (const { path, change, breaks } of compareSchemas(old.schema, now.schema)) told(change, breaks, path);
  }
  for (const { name, served } of after.versions)
    if (!before.versions.some((old) => old.name === name))
      changes.push({
        type,
        version: name,
        path: '',
        change: served ? 'is new' : 'is new, not served',
        breaks: nobody,
      });
  return changes;
}

/** What a version has beside its objects. */
interface Parts {
  readonly subresources: readonly string[];
  readonly selectableFields: readonly string[];
}

function partsOf(definition: ComparedDefinition, version: ComparedVersion): Parts {
  const views = [...(version.subresources ?? []), ...(version.views ?? []), ...(definition.views ?? [])];
  return {
    subresources: views.map(({ name }) => name),
    selectableFields: version.selectableFields?.names ?? [],
  };
}

function compareParts(
  before: Parts,
  after: Parts,
  told: (change: string, breaks: readonly Breakage[]) => void,
): void {
  for (const name of before.subresources)
    if (!after.subresources.includes(name)) told(`the subresource ${name} is gone`, clients);
  for (const name of after.subresources) {
    if (before.subresources.includes(name)) continue;
    // from now on writes of the whole object leave the status alone
    told(`has the subresource ${name} now`, name === 'status' ? clients : nobody);
  }
  for (const field of before.selectableFields)
    if (!after.selectableFields.includes(field)) told(`field selectors no longer know ${field}`, clients);
}
