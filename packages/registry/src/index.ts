export type { ColumnDefinition } from './definition/column-definition.ts';
export { createStoredResource } from './definition/create-stored-resource.ts';
export type { ObjectConverter } from './definition/custom-records.ts';
export type {
  Allocation,
  AllocatorEnvironment,
  ObjectAllocator,
  ServiceNetwork,
} from './definition/object-allocator.ts';
export type {
  ResourceDefinition,
  ResourceDialect,
  ResourceNames,
  ResourceVersion,
  SelectableFields,
  Strategy,
  TypeStore,
} from './definition/resource-definition.ts';
export { storageVersion, storedKey, storedPrefix, viewsOf } from './definition/resource-definition.ts';
export type {
  ActionEnvironment,
  ActionObjects,
  ApplyRequest,
  DeleteRequest,
  DeleteResult,
  GetRequest,
  ListRequest,
  ObjectList,
  ObjectUpdate,
  RequestContext,
  ResourceStorage,
  ResultObject,
  Selection,
  UpdateRequest,
  WatchedEvent,
  WatchRequest,
  WatchSink,
} from './definition/resource-storage.ts';
export { objectOf } from './definition/resource-storage.ts';
export type { ResourceEnvironment } from './definition/stored-resource.ts';
export type {
  ActionSubresource,
  ConnectionOptions,
  ConnectionParameters,
  ConnectionTarget,
  ConnectSubresource,
  FieldNames,
  ReadTarget,
  RowCondition,
  SubresourceDefinition,
  SubresourceKind,
  ViewSubresource,
} from './definition/subresource-kinds.ts';
export { SUBRESOURCE_VERBS } from './definition/subresource-kinds.ts';
export type { UpdateCheck } from './definition/update-check.ts';
export { createViewStorage } from './definition/view-storage.ts';
export { withCanonicalMetadata, withoutSystemMetadata } from './objects/canonical-object.ts';
export { objectDecoder } from './objects/create-object-decoder.ts';
export type { DecodeRequest, FieldValidation } from './objects/decode-request.ts';
export { withNextGeneration } from './objects/generation.ts';
export { LARGE_OBJECT_BYTES } from './objects/large-object.ts';
export type { ObjectDecoder } from './objects/object-decoder.ts';
export { requireSelectableFields } from './objects/selectable-fields.ts';
export { withoutAnnotations } from './objects/without-annotations.ts';
export { FieldOwnership } from './ownership/field-ownership.ts';
export {
  type ContinueKey,
  type ContinuePosition,
  decodeContinueKey,
  decodeContinueToken,
  encodeContinueKey,
} from './verbs/continue-token.ts';
export { withAdmission } from './verbs/with-admission.ts';
