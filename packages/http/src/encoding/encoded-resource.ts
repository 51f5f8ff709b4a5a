import type { Vocabulary } from '@ashlar/core';
import type { ResourceDefinition, ResourceVersion } from '@ashlar/registry';
import type { BlockCache } from './block-cache.ts';
import type { CachedRow } from './cached-row.ts';
import type { EncodingBudget } from './encoding-budget.ts';
import type { EncodingCache } from './encoding-cache.ts';
import type { IncludeObject } from './include-object.ts';
import type { ResourceCbor } from './resource-cbor.ts';
import type { ResourceProtobuf } from './resource-protobuf.ts';

/** What encoders need to know of a resource type: its names and columns, its codecs, and caches for what they encode. */
export interface EncodedResource {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
  readonly vocabulary: Vocabulary;
  readonly apiVersion: string;
  readonly protobuf: ResourceProtobuf;
  readonly cbor: ResourceCbor;
  /** Limits what all resources of the server cache. */
  readonly budget: EncodingBudget;
  /** Response bodies in JSON of objects that were read. */
  readonly jsonObjects: EncodingCache;
  /** List items in JSON, each after a comma. */
  readonly jsonItems: BlockCache;
  /** List items in YAML. */
  readonly yamlItems: BlockCache;

  /** Returns the cache of list items in JSON that have metadata only, in a version of the meta group. */
  metadataItems(version: string): BlockCache;

  /** Returns the caches of table rows in JSON. */
  tableRows(version: string, include: IncludeObject): TableRowCaches;
}

/** Caches of table rows: each with the time for which it is valid, and many as one piece. */
export interface TableRowCaches {
  readonly rows: EncodingCache<CachedRow>;
  readonly blocks: BlockCache;
}
