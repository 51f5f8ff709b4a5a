import { isJsonObject, type JsonObject } from '@ashlar/core';
import type { PublishedApis } from '@ashlar/http';
import type { BackendConnection } from '../backends/call-backend.ts';
import type { BackendDocuments, DescribedVersion, TaggedDocument } from './backend-documents.ts';

/** The cached description of a version that another server serves. If it cannot be refreshed it stays, marked as stale. */
export class BackendDescription {
  readonly #described: DescribedVersion;
  readonly #documents: BackendDocuments;
  readonly #changed: () => void;
  readonly #onError: (error: unknown) => void;
  #resources: readonly JsonObject[] | undefined;
  #isCurrent = false;
  #v2: TaggedDocument | undefined;
  #v3: ReadonlyMap<string, string> | undefined;
  #reported: string | undefined;

  constructor(
    described: DescribedVersion,
    documents: BackendDocuments,
    { changed, onError }: { readonly changed: () => void; readonly onError: (error: unknown) => void },
  ) {
    this.#described = described;
    this.#documents = documents;
    this.#changed = changed;
    this.#onError = onError;
  }

  get resources(): readonly JsonObject[] | undefined {
    return this.#resources;
  }

  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  get published(): PublishedApis {
    const document = this.#v2?.document;
    const { group, version } = this.#described;
    const path = `apis/${group}/${version}`;
    return {
      ...(document !== undefined && isJsonObject(document) && { v2: { document, path } }),
      ...(this.#v3 && { v3: this.#v3 }),
    };
  }

  /** The server cannot be reached. */
  markOutdated(): void {
    if (this.#isCurrent) this.#changed();
    this.#isCurrent = false;
  }

  /** Asks for everything again. Never rejects. */
  async refresh(backend: BackendConnection): Promise<void> {
    // without discovery nothing else is requested
    if (!(await this.#attempt(() => this.#refreshResources(backend)))) return;
    await this.#attempt(() => this.#refreshV2(backend));
    await this.#attempt(() => this.#refreshV3(backend));
  }

  /** Returns whether it was answered. Errors are reported when they begin. */
  async #attempt(refresh: () => Promise<boolean>): Promise<boolean> {
    try {
      if (await refresh()) this.#changed();
      return true;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reported) this.#onError(error);
      this.#reported = message;
      return false;
    }
  }

  /** Returns whether there is something new. */
  async #refreshResources(backend: BackendConnection): Promise<boolean> {
    try {
      const before = this.#resources;
      this.#resources = await this.#documents.resources(backend, this.#described, before);
      const isSame = this.#isCurrent && this.#resources === before;
      this.#isCurrent = true;
      return !isSame;
    } catch (error) {
      this.markOutdated();
      throw error;
    }
  }

  async #refreshV2(backend: BackendConnection): Promise<boolean> {
    const before = this.#v2;
    this.#v2 = await this.#documents.openApiV2(backend, before);
    return this.#v2 !== before;
  }

  async #refreshV3(backend: BackendConnection): Promise<boolean> {
    const before = this.#v3;
    this.#v3 = (await this.#documents.openApiV3(backend)) ?? new Map();
    return !before || !haveSameEntries(before, this.#v3);
  }
}

function haveSameEntries(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): boolean {
  if (before.size !== after.size) return false;
  for (const [path, address] of before) if (after.get(path) !== address) return false;
  return true;
}
