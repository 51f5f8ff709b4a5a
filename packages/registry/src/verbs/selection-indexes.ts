import type { ApiObject } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
import { RecordIndex } from '@ashlar/storage';
import type { ResourceDefinition, ResourceVersion } from '../definition/resource-definition.ts';
import { objectDecoder } from '../objects/object-decoder.ts';

/** Indexes of one resource type that are remembered; clients choose the labels that they select by. */
const KEPT = 128;

/** What every object that has a label is found by, whatever its value. */
export const PRESENT = '';

/**
 * The indexes by which objects of a resource type are selected, made when they are first asked for. They belong to the definition and
 * not to a server, so that the forks of a server go on with what was built.
 */
export class SelectionIndexes {
  static readonly #byDefinition: WeakMap<ResourceDefinition, SelectionIndexes> = new WeakMap();
  readonly #prefix: string;
  readonly #byName: Map<string, RecordIndex> = new Map();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Those of a definition whose objects are below a prefix. */
  static of(definition: ResourceDefinition, prefix: string): SelectionIndexes {
    let indexes = SelectionIndexes.#byDefinition.get(definition);
    if (!indexes) {
      indexes = new SelectionIndexes(prefix);
      SelectionIndexes.#byDefinition.set(definition, indexes);
    }
    return indexes;
  }

  /** By the value of a label. */
  label(key: string): RecordIndex {
    return this.#keep(`label ${key}`, ({ labels }) =>
      Object.hasOwn(labels, key) ? [labels[key] as string] : [],
    );
  }

  /** By whether a label is there. */
  labelPresence(key: string): RecordIndex {
    return this.#keep(`presence ${key}`, ({ labels }) => (Object.hasOwn(labels, key) ? [PRESENT] : []));
  }

  /** By name, across namespaces. */
  name(): RecordIndex {
    return this.#keep('name', ({ key }) => [key.slice(key.lastIndexOf('/') + 1)]);
  }

  /** By namespace, for lists in pages: their tokens tell of what lies behind in other namespaces. */
  namespace(): RecordIndex {
    const start = this.#prefix.length;
    return this.#keep('namespace', ({ key }) => [key.slice(start, key.indexOf('/', start))]);
  }

  /** By a field that a version declares. */
  field(definition: ResourceDefinition, version: ResourceVersion, field: string): RecordIndex {
    const { name, fromStorage, selectableFields } = version;
    const read = (object: ApiObject): ApiObject =>
      definition.dialect === 'custom'
        ? objectDecoder(definition, version).readStored(object)
        : (fromStorage?.(object) ?? object);
    return this.#keep(`field ${name} ${field}`, ({ object }) => [
      selectableFields?.valueOf(read(object), field) ?? '',
    ]);
  }

  #keep(name: string, termsOf: (record: ObjectRecord) => readonly string[]): RecordIndex {
    const index = this.#byName.get(name) ?? new RecordIndex(this.#prefix, termsOf);
    this.#byName.delete(name);
    this.#byName.set(name, index);
    if (this.#byName.size > KEPT) this.#byName.delete(this.#byName.keys().next().value as string);
    return index;
  }
}
