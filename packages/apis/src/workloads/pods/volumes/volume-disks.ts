import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  type JsonObject,
  MAXIMUM_FIELD_ERRORS,
} from '@ashlar/core';
import { invalidWhen, NO_ERRORS, required, requiredWhen, within } from '../../field-rules.ts';
import { CACHING_MODES, DISK_KINDS } from '../../shapes/shared/enumerations.ts';
import { wrongHostsAndPorts } from './hosts-and-ports.ts';

// Disks that are reached over a network, whose fields depend on one another.

const text = (source: JsonObject, field: string): string => String(source[field] ?? '');
const count = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const NAME_FORMATS: readonly (readonly [prefix: string, format: RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9-.]+:[^,;*&$|\s]+$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
];

/** Errors of the name of a target or an initiator. @param hint appended to the error of an unknown format */
function qualifiedErrors(name: string, hint: string, path: string): readonly FieldError[] {
  const format = NAME_FORMATS.find(([prefix]) => name.startsWith(prefix));
  if (!format) return [FieldErrors.invalid(path, name, `must be valid format${hint}`)];
  return invalidWhen(!format[1].test(name), path, name, 'must be valid format');
}

/** The unit of a disk. */
function lunErrors(lun: unknown, path: string): readonly FieldError[] {
  return within(`${path}.lun`, Number(lun ?? 0), 0, 255);
}

/** Errors of an iSCSI disk of a pod. */
export function iscsiErrors(source: JsonObject, path: string): readonly FieldError[] {
  return iscsiDiskErrors(source, ' starting with iqn, eui, or naa', path);
}

/** Errors of an iSCSI disk. @param hint appended to errors of names */
export function iscsiDiskErrors(source: JsonObject, hint: string, path: string): readonly FieldError[] {
  const { iqn, initiatorName, secretRef, chapAuthDiscovery, chapAuthSession } = source;
  return [
    ...required(`${path}.targetPortal`, source.targetPortal),
    ...(iqn ? qualifiedErrors(String(iqn), hint, `${path}.iqn`) : required(`${path}.iqn`, iqn)),
    ...lunErrors(source.lun, path),
    ...requiredWhen(Boolean((chapAuthDiscovery || chapAuthSession) && !secretRef), `${path}.secretRef`),
    ...(initiatorName === undefined
      ? NO_ERRORS
      : qualifiedErrors(String(initiatorName), hint, `${path}.initiatorname`)),
  ];
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

const LONGEST_TENANT = 64;

/** Errors of a Quobyte volume. */
export function quobyteErrors(source: JsonObject, path: string): readonly FieldError[] {
  return [...registryErrors(source, path), ...required(`${path}.volume`, source.volume)];
}

function registryErrors(source: JsonObject, path: string): readonly FieldError[] {
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  const registry = text(source, 'registry');
  if (registry === '') return requiredWhen(true, `${path}.registry`, why);
  if (text(source, 'tenant').length > LONGEST_TENANT)
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
