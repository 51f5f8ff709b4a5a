import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  type JsonObject,
  MAXIMUM_FIELD_ERRORS,
  utf8Length,
} from '@ashlar/core';
import { invalidWhen, NO_ERRORS, required, requiredWhen, within } from '../../field-rules.ts';
import { CACHING_MODES, DISK_KINDS } from '../../shapes/shared/enumerations.ts';
import { wrongHostsAndPorts } from './hosts-and-ports.ts';
import { qualifiedErrors } from './qualified-disk-names.ts';

// Disks that are reached over a network, whose fields depend on one another.

const text = (source: JsonObject, field: string): string => String(source[field] ?? '');
const count = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

/** The unit of a disk. */
function lunErrors(lun: unknown, path: string): readonly FieldError[] {
  return within(`${path}.lun`, Number(lun ?? 0), 0, 255);
}

const LONGEST_PORTAL_BYTES = 64;

/** Whether the name of a volume and the portal of its iSCSI disk are too long for one that names its initiator. */
export function isLongPortal({ initiatorName, targetPortal }: JsonObject, volume: string): boolean {
  return initiatorName !== undefined && utf8Length(`${volume}:${targetPortal ?? ''}`) > LONGEST_PORTAL_BYTES;
}

/** Why such a portal is refused. */
export const LONG_PORTAL =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** Errors of an iSCSI disk of a pod. */
export function iscsiErrors(source: JsonObject, path: string): readonly FieldError[] {
  return [
    ...required(`${path}.targetPortal`, source.targetPortal),
    ...targetErrors(source, ' starting with iqn, eui, or naa', path),
    ...initiatorErrors(source, ' starting with iqn, eui, or naa', path),
  ];
}

/** Errors of an iSCSI disk of the cluster. */
export function iscsiVolumeErrors(source: JsonObject, path: string, volume: string): readonly FieldError[] {
  const { targetPortal, secretRef } = source;
  return [
    ...required(`${path}.targetPortal`, targetPortal),
    ...invalidWhen(
      isLongPortal(source, volume),
      `${path}.targetportal`,
      String(targetPortal ?? ''),
      LONG_PORTAL,
    ),
    ...targetErrors(source, '', path),
    ...(secretRef ? required(`${path}.secretRef.name`, (secretRef as JsonObject).name) : NO_ERRORS),
    ...initiatorErrors(source, '', path),
  ];
}

/** @param hint appended to errors of names */
function targetErrors(source: JsonObject, hint: string, path: string): readonly FieldError[] {
  const { iqn, secretRef, chapAuthDiscovery, chapAuthSession } = source;
  return [
    ...(iqn ? qualifiedErrors(String(iqn), hint, `${path}.iqn`) : required(`${path}.iqn`, iqn)),
    ...lunErrors(source.lun, path),
    ...requiredWhen(Boolean((chapAuthDiscovery || chapAuthSession) && !secretRef), `${path}.secretRef`),
  ];
}

function initiatorErrors({ initiatorName }: JsonObject, hint: string, path: string): readonly FieldError[] {
  return initiatorName === undefined
    ? NO_ERRORS
    : qualifiedErrors(String(initiatorName), hint, `${path}.initiatorname`);
}

/** Errors of a Fibre Channel disk. */
export function fcErrors(source: JsonObject, path: string): readonly FieldError[] {
  const { targetWWNs, wwids, lun } = source;
  const hasNames = count(targetWWNs) > 0;
  const at = `${path}.targetWWNs`;
  return [
    ...requiredWhen(
      !hasNames && count(wwids) === 0,
      at,
      'must specify either targetWWNs or wwids, but not both',
    ),
    ...invalidWhen(
      hasNames && count(wwids) > 0,
      at,
      targetWWNs,
      'targetWWNs and wwids can not be specified simultaneously',
    ),
    ...requiredWhen(
      hasNames && lun === undefined,
      `${path}.lun`,
      'lun is required if targetWWNs is specified',
    ),
    ...(hasNames ? lunErrors(lun, path) : NO_ERRORS),
  ];
}

const LONGEST_TENANT_BYTES = 64;

/** Errors of a Quobyte volume. */
export function quobyteErrors(source: JsonObject, path: string): readonly FieldError[] {
  return [...registryErrors(source, path), ...required(`${path}.volume`, source.volume)];
}

function registryErrors(source: JsonObject, path: string): readonly FieldError[] {
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  const registry = text(source, 'registry');
  if (registry === '') return requiredWhen(true, `${path}.registry`, why);
  if (utf8Length(text(source, 'tenant')) > LONGEST_TENANT_BYTES)
    return requiredWhen(
      true,
      `${path}.tenant`,
      'must be a UUID and may not exceed a length of 64 characters',
    );
  const wrong = wrongHostsAndPorts(registry, MAXIMUM_FIELD_ERRORS + 1);
  return wrong === 0
    ? NO_ERRORS
    : new Array<FieldError>(wrong).fill(FieldErrors.invalid(`${path}.registry`, registry, why));
}

const MANAGED =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** Errors of a disk of Azure. */
export function azureDiskErrors(source: JsonObject, path: string): readonly FieldError[] {
  const kind = source.kind as string | undefined;
  const uri = text(source, 'diskURI');
  const [start, form] = kind === 'Managed' ? ['/subscriptions/', MANAGED] : ['https://', BLOB];
  return [
    ...required(`${path}.diskName`, source.diskName),
    ...required(`${path}.diskURI`, uri),
    ...choiceErrors(`${path}.cachingMode`, source.cachingMode as string | undefined, CACHING_MODES),
    ...choiceErrors(`${path}.kind`, kind, DISK_KINDS),
    ...(kind !== undefined && !uri.startsWith(start)
      ? [FieldErrors.notSupported(`${path}.diskURI`, uri, [form])]
      : NO_ERRORS),
  ];
}
