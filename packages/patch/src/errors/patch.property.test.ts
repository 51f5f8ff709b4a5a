import { deepFreeze, type JsonObject, type JsonValue, jsonEqual, type Schema } from '@ashlar/core';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { applyJsonPatch } from '../json-patch/apply-json-patch.ts';
import { decodeJsonPatch } from '../json-patch/decode-json-patch.ts';
import { createMergePatch, createThreeWayJsonMergePatch } from '../merge-patch/create-merge-patch.ts';
import { applyMergePatch } from '../merge-patch/merge-patch.ts';
import {
  createThreeWayMergePatch,
  createTwoWayMergePatch,
} from '../strategic/create-strategic-merge-patch.ts';
import { applyStrategicMergePatch } from '../strategic/strategic-merge-patch.ts';
import { PatchError } from './patch-error.ts';

const key = fc.constantFrom('a', 'b', 'list', 'parts', 'set', 'sub', '__proto__', 'constructor', 'toString');
const scalar = fc.constantFrom<JsonValue>('x', 'y', '', 0, 1, 1.5, true, false);
const { value } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
}));
const object = fc.dictionary(key, value, { maxKeys: 5 }) as fc.Arbitrary<JsonObject>;

/** Runs what may throw a PatchError, and nothing else. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

const hasNull = (at: JsonValue): boolean =>
  at === null || (typeof at === 'object' && Object.values(at).some((member) => hasNull(member as JsonValue)));

const hasNullInList = (at: JsonValue | undefined): boolean =>
  Array.isArray(at)
    ? hasNull(at)
    : typeof at === 'object' && at !== null && Object.values(at).some((member) => hasNullInList(member));

describe('JSON patches', () => {
  const token = fc.constantFrom('a', 'b', 'list', 'sub', '0', '1', '-1', '-', '__proto__', '');
  const path = fc.array(token, { maxLength: 4 }).map((tokens) => tokens.map((part) => `/${part}`).join(''));
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'other'),
      path,
      from: path,
      value,
    },
    { requiredKeys: ['op', 'path'] },
  ) as fc.Arbitrary<JsonObject>;

  it('apply or are rejected, and never change their input', () => {
    fc.assert(
      fc.property(object, fc.array(operation, { maxLength: 6 }), (document, operations) => {
        const before = JSON.stringify(document);
        attempt(() => applyJsonPatch(deepFreeze(document), decodeJsonPatch(deepFreeze(operations))));
        return JSON.stringify(document) === before && !Object.hasOwn(Object.prototype, 'a');
      }),
    );
  });

  it('equal their operations one by one', () => {
    fc.assert(
      fc.property(object, fc.array(operation, { maxLength: 6 }), (document, operations) => {
        const at = (patch: readonly JsonObject[]) =>
          attempt(() => [patch.reduce<JsonValue>((doc, one) => applyJsonPatch(doc, [one]), document)]);
        const whole = attempt(() => [applyJsonPatch(document, operations)]);
        return JSON.stringify(whole) === JSON.stringify(at(operations));
      }),
    );
  });
});

describe('merge patches', () => {
  it('created from two documents convert one to the other', () => {
    fc.assert(
      fc.property(object, object, (original, modified) => {
        fc.pre(!hasNull(modified));
        const patch = createMergePatch(deepFreeze(original), deepFreeze(modified));
        return JSON.stringify(sorted(applyMergePatch(original, patch))) === JSON.stringify(sorted(modified));
      }),
    );
  });

  it('applied again change nothing', () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        // A list that replaces an object keeps its nulls, one that replaces a list does not.
        fc.pre(!Object.values(patch).some(hasNullInList));
        const once = applyMergePatch(deepFreeze(document), deepFreeze(patch));
        const again = applyMergePatch(deepFreeze(once), patch);
        return JSON.stringify(sorted(again)) === JSON.stringify(sorted(once));
      }),
    );
  });

  it('created from three documents leave unapplied fields unchanged', () => {
    fc.assert(
      fc.property(object, object, object, (original, modified, current) => {
        const patch = createThreeWayJsonMergePatch(original, modified, current);
        const result = applyMergePatch(current, patch) as JsonObject;
        return Object.keys(current)
          .filter((name) => !Object.hasOwn(original, name) && !Object.hasOwn(modified, name))
          .every((name) => jsonEqual(result[name], current[name]));
      }),
    );
  });
});

describe('strategic merge patches', () => {
  const text: Schema = { type: 'string' };
  const part: Schema = {
    type: 'object',
    properties: { name: text, image: text, sub: { type: 'object', additionalProperties: text } },
  };
  const schema: Schema = {
    type: 'object',
    properties: {
      a: text,
      sub: { type: 'object', patchStrategy: 'retainKeys', properties: { a: text, b: text } },
      list: { type: 'array', items: text },
      set: { type: 'array', items: text, patchStrategy: 'merge' },
      parts: { type: 'array', items: part, patchStrategy: 'merge', patchMergeKey: 'name' },
    },
  };

  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const item = fc.record(
    { name, image: name, sub: fc.dictionary(name, name, { maxKeys: 2 }) },
    { requiredKeys: ['name'] },
  );
  const thing = fc.record(
    {
      a: name,
      sub: fc.record({ a: name, b: name }, { requiredKeys: [] }),
      list: fc.array(name, { minLength: 1, maxLength: 4 }),
      set: fc.uniqueArray(name, { minLength: 1 }),
      parts: fc.uniqueArray(item, { selector: (each) => each.name, minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;

  // As in the reference server, a set of scalars that is only to be sorted gets no order.
  const withSortedSet = ({ set, ...rest }: JsonObject): JsonObject =>
    Array.isArray(set) ? { ...rest, set: set.toSorted() } : rest;

  it('created from two objects convert one to the other', () => {
    fc.assert(
      fc.property(thing, thing, (original, modified) => {
        const patch = createTwoWayMergePatch(deepFreeze(original), deepFreeze(modified), schema);
        const result = applyStrategicMergePatch(original, deepFreeze(patch), schema);
        return jsonEqual(withSortedSet(result), withSortedSet(modified));
      }),
    );
  });

  it('created from three objects set all wanted fields', () => {
    // A new map keeps its `$retainKeys` as in the reference server, so the property is limited to maps
    // without.
    const plain: Schema = {
      ...schema,
      properties: { ...schema.properties, sub: { ...schema.properties?.sub, patchStrategy: '' } },
    };
    fc.assert(
      fc.property(thing, thing, thing, (original, modified, current) => {
        const patch = createThreeWayMergePatch(original, modified, current, plain, { overwrite: true });
        const result = applyStrategicMergePatch(current, patch, plain);
        const again = createThreeWayMergePatch(modified, modified, result, plain, { overwrite: true });
        return jsonEqual(applyStrategicMergePatch(result, again, plain), result);
      }),
    );
  });

  const directive = fc.constantFrom(
    '$patch',
    '$retainKeys',
    '$setElementOrder/set',
    '$setElementOrder/parts',
    '$deleteFromPrimitiveList/set',
    '$deleteFromPrimitiveList/list',
    '$setElementOrder',
    'name',
  );
  const directiveValue = fc.oneof(fc.constantFrom<JsonValue>('replace', 'delete', 'merge'), value);
  const wild = fc.letrec<{ any: JsonValue; map: JsonObject }>((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, value, tie('map'), fc.array(tie('map'), { maxLength: 3 })),
    map: fc
      .tuple(
        fc.dictionary(key, tie('any'), { maxKeys: 4 }),
        fc.dictionary(directive, directiveValue, { maxKeys: 2 }),
      )
      .map(([members, directives]) => ({ ...members, ...directives }) as JsonObject),
  }));

  it('apply or are rejected, and never change their input', () => {
    fc.assert(
      fc.property(fc.oneof(thing, object), wild.map, (original, patch) => {
        const before = JSON.stringify([original, patch]);
        attempt(() => applyStrategicMergePatch(deepFreeze(original), deepFreeze(patch), schema));
        return JSON.stringify([original, patch]) === before;
      }),
    );
  });

  it('are created or rejected for any documents', () => {
    fc.assert(
      fc.property(fc.oneof(thing, object), fc.oneof(thing, object), fc.oneof(thing, object), (a, b, c) => {
        attempt(() => createTwoWayMergePatch(deepFreeze(a), deepFreeze(b), schema));
        attempt(() => createThreeWayMergePatch(deepFreeze(a), deepFreeze(b), deepFreeze(c), schema));
      }),
    );
  });
});

describe('hostile depth', () => {
  const nest = (levels: number): JsonObject => {
    let at: JsonObject = {};
    for (let level = 0; level < levels; level++) at = { a: at };
    return at;
  };

  it('is rejected by every kind of patch, without recursion', () => {
    const deep = nest(100_000);
    for (const action of [
      () => applyMergePatch({}, deep),
      () => applyStrategicMergePatch({}, deep, {}),
      () => createMergePatch({}, deep),
      () => createTwoWayMergePatch(deep, deep, {}),
    ]) {
      if (attempt(action) !== undefined) throw new Error('depth was accepted');
    }
  });
});

function sorted(at: JsonValue): JsonValue {
  if (Array.isArray(at)) return at.map(sorted);
  if (typeof at !== 'object' || at === null) return at;
  const entries = Object.entries(at).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member as JsonValue)]));
}
