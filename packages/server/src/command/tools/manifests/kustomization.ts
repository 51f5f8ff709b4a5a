import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { parse } from 'yaml';
import type { ManifestFile } from './manifest-files.ts';

const NAMES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Whether a file describes a kustomization, by its name: such a file needs no kind. */
export const isKustomizationFile = (path: string): boolean => NAMES.includes(basename(path));

/**
 * Returns the absolute paths of the files that kustomizations use as patches: of those among the files, and of those in the folders of the
 * files. What a patch does not name is not the default of its version, but what the patched object has.
 */
export function patchFilesOf(files: readonly ManifestFile[]): ReadonlySet<string> {
  const texts = new Map<string, string>();
  for (const { path, text } of files) if (isKustomizationFile(path)) texts.set(resolve(path), text ?? '');
  for (const folder of new Set(files.map(({ path }) => dirname(resolve(path)))))
    for (const path of NAMES.map((name) => join(folder, name)))
      if (!texts.has(path) && existsSync(path)) texts.set(path, readFileSync(path, 'utf8'));
  return new Set(
    [...texts].flatMap(([path, text]) => patchesNamedIn(text).map((name) => resolve(dirname(path), name))),
  );
}

/** A kustomization that cannot be read names no patches; it is reported where it is checked itself. */
function patchesNamedIn(text: string): readonly string[] {
  let value: JsonValue;
  try {
    value = parse(text) as JsonValue;
  } catch {
    return [];
  }
  if (!isJsonObject(value)) return [];
  const paths = [
    ...entriesOf(value, 'patches').map(({ path }) => path),
    ...listOf(value.patchesStrategicMerge).filter((entry) => !String(entry).includes('\n')),
  ];
  return paths.filter((path) => typeof path === 'string');
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

const entriesOf = (value: JsonObject, field: string): readonly JsonObject[] =>
  listOf(value[field]).filter(isJsonObject);

/** A text or an object inside a kustomization, with its path. */
interface Inside<T> {
  readonly path: readonly (string | number)[];
  readonly value: T;
}

/** Returns the patches that are written into a kustomization. */
export function inlinePatches(kustomization: JsonObject): readonly Inside<string>[] {
  const texts = ['patches', 'patchesJson6902'].flatMap((field) =>
    listOf(kustomization[field]).map((entry, index) => ({
      path: [field, index, 'patch'],
      value: isJsonObject(entry) ? entry.patch : undefined,
    })),
  );
  const merged = listOf(kustomization.patchesStrategicMerge).map((value, index) => ({
    ...{ path: ['patchesStrategicMerge', index], value },
  }));
  return [...texts, ...merged].flatMap(({ path, value }) =>
    typeof value === 'string' && value.includes('\n') ? [{ path, value }] : [],
  );
}

/** Returns what a kustomization selects objects by: the targets of patches, the sources and targets of replacements. */
export function selectorsIn(kustomization: JsonObject): readonly Inside<JsonObject>[] {
  const targets = ['patches', 'patchesJson6902'].flatMap((field) =>
    listOf(kustomization[field]).map((entry, index) => ({
      ...{ path: [field, index, 'target'], value: isJsonObject(entry) ? entry.target : undefined },
    })),
  );
  const replacements = listOf(kustomization.replacements).flatMap((entry, index) => {
    if (!isJsonObject(entry)) return [];
    const at = ['replacements', index];
    return [
      { path: [...at, 'source'], value: entry.source },
      ...listOf(entry.targets).map((target, place) => ({
        ...{
          path: [...at, 'targets', place, 'select'],
          value: isJsonObject(target) ? target.select : undefined,
        },
      })),
    ];
  });
  return [...targets, ...replacements].flatMap(({ path, value }) =>
    value !== undefined && isJsonObject(value) ? [{ path, value }] : [],
  );
}
