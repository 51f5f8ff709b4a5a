import type { ObjectRecord } from '@ashlar/storage';
import { RecordIndex } from '@ashlar/storage';
import type { ResourceDefinition, ResourceVersion } from '../definition/resource-definition.ts';
import { fieldOfRecords } from './field-of-records.ts';

/** Maximum indexes of one resource type; clients choose the labels that they select by. */
const MAXIMUM_INDEXES = 128;

/** The index term of every object that has a label, whatever its value. */
export const PRESENT = '';

/**
 * The indexes of a resource type, created on first use. They belong to the definition, not to a server, so that forks of a server share
 * them.
 */
export class SelectionIndexes {
  static readonly #byDefinition: WeakMap<ResourceDefinition, SelectionIndexes> = new WeakMap();
  readonly #prefix: string;
  readonly #byName: Map<string, RecordIndex> = new Map();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Returns the indexes of a definition whose objects are below a prefix. */
  static of(definition: ResourceDefinition, prefix: string): SelectionIndexes {
    let indexes = SelectionIndexes.#byDefinition.get(definition);
    if (!indexes) {
      indexes = new SelectionIndexes(prefix);
      SelectionIndexes.#byDefinition.set(definition, indexes);
    }
    return indexes;
  }

  /** Index by the value of a label. */
  label(key: string): RecordIndex {
    return this.#index(`label ${key}`, ({ labels }) =>
      Object.hasOwn(labels, key) ? [labels[key] as string] : [],
    );
  }

  /** Index by the presence of a label. */
  labelPresence(key: string): RecordIndex {
    return this.#index(`presence ${key}`, ({ labels }) => (Object.hasOwn(labels, key) ? [PRESENT] : []));
  }

  /** Index by name, across namespaces. */
  name(): RecordIndex {
    return this.#index('name', ({ key }) => [key.slice(key.lastIndexOf('/') + 1)]);
  }

  /** Index by namespace, for paginated lists, whose tokens may continue in other namespaces. */
  namespace(): RecordIndex {
    const start = this.#prefix.length;
    return this.#index('namespace', ({ key }) => [key.slice(start, key.indexOf('/', start))]);
  }

  /** Index by a field that a version declares. */
  field(definition: ResourceDefinition, version: ResourceVersion, field: string): RecordIndex {
    return this.#index(`field ${version.name} ${field}`, (record) => [
      fieldOfRecords(definition, version, field)(record),
    ]);
  }

  #index(name: string, termsOf: (record: ObjectRecord) => readonly string[]): RecordIndex {
    const index = this.#byName.get(name) ?? new RecordIndex(this.#prefix, termsOf);
    this.#byName.delete(name);
    this.#byName.set(name, index);
    if (this.#byName.size > MAXIMUM_INDEXES) this.#byName.delete(this.#byName.keys().next().value as string);
    return index;
  }
}
