export { PatchError, type PatchErrorKind } from './errors/patch-error.ts';
export { applyJsonPatch, applyJsonPatchSteps, type JsonPatchLimits } from './json-patch/apply-json-patch.ts';
export {
  decodeJsonPatch,
  decodeJsonPatchSteps,
  type JsonPatch,
  type JsonPatchOperation,
  strictJsonPatchFindings,
  strictJsonPatchFindingsSteps,
} from './json-patch/decode-json-patch.ts';
export {
  createMergePatch,
  createThreeWayJsonMergePatch,
  type ThreeWayOptions,
} from './merge-patch/create-merge-patch.ts';
export { applyMergePatch, applyMergePatchSteps, decodeMergePatch } from './merge-patch/merge-patch.ts';
export {
  createThreeWayMergePatch,
  createTwoWayMergePatch,
  type StrategicThreeWayOptions,
  type TwoWayOptions,
} from './strategic/create-strategic-merge-patch.ts';
export {
  type PatchPrecondition,
  type PatchPrinter,
  requireKeyUnchanged,
  requireMetadataKeyUnchanged,
} from './strategic/patch-conditions.ts';
export {
  applyStrategicMergePatch,
  applyStrategicMergePatchSteps,
  decodeStrategicMergePatch,
} from './strategic/strategic-merge-patch.ts';
