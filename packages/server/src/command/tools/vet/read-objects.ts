import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DecodeError } from '@ashlar/codec';
import type { ApiObject } from '@ashlar/core';
import { readTextFile } from '../../read-text-file.ts';
import { UsageError } from '../../usage-error.ts';
import { asApiObject, documentValue, manifestDocuments } from '../manifest-documents.ts';

/** An object of a file that a flag names. */
export interface ReadObject {
  /** `FILE (document 2)` */
  readonly place: string;
  readonly object: ApiObject;
}

const MANIFEST = /\.(?:ya?ml|json)$/;

/**
 * Reads the objects of a file, or of the manifests directly in a folder.
 * @param flag that names the path
 * @throws UsageError that names the flag
 */
export function readObjects(flag: string, path: string): readonly ReadObject[] {
  return filesOf(path).flatMap((file) => objectsOf(flag, file));
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => MANIFEST.test(name));
  return names.sort().map((name) => join(path, name));
}

function objectsOf(flag: string, file: string): readonly ReadObject[] {
  return manifestDocuments(file, readTextFile(flag, file)).map((document) => {
    try {
      return { place: document.place, object: asApiObject(documentValue(document)) };
    } catch (error) {
      if (!DecodeError.is(error)) throw error;
      throw new UsageError(`flag --${flag}: ${document.place}: ${error.message}`);
    }
  });
}

/** Returns how messages name an object: `ConfigMap "a" of namespace "shop"`. */
export function objectName({ kind, metadata: { name, namespace } }: ApiObject): string {
  const where = namespace === undefined ? '' : ` of namespace ${JSON.stringify(namespace)}`;
  return `${kind} ${JSON.stringify(name ?? '')}${where}`;
}
