import { choiceErrors, type FieldError, FieldErrors } from '@ashlar/core';
import { each, forbiddenWhen, invalidWhen, NO_ERRORS, required } from '../../field-rules.ts';
import { MOUNT_PROPAGATIONS } from '../../shapes/shared/enumerations.ts';
import type { Container, VolumeMount } from '../container-types.ts';
import { relativePath, withoutBacksteps } from './file-paths.ts';
import type { VolumeSources } from './volumes.ts';

/** What of a container's places the other kind of mount takes: names of volumes, and paths. */
interface MountedPaths {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

const NOTHING_MOUNTED: MountedPaths = { names: new Set(), paths: new Set() };

/** Of mounts of one volume only the last one counts. */
function mountedPaths(pairs: readonly (readonly [name: string, path: string])[] | undefined): MountedPaths {
  if (!pairs || pairs.length === 0) return NOTHING_MOUNTED;
  const byName = new Map(pairs);
  return { names: new Set(byName.keys()), paths: new Set(byName.values()) };
}

/** Errors of the mounts of a container: file systems and block devices. */
export function mountsErrors(
  container: Container,
  volumes: VolumeSources,
  path: string,
): readonly FieldError[] {
  const { volumeMounts, volumeDevices } = container;
  const devices = mountedPaths(volumeDevices?.map(({ name = '', devicePath = '' }) => [name, devicePath]));
  const places = new Set<string>();
  const list = `${path}.volumeMounts`;
  return [
    ...each(list, volumeMounts, (mount, at) => {
      const { mountPath = '' } = mount;
      const isRepeated = places.has(mountPath);
      places.add(mountPath);
      return [
        ...placeErrors(mount, { at, isRepeated, isKnown: volumes.has(mount.name ?? ''), devices }),
        ...(volumes.get(mount.name ?? '')?.image ? imageMountErrors(mount, at) : NO_ERRORS),
        ...subPathErrors(mount, at, list),
        ...propagationErrors(mount, isPrivileged(container), `${list}.mountPropagation`),
        ...recursionErrors(mount, `${list}.recursiveReadOnly`),
      ];
    }),
    ...devicesErrors(container, volumes, `${path}.volumeDevices`),
  ];
}

const isPrivileged = ({ securityContext }: Container): boolean => securityContext?.privileged === true;

interface Place {
  readonly at: string;
  readonly isRepeated: boolean;
  readonly isKnown: boolean;
  readonly devices: MountedPaths;
}

function placeErrors(
  { name = '', mountPath = '' }: VolumeMount,
  { at, isRepeated, isKnown, devices }: Place,
): readonly FieldError[] {
  return [
    ...required(`${at}.name`, name),
    ...(isKnown ? NO_ERRORS : [FieldErrors.notFound(`${at}.name`, name)]),
    ...required(`${at}.mountPath`, mountPath),
    ...invalidWhen(isRepeated, `${at}.mountPath`, mountPath, 'must be unique'),
    ...invalidWhen(devices.names.has(name), `${at}.name`, name, 'must not already exist in volumeDevices'),
    ...invalidWhen(
      devices.paths.has(mountPath),
      `${at}.mountPath`,
      mountPath,
      'must not already exist as a path in volumeDevices',
    ),
  ];
}

/** Of images no part can be mounted. */
function imageMountErrors({ subPath, subPathExpr }: VolumeMount, at: string): readonly FieldError[] {
  const why = 'not allowed in image volume sources';
  return [
    ...invalidWhen(Boolean(subPath), `${at}.subPath`, subPath, why),
    ...invalidWhen(Boolean(subPathExpr), `${at}.subPathExpr`, subPathExpr, why),
  ];
}

/** Some errors of mounts name the list in place of the mount. */
function subPathErrors(
  { subPath, subPathExpr }: VolumeMount,
  at: string,
  list: string,
): readonly FieldError[] {
  return [
    ...(subPath ? relativePath(`${list}.subPath`, subPath) : NO_ERRORS),
    ...invalidWhen(
      Boolean(subPath && subPathExpr),
      `${at}.subPathExpr`,
      subPathExpr,
      'subPathExpr and subPath are mutually exclusive',
    ),
    ...(subPathExpr ? relativePath(`${list}.subPathExpr`, subPathExpr) : NO_ERRORS),
  ];
}

function propagationErrors(
  { mountPropagation }: VolumeMount,
  isPrivileged: boolean,
  path: string,
): readonly FieldError[] {
  return [
    ...choiceErrors(path, mountPropagation, MOUNT_PROPAGATIONS),
    ...forbiddenWhen(
      mountPropagation === 'Bidirectional' && !isPrivileged,
      path,
      'Bidirectional mount propagation is available only to privileged containers',
    ),
  ];
}

function recursionErrors(
  { recursiveReadOnly, readOnly, mountPropagation = 'None' }: VolumeMount,
  path: string,
): readonly FieldError[] {
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible')
    return choiceErrors(path, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible']);
  return [
    ...forbiddenWhen(!readOnly, path, 'may only be specified when readOnly is true'),
    ...forbiddenWhen(
      mountPropagation !== 'None',
      path,
      'may only be specified when mountPropagation is None or not specified',
    ),
  ];
}

function devicesErrors(
  { volumeDevices, volumeMounts }: Container,
  volumes: VolumeSources,
  path: string,
): readonly FieldError[] {
  if (!volumeDevices || volumeDevices.length === 0) return NO_ERRORS;
  const mounts = mountedPaths(volumeMounts?.map(({ name = '', mountPath = '' }) => [name, mountPath]));
  const names = new Set<string>();
  const paths = new Set<string>();
  return each(path, volumeDevices, ({ name = '', devicePath = '' }, at) => {
    const volume = volumes.get(name);
    const isBlock = Boolean(volume?.persistentVolumeClaim || volume?.ephemeral);
    const isBackwards = withoutBacksteps('', devicePath).length > 0;
    const errors = [
      ...required(`${at}.name`, name),
      ...invalidWhen(names.has(name), `${at}.name`, name, 'must be unique'),
      ...invalidWhen(
        volume !== undefined && !isBlock,
        `${at}.name`,
        name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      ),
      ...(volume === undefined ? [FieldErrors.notFound(`${at}.name`, name)] : NO_ERRORS),
      ...required(`${at}.devicePath`, devicePath),
      ...invalidWhen(paths.has(devicePath), `${at}.devicePath`, devicePath, 'must be unique'),
      ...invalidWhen(isBackwards, `${at}.devicePath`, devicePath, "can not contain backsteps ('..')"),
      ...invalidWhen(mounts.names.has(name), `${at}.name`, name, 'must not already exist in volumeMounts'),
      ...invalidWhen(
        mounts.paths.has(devicePath),
        `${at}.devicePath`,
        devicePath,
        'must not already exist as a path in volumeMounts',
      ),
    ];
    if (!isBackwards) paths.add(devicePath);
    if (name !== '') names.add(name);
    return errors;
  });
}
