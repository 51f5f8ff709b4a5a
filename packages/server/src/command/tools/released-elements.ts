import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DecodeError } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import type { ApiRelease, ElementKind, ElementStage, ReleasedElement } from '@ashlar/lifecycle';
import { readFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { documentValue } from './manifest-documents.ts';

/** The file of a release's folder that says when it was published, and lists its flags, behaviors, gates and metrics. */
const FILE = 'release.yaml';

const KINDS: ReadonlySet<unknown> = new Set<ElementKind>([
  'flag',
  'admin-flag',
  'behavior',
  'gate',
  'metric',
]);
const STAGES: ReadonlySet<unknown> = new Set<ElementStage>(['stable', 'beta', 'alpha']);

/**
 * Reads `release.yaml` of a folder: `published`, a date, and `elements`, each with kind, name, stage (stable by default), deprecated and
 * replacement.
 * @returns nothing where there is no such file
 * @throws UsageError for an invalid file
 */
export function readReleaseFile(folder: string): Pick<ApiRelease, 'published' | 'elements'> {
  const file = join(folder, FILE);
  if (!existsSync(file)) return {};
  const value = parse(file);
  const { published, elements = [], ...others } = isJsonObject(value) ? value : {};
  const [other] = Object.keys(others);
  if (!isJsonObject(value) || !Array.isArray(elements) || other !== undefined)
    throw new UsageError(`${file}: ${other === undefined ? 'is no release' : `unknown field ${other}`}`);
  const at = published === undefined ? undefined : Date.parse(String(published));
  if (Number.isNaN(at)) throw new UsageError(`${file}: published is no date such as 2026-01-31`);
  return {
    ...(at !== undefined && { published: at }),
    elements: elements.map((element, index) => asElement(element, `${file}: elements[${index}]`)),
  };
}

function parse(file: string): JsonValue {
  try {
    return documentValue({ text: readFile(file) });
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    throw new UsageError(`${file}: ${error.message}`);
  }
}

function asElement(value: JsonValue, place: string): ReleasedElement {
  const element: JsonObject = isJsonObject(value) ? value : {};
  const { kind, name, stage = 'stable', deprecated = false, replacement } = element;
  if (!KINDS.has(kind)) throw new UsageError(`${place}: kind must be one of ${[...KINDS].join(', ')}`);
  if (!STAGES.has(stage)) throw new UsageError(`${place}: stage must be one of ${[...STAGES].join(', ')}`);
  if (typeof name !== 'string' || typeof deprecated !== 'boolean')
    throw new UsageError(`${place}: name must be a text, and deprecated true or false`);
  if (replacement !== undefined && typeof replacement !== 'string')
    throw new UsageError(`${place}: replacement must be the name of an element`);
  return {
    ...{ kind: kind as ElementKind, name, stage: stage as ElementStage, deprecated },
    ...(replacement !== undefined && { replacement }),
  };
}
