import { DecodeError } from '@ashlar/codec';
import { type ApiObject, parseApiVersion } from '@ashlar/core';
import { UsageError } from '../../usage-error.ts';
import { asApiObject, documentValue, type ManifestDocument } from '../manifest-documents.ts';
import { objectName, type ReadObject, readObjects } from './read-objects.ts';

/** Objects as they are before they are updated. */
export class OldObjects {
  readonly #objects: ReadonlyMap<string, ReadObject>;

  private constructor(objects: ReadonlyMap<string, ReadObject>) {
    this.#objects = objects;
  }

  static readonly none: OldObjects = new OldObjects(new Map());

  /** @throws UsageError for an object that occurs twice, and for one that no document updates */
  static read(path: string, documents: readonly ManifestDocument[]): OldObjects {
    const objects = new Map<string, ReadObject>();
    for (const read of readObjects('old', path)) {
      const key = keyOf(read.object);
      const twice = objects.get(key);
      if (twice)
        throw new UsageError(
          `flag --old: ${twice.place} and ${read.place} are both ${objectName(read.object)}`,
        );
      objects.set(key, read);
    }
    if (objects.size === 0) throw new UsageError(`flag --old: ${path} contains no document`);
    const updated = new Set(documents.flatMap(keysOf));
    for (const [key, { place, object }] of objects)
      if (!updated.has(key))
        throw new UsageError(`flag --old: ${place}: no document of the call updates ${objectName(object)}`);
    return new OldObjects(objects);
  }

  /** Returns the state of the object before; undefined if it is created. */
  of(object: ApiObject): ApiObject | undefined {
    return this.#objects.get(keyOf(object))?.object;
  }
}

/** The same for all versions of a kind. */
function keyOf({ apiVersion, kind, metadata: { name, namespace = 'default' } }: ApiObject): string {
  return JSON.stringify([parseApiVersion(apiVersion)?.group ?? apiVersion, kind, namespace, name]);
}

/** What cannot be read is reported when the document is vetted. */
function keysOf(document: ManifestDocument): readonly string[] {
  try {
    return [keyOf(asApiObject(documentValue(document)))];
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    return [];
  }
}
