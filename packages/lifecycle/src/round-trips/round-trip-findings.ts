import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import type {
  ApiRelease,
  HistoryFinding,
  ReleasedDefinition,
  ReleasedVersion,
} from '../history/api-release.ts';
import { expressible } from './expressible.ts';
import { generatedObjects } from './generated-objects.ts';

/**
 * Finds what objects lose when they are converted to another version of the same release and back (2): objects are generated from the
 * schema of each version. Each member is reported once. Types that are converted elsewhere are not checked.
 */
export function roundTripFindings(release: ApiRelease): readonly HistoryFinding[] {
  return release.definitions.flatMap((definition) => {
    const { versions, names, group, convertedElsewhere } = definition;
    if (convertedElsewhere) return [];
    const type = group === '' ? names.plural : `${names.plural}.${group}`;
    const alive = versions.filter(({ served, storage }) => served || storage);
    return alive.flatMap((version) =>
      alive
        .filter((other) => other !== version)
        .flatMap((other) =>
          [...lostMembers(definition, version, other)].map((path) => ({
            ...{ rule: '2', release: release.name, type, version: version.name },
            message: `${path} is lost in ${other.name}: objects must survive the way to every version and back`,
          })),
        ),
    );
  });
}

function lostMembers(
  definition: ReleasedDefinition,
  version: ReleasedVersion,
  other: ReleasedVersion,
): ReadonlySet<string> {
  const lost = new Set<string>();
  for (const generated of generatedObjects(version.schema)) {
    const { apiVersion: _, kind: __, metadata: ___, ...members } = generated;
    const object = typed({ ...members, metadata: { name: 'generated' } }, definition, version);
    const back = converted(converted(object, definition, version, other), definition, other, version);
    for (const name of Object.keys(members)) addLost(members[name], back[name], name, lost);
  }
  return lost;
}

const typed = (
  object: JsonObject,
  { group, names }: ReleasedDefinition,
  { name }: ReleasedVersion,
): JsonObject => ({ ...object, apiVersion: group === '' ? name : `${group}/${name}`, kind: names.kind });

/** The object in another version, by way of the stored one, without what that version does not have. */
function converted(
  object: JsonObject,
  definition: ReleasedDefinition,
  from: ReleasedVersion,
  to: ReleasedVersion,
): JsonObject {
  const stored = from.toStorage?.(object as unknown as ApiObject) ?? object;
  const read = (to.fromStorage?.(stored as ApiObject) ?? stored) as unknown as JsonObject;
  const { apiVersion: _, kind: __, metadata, ...members } = read;
  const { metadata: ___, ...kept } = expressible(members, to.schema) as JsonObject;
  return typed({ ...kept, ...(metadata !== undefined && { metadata }) }, definition, to);
}

/** Adds the paths of what another value lacks or has otherwise. What it has besides are defaults. */
function addLost(
  value: JsonValue | undefined,
  back: JsonValue | undefined,
  path: string,
  lost: Set<string>,
): void {
  if (Array.isArray(value) && Array.isArray(back)) {
    value.forEach((item, index) => {
      addLost(item, back[index], `${path}[]`, lost);
    });
  } else if (isJsonObject(value) && isJsonObject(back)) {
    for (const [name, member] of Object.entries(value)) addLost(member, back[name], `${path}.${name}`, lost);
  } else if (value !== back) lost.add(path);
}
