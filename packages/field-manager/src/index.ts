export { type FieldNode, FieldSet } from './fieldpath/field-set.ts';
export { decodeFieldSet, encodeFieldSet, FieldSetError } from './fieldpath/field-set-codec.ts';
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
} from './fieldpath/path-element.ts';
export {
  type ApplyOptions,
  FieldManager,
  type FieldManagerOptions,
  type WriteOptions,
} from './managed/field-manager.ts';
export { Managers } from './managed/managed-fields.ts';
export { ManagedFieldsError, type Manager, type ManagerIdentity } from './managed/manager.ts';
export {
  fromScaleManagedFieldsSteps,
  type ReplicasPaths,
  toScaleManagedFields,
} from './managed/scale-managed-fields.ts';
export {
  type UpgradeOptions,
  upgradeManagedFields,
  upgradeManagedFieldsPatch,
} from './managed/upgrade-managed-fields.ts';
export type { KindVersions, VersionedObject } from './merge/kind-versions.ts';
export { mergeTyped, mergeTypedSteps } from './merge/merge-typed.ts';
export { atomicParts } from './typed/atomic-parts.ts';
export { type Comparison, compareTyped } from './typed/compare-typed.ts';
export { compileFieldType, compileKindFieldType, DEDUCED, type FieldType } from './typed/field-type.ts';
export { extractItems, removeItems } from './typed/remove-typed.ts';
export { fieldSetOf } from './typed/typed-field-set.ts';
export {
  type TypedValidationOptions,
  typedErrorText,
  validateTyped,
  validateTypedSteps,
} from './typed/validate-typed.ts';
export { compareValues, valuesEqual } from './values/compare-values.ts';
export { weighAll } from './values/large-parts.ts';
