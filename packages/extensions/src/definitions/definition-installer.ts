import type { Ambient, Vocabulary } from '@ashlar/core';
import type { ApiCatalog } from '@ashlar/http';
import type { ObjectConverter, ResourceDefinition, ResourceStorage } from '@ashlar/registry';
import type { ObjectEvent, ObjectRecord, ObjectStore } from '@ashlar/storage';
import { isTrue } from './conditions.ts';
import { type CustomResourceDefinition, versionsOf } from './custom-resource-definition.ts';
import { customResourceDefinitions } from './definition-resource.ts';
import { fromCustomResourceDefinition } from './from-custom-resource-definition.ts';

/** A served definition. */
export interface InstalledDefinition {
  /** The definition's content from which the type was created; as long as it is equal, the type is unchanged. */
  readonly identity: string;
  readonly source: CustomResourceDefinition;
  readonly definition: ResourceDefinition;
}

/** Serves the types of stored definitions. */
export interface DefinitionInstaller extends Disposable {
  /** Starts following the store; fulfilled when every stored definition is served. */
  start(): Promise<void>;
  /** Installed types by the names of their definitions, for a fork. */
  readonly installed: ReadonlyMap<string, InstalledDefinition>;
}

export interface DefinitionInstallerOptions {
  /** The store of definitions. */
  readonly store: ObjectStore;
  /** The catalog of served types. */
  readonly catalog: ApiCatalog;
  readonly ambient: Ambient;
  /** The verbs of a type. */
  storageOf(definition: ResourceDefinition, converter: ObjectConverter | undefined): ResourceStorage;
  /** Converts objects of a type between versions; undefined if versions differ in their name only. */
  converterOf?(definition: CustomResourceDefinition): ObjectConverter | undefined;
  /** Types that another server over the same content has installed; served immediately, before the store is read. */
  readonly installed?: ReadonlyMap<string, InstalledDefinition>;
  /** Called with failures of the store, which are retried. */
  readonly onError?: (error: unknown) => void;
}

/** Delay of a retry. */
const AGAIN_MILLISECONDS = 1_000;

/**
 * Serves the types of stored definitions, and follows changes until it is disposed. It only reads, so that
 * any number of servers over one store are consistent.
 *
 * @example
 * using installer = createDefinitionInstaller({ store, catalog, ambient, storageOf });
 * await installer.start();
 */
export function createDefinitionInstaller(options: DefinitionInstallerOptions): DefinitionInstaller {
  return new Installer(options);
}

class Installer implements DefinitionInstaller {
  readonly #options: DefinitionInstallerOptions;
  readonly #vocabulary: Vocabulary;
  readonly #prefix: string;
  readonly #installed: Map<string, InstalledDefinition> = new Map();
  readonly #storages: Map<string, ResourceStorage> = new Map();
  #watch: Disposable | undefined;
  #started: Promise<void> | undefined;
  #isReady: () => void = () => {};
  #over = false;

  constructor(options: DefinitionInstallerOptions) {
    this.#options = options;
    this.#vocabulary = options.ambient.vocabulary;
    const { names, group } = customResourceDefinitions(this.#vocabulary);
    this.#prefix = `/${names.plural}.${group}/`;
    for (const [name, installed] of options.installed ?? []) this.#serve(name, installed);
  }

  start(): Promise<void> {
    if (this.#over) return Promise.resolve();
    this.#started ??= new Promise((resolve) => {
      this.#isReady = resolve;
      this.#listAndWatch();
    });
    return this.#started;
  }

  get installed(): ReadonlyMap<string, InstalledDefinition> {
    return this.#installed;
  }

  [Symbol.dispose](): void {
    this.#over = true;
    this.#isReady();
    this.#watch?.[Symbol.dispose]();
    for (const storage of this.#storages.values()) storage.close?.();
  }

  #listAndWatch(): void {
    this.#follow().catch((error) => this.#again(error));
  }

  /** Lists and then watches; starts again when either fails. */
  async #follow(): Promise<void> {
    const { records, revision } = await this.#options.store.list(this.#prefix);
    if (this.#over) return;
    this.#replaceAll(records);
    this.#isReady();
    this.#watch = this.#options.store.watch(
      this.#prefix,
      { afterRevision: revision },
      { events: (batch) => this.#apply(batch), error: (error) => this.#again(error) },
    );
  }

  #again(error: unknown): void {
    if (this.#over) return;
    this.#watch?.[Symbol.dispose]();
    this.#options.onError?.(error);
    this.#options.ambient.clock.setTimer(AGAIN_MILLISECONDS, () => {
      if (!this.#over) this.#listAndWatch();
    });
  }

  #replaceAll(records: readonly ObjectRecord[]): void {
    const names = new Set(records.map((record) => this.#nameOf(record)));
    for (const name of [...this.#installed.keys()]) if (!names.has(name)) this.#remove(name);
    for (const record of records) this.#consider(record);
  }

  #apply(batch: readonly ObjectEvent[]): void {
    for (const { type, record } of batch) {
      if (type === 'removed') this.#remove(this.#nameOf(record));
      else this.#consider(record);
    }
  }

  #nameOf({ key }: ObjectRecord): string {
    return key.slice(this.#prefix.length);
  }

  #consider(record: ObjectRecord): void {
    const name = this.#nameOf(record);
    try {
      const installed = this.#toInstall(name, record);
      if (installed) this.#serve(name, installed);
      else this.#remove(name);
    } catch (error) {
      // an invalid definition must not prevent others from being served
      this.#options.onError?.(error);
    }
  }

  /** Undefined for a definition that is not served. */
  #toInstall(name: string, record: ObjectRecord): InstalledDefinition | undefined {
    const source = record.object as CustomResourceDefinition;
    if (!isServed(source)) return undefined;
    const identity = identityOf(source);
    const before = this.#installed.get(name);
    if (before?.identity !== identity) {
      const make = (): InstalledDefinition => ({
        identity,
        source,
        definition: fromCustomResourceDefinition(source, this.#vocabulary),
      });
      return record.memo(`definition/${this.#vocabulary.name}`, make);
    }
    const terminating = isTrue(source, 'Terminating');
    if (before.definition.terminating === terminating) return before;
    return { identity, source, definition: { ...before.definition, terminating } };
  }

  #serve(name: string, installed: InstalledDefinition): void {
    const before = this.#installed.get(name);
    if (before?.definition === installed.definition) return;
    const { catalog, storageOf, converterOf } = this.#options;
    const { definition, identity } = installed;
    if (!before && this.#isServedByOther(definition)) return;
    const storage = storageOf(definition, converterOf?.(installed.source));
    if (before) catalog.replace(before.definition, definition, storage, before.identity === identity);
    else catalog.add(definition, storage);
    this.#installed.set(name, installed);
    this.#storages.get(name)?.close?.();
    this.#storages.set(name, storage);
  }

  /** A built-in type is not replaced. */
  #isServedByOther({ group, names, versions }: ResourceDefinition): boolean {
    return versions.some(({ name }) => this.#options.catalog.find(group, name, names.plural) !== undefined);
  }

  #remove(name: string): void {
    const installed = this.#installed.get(name);
    if (!installed) return;
    this.#installed.delete(name);
    this.#options.catalog.remove(installed.definition);
    this.#storages.get(name)?.close?.();
    this.#storages.delete(name);
  }
}

/** Types are served once they are established, under their accepted names. */
function isServed(definition: CustomResourceDefinition): boolean {
  const { plural, kind } = definition.status.acceptedNames;
  const some = versionsOf(definition).some(({ served }) => served);
  return isTrue(definition, 'Established') && plural !== '' && kind !== '' && some;
}

/** The generation counts changes of the spec; accepted names change separately. */
const identityOf = ({ metadata, status }: CustomResourceDefinition): string =>
  JSON.stringify([metadata.uid, metadata.generation, status.acceptedNames]);
