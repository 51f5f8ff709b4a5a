export { compareValues, valuesEqual } from './lib/compare-values.ts';
export { type FieldNode, FieldSet } from './lib/field-set.ts';
export { decodeFieldSet, encodeFieldSet, FieldSetError } from './lib/field-set-codec.ts';
export {
  comparePathElements,
  type FieldPath,
  fieldElement,
  fieldPath,
  type KeyFields,
  keyElement,
  type PathElement,
  PathElementError,
  parsePathElement,
  printFieldPath,
  printPathElement,
  valueElement,
} from './lib/path-element.ts';
