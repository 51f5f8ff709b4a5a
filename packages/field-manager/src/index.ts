export { type Comparison, compareTyped } from './lib/compare-typed.ts';
export { compareValues, valuesEqual } from './lib/compare-values.ts';
export {
  type ApplyOptions,
  FieldManager,
  type FieldManagerOptions,
  type WriteOptions,
} from './lib/field-manager.ts';
export { type FieldNode, FieldSet } from './lib/field-set.ts';
export { decodeFieldSet, encodeFieldSet, FieldSetError } from './lib/field-set-codec.ts';
export { compileFieldType, compileKindFieldType, DEDUCED, type FieldType } from './lib/field-type.ts';
export type { KindVersions, VersionedObject } from './lib/kind-versions.ts';
export { lastAppliedAnnotation } from './lib/last-applied.ts';
export { ManagedFieldsError, type Manager, type ManagerIdentity, Managers } from './lib/managed-fields.ts';
export { mergeTyped } from './lib/merge-typed.ts';
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
export { extractItems, removeItems } from './lib/remove-typed.ts';
export {
  fromScaleManagedFields,
  type ReplicasPaths,
  toScaleManagedFields,
} from './lib/scale-managed-fields.ts';
export { fieldSetOf } from './lib/typed-field-set.ts';
export {
  type UpgradeOptions,
  upgradeManagedFields,
  upgradeManagedFieldsPatch,
} from './lib/upgrade-managed-fields.ts';
export { type TypedValidationOptions, typedErrorText, validateTyped } from './lib/validate-typed.ts';
