export { type Client, createClient } from './lib/client.ts';
export type { ClientRequest, ConnectionOptions } from './lib/connection.ts';
export { createInformer, type Informer, type InformerHandler, type InformerOptions } from './lib/informer.ts';
export { keyOf, parseKey } from './lib/informer-store.ts';
export type { ObjectVerbs } from './lib/object-verbs.ts';
export type { Query } from './lib/query.ts';
export type { ResourceClient, SubresourceClient } from './lib/resource-client.ts';
export type {
  ApplyCallOptions,
  CallOptions,
  CreateCallOptions,
  DeleteCallOptions,
  EveryPageOptions,
  GetOptions,
  JsonPatchOperation,
  ObjectInput,
  PageOptions,
  Patch,
  ResourceReference,
  SelectionOptions,
  UpdateCallOptions,
  WatchOptions,
} from './lib/resource-options.ts';
export { isExpired } from './lib/watch-events.ts';
export {
  createWorkQueue,
  type RunOptions,
  type Work,
  type WorkQueue,
  type WorkQueueOptions,
  type WorkResult,
} from './lib/work-queue.ts';
