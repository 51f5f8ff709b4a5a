export { applyJsonPatch, type JsonPatchLimits } from './lib/apply-json-patch.ts';
export {
  decodeJsonPatch,
  type JsonPatch,
  type JsonPatchOperation,
  strictJsonPatchFindings,
} from './lib/json-patch.ts';
export { parseJsonPointer } from './lib/json-pointer.ts';
export { PatchError, type PatchErrorKind } from './lib/patch-error.ts';
