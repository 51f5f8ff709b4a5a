import type { ApiService } from '@ashlar/aggregation';
import { type ApiObject, groupName, type JsonValue, jsonEqual } from '@ashlar/core';
import { type ApiCatalog, type ServedResource, versionPriority } from '@ashlar/http';
import { systemContext } from '../assembly/system-context.ts';
import { ownLabelAndSpec } from './owned-fields.ts';
import { removeObject, storedObjects, unlessOvertaken, writeObject } from './reconciled-objects.ts';

/** How the label says that an API service is kept as the server wants it: at its start, or always, as those of definitions are. */
const AT_START = 'onstart';
const ALWAYS = 'true';

/**
 * Registers the versions that a server serves itself: it creates missing API services, corrects changed ones, and removes those of versions that it
 * no longer serves. Those that others created stay as they are (semantics/lifecycle#objects-at-start).
 */
export async function bootstrapApiServices(catalog: ApiCatalog): Promise<void> {
  const served = apiServices(catalog);
  if (!served) return;
  const context = systemContext(served, '');
  const marker = `kube-aggregator.${catalog.vocabulary.labelDomain}/automanaged`;
  const stored = await storedObjects(served, context);
  for (const [name, spec] of ownVersions(catalog)) {
    const current = stored.get(name) as ApiService | undefined;
    stored.delete(name);
    const wanted = reconciled(current, { name, spec, marker });
    if (!wanted) continue;
    const own = { ...context, ownedFields: ownLabelAndSpec(marker, spec) };
    await unlessOvertaken(() => writeObject(served, own, wanted, current === undefined));
  }
  for (const [name, { metadata }] of stored)
    if (name && metadata.labels?.[marker] === AT_START) await removeObject(served, context, name);
}

/** The type of API services; undefined if a server has none. */
export function apiServices(catalog: ApiCatalog): ServedResource | undefined {
  return catalog.find(groupName(catalog.vocabulary, 'apiregistration.'), 'v1', 'apiservices');
}

/** The specs of the API services of all built-in versions but those of API services, by name. */
function ownVersions(catalog: ApiCatalog): ReadonlyMap<string, ApiService['spec']> {
  const { vocabulary } = catalog;
  const specs = new Map<string, ApiService['spec']>();
  const own = groupName(vocabulary, 'apiregistration.');
  for (const group of catalog.groups().filter((name) => name !== own))
    for (const { version } of catalog.versions(group)) {
      const priority = versionPriority(vocabulary, group, version);
      if (!priority) continue;
      const { groupPriority: groupPriorityMinimum, versionPriority: ofVersion } = priority;
      specs.set(`${version}.${group}`, {
        ...(group !== '' && { group }),
        ...{ version, groupPriorityMinimum, versionPriority: ofVersion },
      });
    }
  return specs;
}

/** Returns what is to be written; undefined if nothing is. */
function reconciled(
  current: ApiService | undefined,
  { name, spec, marker }: { name: string; spec: ApiService['spec']; marker: string },
): ApiObject | undefined {
  if (!current) {
    const metadata = { name, labels: { [marker]: AT_START } };
    return { metadata, spec } as unknown as ApiObject;
  }
  const managed = current.metadata.labels?.[marker];
  const isOurs = managed === AT_START || managed === ALWAYS;
  const isChanged = !jsonEqual(asJson(current.spec), asJson(spec));
  return isOurs && isChanged ? ({ ...current, spec } as ApiObject) : undefined;
}

const asJson = (spec: ApiService['spec']): JsonValue => spec as unknown as JsonValue;
