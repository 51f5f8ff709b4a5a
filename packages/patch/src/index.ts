export { applyJsonPatch, applyJsonPatchSteps, type JsonPatchLimits } from './lib/apply-json-patch.ts';
export {
  createMergePatch,
  createThreeWayJsonMergePatch,
  type ThreeWayOptions,
} from './lib/create-merge-patch.ts';
export {
  createThreeWayMergePatch,
  createTwoWayMergePatch,
  type StrategicThreeWayOptions,
  type TwoWayOptions,
} from './lib/create-strategic-merge-patch.ts';
export {
  decodeJsonPatch,
  type JsonPatch,
  type JsonPatchOperation,
  strictJsonPatchFindings,
} from './lib/json-patch.ts';
export { applyMergePatch, applyMergePatchSteps, decodeMergePatch } from './lib/merge-patch.ts';
export {
  type PatchPrecondition,
  type PatchPrinter,
  requireKeyUnchanged,
  requireMetadataKeyUnchanged,
} from './lib/patch-conditions.ts';
export { PatchError, type PatchErrorKind } from './lib/patch-error.ts';
export {
  applyStrategicMergePatch,
  applyStrategicMergePatchSteps,
  decodeStrategicMergePatch,
} from './lib/strategic-merge-patch.ts';
