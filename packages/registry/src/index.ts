export { withCanonicalMetadata } from './lib/canonical-object.ts';
export { createStoredResource } from './lib/create-stored-resource.ts';
export { requireKnownFields } from './lib/known-fields.ts';
export { LARGE_OBJECT_BYTES } from './lib/large-object.ts';
export {
  type DecodeRequest,
  type FieldValidation,
  type ObjectDecoder,
  objectDecoder,
} from './lib/object-decoder.ts';
export type {
  ColumnDefinition,
  FieldNames,
  ResourceDefinition,
  ResourceDialect,
  ResourceNames,
  ResourceVersion,
  SelectableFields,
  Strategy,
  SubresourceDefinition,
} from './lib/resource-definition.ts';
export { storageVersion, viewsOf } from './lib/resource-definition.ts';
export type {
  Answer,
  ApplyRequest,
  DeleteAnswer,
  DeleteRequest,
  GetRequest,
  ListAnswer,
  ListRequest,
  ObjectUpdate,
  RequestContext,
  ResourceStorage,
  Selection,
  UpdateRequest,
  WatchRequest,
  WatchSink,
} from './lib/resource-storage.ts';
export type { ObjectConverter, ResourceEnvironment } from './lib/stored-resource.ts';
export type {
  ActionEnvironment,
  ActionObjects,
  ActionSubresource,
  ConnectSubresource,
  RowCondition,
  SubresourceKind,
  ViewSubresource,
} from './lib/subresource-kinds.ts';
export { createViewStorage } from './lib/view-storage.ts';
