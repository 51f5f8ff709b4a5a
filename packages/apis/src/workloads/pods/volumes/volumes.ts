import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  goQuote,
  type JsonObject,
} from '@ashlar/core';
import { each, forbiddenWhen, invalidWhen, NO_ERRORS, named, requiredWhen } from '../../field-rules.ts';
import { isLongPortal, LONG_PORTAL } from './volume-disks.ts';
import { VOLUME_SOURCES } from './volume-sources.ts';
import type { Volume } from './volume-types.ts';

/** The valid volumes of a pod by their name. */
export type VolumeSources = ReadonlyMap<string, Volume>;

/** Errors of the volumes of a pod, and those that have none. */
interface CheckedVolumes {
  readonly errors: readonly FieldError[];
  readonly sources: VolumeSources;
}

/** Checks the volumes of a pod. @param podName the name of the pod; templates have none */
export function checkVolumes(
  volumes: readonly Volume[] | undefined,
  podName: string | undefined,
  path: string,
): CheckedVolumes {
  const sources = new Map<string, Volume>();
  const created = new Set(
    podName
      ? (volumes ?? []).filter(({ ephemeral }) => ephemeral).map(({ name }) => `${podName}-${name}`)
      : [],
  );
  const errors = each(path, volumes, (volume, at) => {
    const { name = '', persistentVolumeClaim } = volume;
    const found = [
      ...sourceErrors(volume, podName, at),
      ...named(`${at}.name`, name, dns1123LabelErrors),
      ...(sources.has(name) ? [FieldErrors.duplicate(`${at}.name`, name)] : NO_ERRORS),
    ];
    if (found.length === 0) sources.set(name, volume);
    const claimName = persistentVolumeClaim?.claimName ?? '';
    return [
      ...found,
      ...invalidWhen(
        created.has(claimName),
        `${at}.persistentVolumeClaim.claimName`,
        claimName,
        'must not reference a PVC that gets created for an ephemeral volume',
      ),
    ];
  });
  return { errors, sources };
}

/** A volume has one source; errors of the others say so. */
function sourceErrors(volume: Volume, podName: string | undefined, path: string): readonly FieldError[] {
  let isFirst = true;
  const errors: FieldError[] = [];
  for (const { name, path: place = name, forbiddenPath = place, errorsOf } of VOLUME_SOURCES) {
    const source = volume[name];
    if (!source) continue;
    const found = isFirst
      ? errorsOf(source as JsonObject, `${path}.${place}`)
      : forbiddenWhen(true, `${path}.${forbiddenPath}`, 'may not specify more than 1 volume type');
    const ofName = nameErrors(volume, name, isFirst ? podName : undefined, `${path}.name`);
    isFirst = false;
    for (const error of found) errors.push(error);
    for (const error of ofName) errors.push(error);
  }
  return isFirst ? requiredWhen(true, path, 'must specify a volume type') : errors;
}

/** Some sources make longer names of the volume's. */
function nameErrors(
  { name = '', iscsi }: Volume,
  source: string,
  podName: string | undefined,
  path: string,
): readonly FieldError[] {
  if (source === 'ephemeral' && podName && name !== '')
    return claimNameErrors(`${podName}-${name}`, name, path);
  if (source !== 'iscsi') return NO_ERRORS;
  return invalidWhen(isLongPortal(iscsi as JsonObject, name), path, name, LONG_PORTAL);
}

const claimNameErrors = (claim: string, name: string, path: string): readonly FieldError[] =>
  dns1123SubdomainErrors(claim).map((why) =>
    FieldErrors.invalid(path, name, `PVC name ${goQuote(claim)}: ${why}`),
  );
