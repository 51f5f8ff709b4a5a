export { type Client, createClient } from './client/client.ts';
export type { ObjectVerbs } from './client/object-verbs.ts';
export type { Query } from './client/query.ts';
export type { ResourceClient, SubresourceClient } from './client/resource-client.ts';
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
} from './client/resource-options.ts';
export { groupVersionPath, resourcePath } from './client/resource-path.ts';
export type { DefinedResource } from './client/resource-reference.ts';
export { isExpired } from './client/watch-events.ts';
export {
  type ClientConfiguration,
  ClientConfigurationError,
  type ClusterEntry,
  type ConfigurationEntry,
  type ContextEntry,
  type ExecEntry,
  type UserEntry,
} from './configuration/client-configuration.ts';
export type { ConnectionSurroundings, PluginCall } from './configuration/connection-surroundings.ts';
export { mergeClientConfigurations } from './configuration/merge-client-configurations.ts';
export { parseClientConfiguration } from './configuration/parse-client-configuration.ts';
export type { ClientRequest, ConnectionOptions } from './connection/connection.ts';
export { createFetchTransport } from './connection/fetch-transport.ts';
export { type ConfiguredConnection, openConnection } from './connection/open-connection.ts';
export { CredentialPluginError, type PluginOutcome } from './connection/plugin-source.ts';
export { openUserTransport } from './connection/user-transport.ts';
export { webAmbient } from './connection/web-ambient.ts';
export {
  createInformer,
  type Informer,
  type InformerHandler,
  type InformerOptions,
  type ListedResource,
} from './informer/informer.ts';
export { keyOf, parseKey } from './informer/informer-store.ts';
export type { Lister } from './informer/lister.ts';
export {
  createWorkQueue,
  type RunOptions,
  type Work,
  type WorkQueue,
  type WorkQueueOptions,
  type WorkResult,
} from './informer/work-queue.ts';
