import { decodeJson } from '@ashlar/codec';
import { type JsonObject, type JsonValue, jsonEqual, type Schema } from '@ashlar/core';
import { collectStrictErrors, compileTyped } from '@ashlar/schema';
import type { CaseResult, Suite } from '../suite.ts';
import { readOracle } from './codec/oracle.ts';
import { readTypedKinds, type TypedKind } from './schema/typed-kinds.ts';

/**
 * Typed kinds, strict and not, compared with the reference's serializer (oracles/decode*.jsonl, suite
 * `strict`).
 */
export const suite: Suite = {
  name: 'oracles/decode',
  async *run(dataDirectory) {
    const kinds = readTypedKinds();
    for (const entry of readOracle(dataDirectory, 'decode')) {
      if (entry.suite === 'strict') yield runCase(entry as unknown as StrictCase, kinds);
    }
  },
};

interface StrictCase {
  readonly id: string;
  readonly suite: string;
  readonly json: string;
  /** The kind that the decoder expects if the body names none. */
  readonly kind: string;
  readonly strict: boolean;
  readonly object?: JsonObject;
  readonly gvk?: string;
  readonly error?: string | null;
}

interface Answer {
  readonly gvk?: string;
  readonly object?: JsonObject;
  readonly error?: string;
}

function runCase(entry: StrictCase, kinds: ReadonlyMap<string, TypedKind>): CaseResult {
  const { id, suite: suiteName } = entry;
  if (![...kinds.values()].some(({ kind }) => kind === entry.kind)) {
    return { id, suite: suiteName, outcome: 'skipped', reason: `no facts about the kind ${entry.kind}` };
  }
  const actual = answerTo(entry, kinds);
  const passed =
    head(actual.error) === head(entry.error) &&
    actual.gvk === entry.gvk &&
    jsonEqual(actual.object as JsonValue | undefined, entry.object);
  if (passed) return { id, suite: suiteName, outcome: 'passed' };
  const expected = { gvk: entry.gvk, object: entry.object, error: entry.error };
  return { id, suite: suiteName, outcome: 'failed', input: entry.json, expected, actual };
}

/**
 * The text after `of type` names Go types and is not a contract (semantics/verbs#decoding); neither are Go
 * package paths.
 */
const head = (error: string | null | undefined): string | undefined =>
  error?.replace(/ of type .*$/, '').replace(/ in scheme ".*"$/, '');

const TYPE_META: Schema = {
  type: 'object',
  typeName: '.',
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string' } },
};
const typeMeta = compileTyped(TYPE_META);

function answerTo(entry: StrictCase, kinds: ReadonlyMap<string, TypedKind>): Answer {
  let found: TypedKind;
  try {
    found = kindOf(entry, kinds);
  } catch (error) {
    return { error: (error as Error).message };
  }
  const gvk = gvkText(found);
  const errors = collectStrictErrors();
  try {
    const object = found.codec.decodeText(entry.json, errors.report);
    if (!entry.strict || errors.texts.length === 0) return { gvk, object };
    return { gvk, object, error: `strict decoding error: ${errors.texts.join(', ')}` };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function kindOf(entry: StrictCase, kinds: ReadonlyMap<string, TypedKind>): TypedKind {
  const meta = readTypeMeta(entry.json);
  const version = (meta.apiVersion as string | undefined) ?? '';
  if (version.split('/').length > 2) throw new Error(`unexpected GroupVersion string: ${version}`);
  const expected = [...kinds.values()].find(({ kind }) => kind === entry.kind) as TypedKind;
  const kind = (meta.kind as string | undefined) ?? expected.kind;
  const groupVersion = version === '' ? expected.groupVersion : version;
  const found = kinds.get(`${groupVersion} ${kind}`);
  if (!found) throw new Error(`no kind "${kind}" is registered for version "${groupVersion}" in scheme "…"`);
  return found;
}

function readTypeMeta(json: string): JsonObject {
  try {
    decodeJson(new TextEncoder().encode(json));
    return typeMeta.decodeText(json, () => {});
  } catch (error) {
    throw new Error(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

function gvkText({ groupVersion, kind }: TypedKind): string {
  const [group, version] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  return `${group}/${version}, Kind=${kind}`;
}
