import {
  choiceErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  type JsonValue,
  jsonEqual,
  type LabelSelectorObject,
  validateLabelSelector,
} from '@ashlar/core';
import {
  forbiddenWhen,
  invalidWhen,
  NO_ERRORS,
  optionalFollows,
  required,
  requiredWhen,
} from '../field-rules.ts';
import type { ResourceList } from '../pods/container-types.ts';
import { positiveAmount } from '../resources/resource-amounts.ts';
import { ACCESS_MODES } from '../shapes/shared/enumerations.ts';
import { claimClassErrors } from '../storage/attribute-classes.ts';

/** An object whose data a new volume begins with. */
export interface DataSource {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** The spec of a claim. */
export interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly selector?: LabelSelectorObject;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly volumeName?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly dataSource?: DataSource;
  readonly dataSourceRef?: DataSource;
  readonly volumeAttributesClassName?: string;
}

/** Errors of modes in which a volume is used. */
export function accessModesErrors(modes: readonly string[], path: string): readonly FieldError[] {
  const others = modes.filter((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  return [
    ...fieldErrorsOf(modes, (mode) => choiceErrors(path, mode, ACCESS_MODES)),
    ...forbiddenWhen(
      modes.includes('ReadWriteOncePod') && others.length > 0,
      path,
      'may not use ReadWriteOncePod with other access modes',
    ),
  ];
}

/** Errors of the spec of a claim, at any path. @param stored the spec before, whose groups may stay */
export function claimSpecErrors(
  spec: ClaimSpec,
  path: string,
  stored: ClaimSpec = {},
): readonly FieldError[] {
  const { accessModes = [], selector, resources, dataSource, dataSourceRef } = spec;
  const storage = resources?.requests?.storage;
  const at = `${path}.resources[storage]`;
  const keepsGroup =
    typeof stored.dataSource?.apiGroup === 'string' || typeof stored.dataSourceRef?.apiGroup === 'string';
  return [
    ...requiredWhen(accessModes.length === 0, `${path}.accessModes`, 'at least 1 access mode is required'),
    ...validateLabelSelector(selector, `${path}.selector`),
    ...accessModesErrors(accessModes, `${path}.accessModes`),
    ...(storage === undefined ? required(at, storage) : positiveAmount(storage, at)),
    ...optionalFollows(`${path}.storageClassName`, spec.storageClassName, dns1123SubdomainErrors),
    ...choiceErrors(`${path}.volumeMode`, spec.volumeMode, ['Block', 'Filesystem']),
    ...(dataSource ? sourceErrors(dataSource, keepsGroup, `${path}.dataSource`) : NO_ERRORS),
    ...(dataSourceRef ? referenceErrors(dataSourceRef, keepsGroup, `${path}.dataSourceRef`) : NO_ERRORS),
    ...sourcesErrors(spec, path),
  ];
}

/** Errors of a claim. @param stored the spec before */
export const claimErrors = (spec: ClaimSpec, stored?: ClaimSpec): readonly FieldError[] => [
  ...claimSpecErrors(spec, 'spec', stored),
  ...claimClassErrors(spec),
];

function sourceErrors(
  { apiGroup, kind = '', name }: DataSource,
  keepsGroup: boolean,
  path: string,
): readonly FieldError[] {
  return [
    ...required(`${path}.name`, name),
    ...required(`${path}.kind`, kind),
    ...invalidWhen(
      !apiGroup && kind !== 'PersistentVolumeClaim',
      path,
      kind,
      "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
    ),
    ...(keepsGroup ? NO_ERRORS : optionalFollows(`${path}.apiGroup`, apiGroup ?? '', dns1123SubdomainErrors)),
  ];
}

function referenceErrors(source: DataSource, keepsGroup: boolean, path: string): readonly FieldError[] {
  return [
    ...sourceErrors(source, keepsGroup, path),
    ...optionalFollows(`${path}.namespace`, source.namespace, dns1123LabelErrors),
  ];
}

/** The old and the new field for the same source are equal, unless that is in another namespace. */
function sourcesErrors({ dataSource, dataSourceRef }: ClaimSpec, path: string): readonly FieldError[] {
  if (!dataSource || !dataSourceRef) return NO_ERRORS;
  const why = dataSourceRef.namespace
    ? 'may not be specified when dataSourceRef.namespace is specified'
    : 'must match dataSourceRef';
  const isEqual = jsonEqual(
    dataSource as unknown as JsonValue,
    { ...dataSourceRef, namespace: undefined } as unknown as JsonValue,
  );
  return dataSourceRef.namespace || !isEqual
    ? [FieldErrors.invalid(path, `${path}.dataSource`, why)]
    : NO_ERRORS;
}
