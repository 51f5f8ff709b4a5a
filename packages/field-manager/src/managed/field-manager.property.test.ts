import {
  type ApiObject,
  deepFreeze,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  orchVocabulary,
  type Schema,
  StatusError,
} from '@ashlar/core';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { FieldSet } from '../fieldpath/field-set.ts';
import { decodeFieldSet } from '../fieldpath/field-set-codec.ts';
import { type FieldPath, type PathElement, printFieldPath } from '../fieldpath/path-element.ts';
import { compileKindFieldType } from '../typed/field-type.ts';
import { listItemElement } from '../typed/list-item.ts';
import { fieldSetOf } from '../typed/typed-field-set.ts';
import { FieldManager } from './field-manager.ts';

const text: Schema = { type: 'string' };
const item: Schema = { type: 'object', properties: { name: text, value: text, labels: strings() } };
const spec: Schema = {
  type: 'object',
  properties: {
    text,
    labels: strings(),
    whole: { ...strings(), mapType: 'atomic' },
    tags: { type: 'array', listType: 'set', items: text },
    items: { type: 'array', listType: 'map', listMapKeys: ['name'], items: item },
  },
};
const type = compileKindFieldType({ type: 'object', properties: { spec } });
const itemList = type.map?.fields.get('spec')?.map?.fields.get('items')?.list;

function strings(): Schema {
  return { type: 'object', additionalProperties: text };
}

/** A manager with a fixed clock: times are not tested here. */
function manager(): FieldManager {
  return new FieldManager({
    kind: { group: '', version: 'v1', kind: 'Thing' },
    versions: { typeOf: (version) => (version === 'v1' ? type : undefined), convert: (object) => object },
    clock: { now: () => 0 },
    vocabulary: orchVocabulary,
  });
}

const word = fc.constantFrom('a', 'b', 'c');
const labels = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'é'), word, { minKeys: 1, maxKeys: 3 });
const content = fc.record(
  {
    text: word,
    labels,
    whole: labels,
    tags: fc.uniqueArray(word, { minLength: 1 }),
    items: fc.uniqueArray(fc.record({ name: word, value: word, labels }, { requiredKeys: ['name'] }), {
      minLength: 1,
      selector: ({ name }) => name,
    }),
  },
  { requiredKeys: [] },
);

const thing = (spec: object): JsonObject =>
  ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 't' }, spec }) as unknown as JsonObject;

const NOTHING: JsonObject = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 't' } };

const step = fc.record({
  apply: fc.boolean(),
  force: fc.boolean(),
  manager: fc.constantFrom<string>('x', 'y', 'z'),
  content,
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Returns the result of a step; the unchanged object if it conflicts. */
function take(fields: FieldManager, live: ApiObject | undefined, { apply, force, manager, content }: Step) {
  const next = thing(content);
  try {
    const result = apply
      ? fields.apply(live, next, { manager, force })
      : fields.update(live, next as unknown as ApiObject, { manager });
    return deepFreeze(result);
  } catch (error) {
    if (StatusError.is(error) && error.code === 409) return live;
    throw error;
  }
}

const takeAll = (steps: readonly Step[], read: (object: ApiObject) => ApiObject = (object) => object) => {
  const fields = manager();
  return steps.reduce<ApiObject | undefined>(
    (live, each) => take(fields, live && read(live), each),
    undefined,
  );
};

const ownedSets = (object: ApiObject): FieldSet[] =>
  (object.metadata.managedFields ?? []).map(({ fieldsV1 }) => decodeFieldSet(fieldsV1 as JsonValue));

/** The value at a path. */
function at(value: JsonValue | undefined, [element, ...rest]: FieldPath): JsonValue | undefined {
  if (!element || value === undefined) return value;
  return at(part(value, element), rest);
}

function part(value: JsonValue, element: PathElement): JsonValue | undefined {
  if (element.kind === 'field')
    return isJsonObject(value) && Object.hasOwn(value, element.name) ? value[element.name] : undefined;
  if (!Array.isArray(value)) return undefined;
  if (element.kind === 'value') return value.find((each) => each === element.value);
  return value.find((each: JsonValue) => itemList && listItemElement(itemList, each).text === element.text);
}

/** Content only: lists in any order, without empty maps and nulls, which removing the last part leaves. */
function essence(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(essence(each))).sort();
  if (!isJsonObject(value)) return value ?? null;
  const entries = Object.entries(value).map(([name, each]) => [name, essence(each)] as const);
  const filled = entries.filter(
    ([, each]) => each !== null && (!isJsonObject(each) || Object.keys(each).length > 0),
  );
  return Object.fromEntries(filled.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  JSON.stringify(essence(a)) === JSON.stringify(essence(b));

const specOf = (object: ApiObject | undefined): JsonValue | undefined =>
  (object as JsonObject | undefined)?.spec;

describe('After any writes', () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 8 });

  it('every owned field exists', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const object = takeAll(all);
        if (!object) return;
        for (const set of ownedSets(object)) {
          for (const path of set.leaves().paths()) {
            if (at(object as unknown as JsonValue, path) === undefined)
              throw new Error(`${printFieldPath(path)} is owned and is not there`);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('every value has an owner', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const object = takeAll(all);
        // what lost its last manager is not tracked until it is applied again
        if (!object?.metadata.managedFields) return;
        const owned = ownedSets(object).reduce((union, set) => union.union(set), FieldSet.of());
        const named = fieldSetOf({ spec: specOf(object) as JsonValue }, type).leaves();
        for (const path of named.difference(owned).paths()) {
          const value = at(object as unknown as JsonValue, path);
          // What lost its last part stays as null or empty, without an owner.
          if (value !== null && (!isJsonObject(value) || Object.keys(value).length > 0))
            throw new Error(`no manager owns ${printFieldPath(path)}`);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('it makes no difference whether an object is in memory or was decoded again', () => {
    const reread = (object: ApiObject): ApiObject => JSON.parse(JSON.stringify(object)) as ApiObject;
    fc.assert(
      fc.property(steps, (all) => JSON.stringify(takeAll(all)) === JSON.stringify(takeAll(all, reread))),
      { numRuns: 400 },
    );
  });

  it('it makes no difference what the manager created before', () => {
    const shared = manager();
    const created = (fields: FieldManager, made: JsonValue): string =>
      JSON.stringify(
        fields.update(
          undefined,
          { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' }, spec: made } as ApiObject,
          { manager: 'm' },
        ),
      );
    const odd = fc.record(
      { text: fc.constantFrom('a', 1, null), labels: fc.constantFrom({}, { a: 1 }, 'a'), other: word },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(content, odd as fc.Arbitrary<JsonValue>), (made) => {
        const outcome = (fields: FieldManager): string => {
          try {
            return created(fields, made as JsonValue);
          } catch (error) {
            return String(error);
          }
        };
        return outcome(shared) === outcome(manager());
      }),
      { numRuns: 1000 },
    );
  });

  it('applying, and then applying nothing, leaves the object unchanged', () => {
    fc.assert(
      fc.property(steps, content, (all, wanted) => {
        const before = takeAll(all);
        if (!before) return true;
        const fields = manager();
        const options = { manager: 'guest', force: false } as const;
        const visited = take(fields, before, {
          apply: true,
          force: false,
          manager: 'guest',
          content: wanted,
        });
        if (visited === before) return true;
        const left = fields.apply(visited, NOTHING, options);
        return same(specOf(left), specOf(before)) && !left.metadata.managedFields?.some(isGuest);
      }),
      {
        numRuns: 400,
        // a list whose last item was removed by its owner is null, and removed once a guest has left
        examples: [
          [
            [
              { apply: true, force: false, manager: 'y', content: { items: [{ name: 'a' }] } },
              {
                apply: false,
                force: false,
                manager: 'x',
                content: { items: [{ name: 'a', labels: { a: 'a' } }] },
              },
              { apply: true, force: false, manager: 'y', content: {} },
            ],
            { items: [{ name: 'a' }] },
          ],
        ],
      },
    );
  });
});

const isGuest = ({ manager }: { readonly manager?: string }): boolean => manager === 'guest';
