export { type Client, createClient } from './lib/client.ts';
export {
  type ClientConfiguration,
  ClientConfigurationError,
  type ClusterEntry,
  type ConfigurationEntry,
  type ContextEntry,
  type ExecEntry,
  type UserEntry,
} from './lib/client-configuration.ts';
export type { ClientRequest, ConnectionOptions } from './lib/connection.ts';
export type { ConnectionSurroundings, PluginCall } from './lib/connection-surroundings.ts';
export { createInformer, type Informer, type InformerHandler, type InformerOptions } from './lib/informer.ts';
export { keyOf, parseKey } from './lib/informer-store.ts';
export { mergeClientConfigurations } from './lib/merge-client-configurations.ts';
export type { ObjectVerbs } from './lib/object-verbs.ts';
export { type ConfiguredConnection, openConnection } from './lib/open-connection.ts';
export { parseClientConfiguration } from './lib/parse-client-configuration.ts';
export { CredentialPluginError, type PluginOutcome } from './lib/plugin-source.ts';
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
