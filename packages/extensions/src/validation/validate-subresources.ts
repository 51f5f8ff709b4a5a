import { type FieldError, FieldErrors } from '@ashlar/core';
import type { DefinitionSubresources, PrinterColumn } from '../definitions/custom-resource-definition.ts';

/** Errors of subresources. */
export function subresourcesErrors({ scale }: DefinitionSubresources, path: string): readonly FieldError[] {
  if (!scale) return [];
  const selector = scale.labelSelectorPath ?? '';
  return [
    ...replicasErrors(`${path}.scale.specReplicasPath`, scale.specReplicasPath, 'spec'),
    ...replicasErrors(`${path}.scale.statusReplicasPath`, scale.statusReplicasPath, 'status'),
    ...(selector === '' ? [] : selectorErrors(`${path}.scale.labelSelectorPath`, selector)),
  ];
}

function replicasErrors(field: string, path: string, under: string): readonly FieldError[] {
  if (path === '') return [FieldErrors.required(field)];
  const errors = simplePathErrors(field, path);
  if (errors.length > 0 || path.startsWith(`.${under}.`)) return errors;
  return [FieldErrors.invalid(field, path, `should be a json path under .${under}`)];
}

function selectorErrors(field: string, path: string): readonly FieldError[] {
  const errors = simplePathErrors(field, path);
  if (errors.length > 0 || path.startsWith('.spec.') || path.startsWith('.status.')) return errors;
  return [FieldErrors.invalid(field, path, 'should be a json path under either .spec or .status')];
}

/** Only the first dot of a path is checked. */
function simplePathErrors(field: string, path: string): readonly FieldError[] {
  return path.startsWith('.')
    ? []
    : [FieldErrors.invalid(field, path, 'must be a simple json path starting with .')];
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Errors of a column; its path is in upper camel case. */
export function columnErrors(
  { name, type, format = '', jsonPath }: PrinterColumn,
  path: string,
): readonly FieldError[] {
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  const formats = `must be one of ${COLUMN_FORMATS.join(',')}`;
  const field = `${path}.JSONPath`;
  return [
    ...(name === '' ? [FieldErrors.required(`${path}.name`)] : []),
    ...(type === ''
      ? [FieldErrors.required(`${path}.type`, types)]
      : COLUMN_TYPES.includes(type)
        ? []
        : [FieldErrors.invalid(`${path}.type`, type, types)]),
    ...(format === '' || COLUMN_FORMATS.includes(format)
      ? []
      : [FieldErrors.invalid(`${path}.format`, format, formats)]),
    ...(jsonPath === '' ? [FieldErrors.required(field)] : simplePathErrors(field, jsonPath)),
  ];
}
