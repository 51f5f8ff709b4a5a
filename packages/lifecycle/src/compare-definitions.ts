import type { Schema } from '@ashlar/core';
import {
  type ApiChange,
  type Breakage,
  clients,
  everything,
  nothing,
  type SchemaChange,
  storedObjects,
} from './api-change.ts';
import { compareSchemas } from './compare-schemas.ts';

/** The properties of a version whose changes can be breaking. */
export interface ComparedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** Schema of the entire object. */
  readonly schema: Schema;
  readonly subresources?: readonly { readonly name: string }[];
  readonly views?: readonly { readonly name: string }[];
  readonly selectableFields?: { readonly names: readonly string[] };
}

/**
 * The properties of a resource type whose changes can be breaking; the definitions of `@ashlar/registry` have
 * them.
 */
export interface ComparedDefinition {
  readonly group: string;
  readonly names: { readonly plural: string; readonly kind: string; readonly shortNames?: readonly string[] };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly ComparedVersion[];
  readonly views?: readonly { readonly name: string }[];
}

/**
 * Lists the differences between two sets of definitions, and whether they break stored objects or clients.
 * What is additionally allowed is compatible; what is no longer allowed, stored or served is breaking.
 * Objects of all versions are assumed to have the same fields.
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
    if (!is) return [{ type, path: '', change: 'is gone', breaks: everything }];
    if (!was) return [{ type, path: '', change: 'is new', breaks: nothing }];
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
  const report = (change: string, breaks: readonly Breakage[]): void =>
    void changes.push({ type, path: '', change, breaks });
  if (before.scope !== after.scope)
    report(`was of the scope ${before.scope} and is ${after.scope}`, everything);
  if (before.names.kind !== after.names.kind)
    report(`was of the kind ${before.names.kind} and is ${after.names.kind}`, everything);
  for (const name of before.names.shortNames ?? [])
    if (!after.names.shortNames?.includes(name)) report(`is no longer called ${name}`, clients);
  return [...changes, ...compareStorage(type, before, after), ...compareVersions(type, before, after)];
}

const stored = ({ versions }: ComparedDefinition): ComparedVersion | undefined =>
  versions.find(({ storage }) => storage);

/** Objects stay in their storage version until they are written again. */
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
  const losses = compareSchemas(old.schema, now.schema).filter(isLoss);
  return [
    { type, path: '', change, breaks: nothing },
    ...losses.map(({ path }) => ({
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
    const report = (change: string, breaks: readonly Breakage[], path = ''): void =>
      void changes.push({ type, version, path, change, breaks });
    const now = after.versions.find(({ name }) => name === version);
    if (!now?.served && old.served) report(now ? 'is no longer served' : 'is gone', clients);
    else if (!now) report('is gone', nothing);
    if (!now) continue;
    if (now.served && !old.served) report('is served now', nothing);
    compareParts(partsOf(before, old), partsOf(after, now), report);
    for (const { path, change, breaks } of compareSchemas(old.schema, now.schema))
      report(change, breaks, path);
  }
  for (const { name, served } of after.versions)
    if (!before.versions.some((old) => old.name === name))
      changes.push({
        type,
        version: name,
        path: '',
        change: served ? 'is new' : 'is new, not served',
        breaks: nothing,
      });
  return changes;
}

/** Compares versions apart from their schemas. */
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
  report: (change: string, breaks: readonly Breakage[]) => void,
): void {
  for (const name of before.subresources)
    if (!after.subresources.includes(name)) report(`the subresource ${name} is gone`, clients);
  for (const name of after.subresources) {
    if (before.subresources.includes(name)) continue;
    // from now on writes of the object do not change the status
    report(`has the subresource ${name} now`, name === 'status' ? clients : nothing);
  }
  for (const field of before.selectableFields)
    if (!after.selectableFields.includes(field)) report(`field selectors no longer know ${field}`, clients);
}
