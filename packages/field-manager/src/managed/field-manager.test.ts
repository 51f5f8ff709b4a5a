import {
  type ApiObject,
  deepFreeze,
  type JsonObject,
  type JsonValue,
  kubernetesVocabulary,
  type ManagedFieldsEntry,
  orchVocabulary,
  type Schema,
  StatusError,
} from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldPath } from '../fieldpath/path-element.ts';
import { compileKindFieldType } from '../typed/field-type.ts';
import { FieldManager, type FieldManagerOptions } from './field-manager.ts';

const text: Schema = { type: 'string' };
const textMap: Schema = { type: 'object', additionalProperties: text };
const configMap = compileKindFieldType({ type: 'object', properties: { data: textMap, status: textMap } });

interface Setup extends Partial<FieldManagerOptions> {
  readonly time?: () => number;
}

function manager({ time = () => 1, ...options }: Setup = {}): FieldManager {
  return new FieldManager({
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    versions: {
      typeOf: (version) => (version === 'v1' ? configMap : undefined),
      convert: (object) => object,
    },
    clock: { now: () => Date.UTC(2001, 0, 1, 0, time()) },
    vocabulary: orchVocabulary,
    ...options,
  });
}

const object = (content: JsonObject, metadata: JsonObject = {}): ApiObject =>
  deepFreeze({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', ...metadata },
    ...content,
  }) as ApiObject;
const config = (content: JsonObject, metadata: JsonObject = {}): JsonValue =>
  object(content, metadata) as unknown as JsonValue;
const entries = (of: ApiObject): readonly ManagedFieldsEntry[] | undefined => of.metadata.managedFields;
const owners = (of: ApiObject): JsonObject =>
  Object.fromEntries(
    (entries(of) ?? []).map(({ manager: name = '', fieldsV1 }) => [name, fieldsV1 ?? null]),
  ) as JsonObject;

function refusal(action: () => unknown): StatusError {
  try {
    action();
  } catch (error) {
    if (StatusError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the worked example of semantics/apply#example', () => {
  let minute = 0;
  const fields = manager({ time: () => ++minute });
  const created = fields.update(undefined, object({ data: { x: '1' } }, { labels: { a: '1' } }), {
    manager: 'curl',
  });
  const shared = fields.apply(created, config({ data: { x: '1', y: '2' } }, { labels: { a: '1' } }), {
    manager: 'm1',
  });

  it('1: the creator owns everything it sent', () => {
    expect(entries(created)).toEqual([
      {
        manager: 'curl',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2001-01-01T00:01:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:x': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } },
      },
    ]);
  });

  it('2: equal values are shared, and appliers come first', () => {
    expect(shared.data).toEqual({ x: '1', y: '2' });
    expect(entries(shared)?.map((entry) => [entry.manager, entry.operation])).toEqual([
      ['m1', 'Apply'],
      ['curl', 'Update'],
    ]);
    expect(owners(shared).m1).toEqual({
      'f:data': { 'f:x': {}, 'f:y': {} },
      'f:metadata': { 'f:labels': { 'f:a': {} } },
    });
  });

  it('3: other values conflict, unless forced', () => {
    const changed = config({ data: { x: '9', y: '2' } });
    const error = refusal(() => fields.apply(shared, changed, { manager: 'm1' }));
    expect([error.code, error.reason, error.message]).toEqual([
      409,
      'Conflict',
      'Apply failed with 1 conflict: conflict with "curl" using v1: .data.x',
    ]);
    expect(error.details).toEqual({
      causes: [
        { reason: 'FieldManagerConflict', message: 'conflict with "curl" using v1', field: '.data.x' },
      ],
    });
    const forced = fields.apply(shared, changed, { manager: 'm1', force: true });
    expect(owners(forced).curl).toEqual({
      'f:data': {},
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
    });
    expect(forced.metadata.labels).toEqual({ a: '1' });
  });

  it('4: what is no longer applied and has no other owner is removed', () => {
    const alone = fields.apply(undefined, config({ data: { x: '1', y: '2' } }), { manager: 'm1' });
    expect(fields.apply(alone, config({ data: { y: '2' } }), { manager: 'm1' }).data).toEqual({ y: '2' });
  });

  it('5 and 6: an apply that changes nothing has no time, and repeating it changes nothing at all', () => {
    const again = fields.apply(shared, config({ data: { y: '2' } }), { manager: 'm2' });
    expect(entries(again)?.find((entry) => entry.manager === 'm2')).not.toHaveProperty('time');
    expect(fields.apply(again, config({ data: { y: '2' } }), { manager: 'm2' })).toEqual(again);
  });

  it('7: an update removes removed fields from all managers', () => {
    const both = fields.apply(shared, config({ data: { y: '2' } }), { manager: 'm2' });
    const { data: _, ...rest } = both;
    const updated = fields.update(both, { ...rest, data: { x: '1' } } as ApiObject, { manager: 'curl' });
    expect(Object.keys(owners(updated))).toEqual(['m1', 'curl']);
    expect(owners(updated).m1).toEqual({
      'f:data': { 'f:x': {} },
      'f:metadata': { 'f:labels': { 'f:a': {} } },
    });
  });
});

describe('apply', () => {
  it('dates entries of a configuration with null managed fields, though it changes nothing', () => {
    const live = manager().apply(undefined, config({ data: { a: '1' } }), { manager: 'one' });
    const times = (metadata: JsonObject): unknown =>
      entries(manager().apply(live, config({ data: { a: '1' } }, metadata), { manager: 'two' }))?.map(
        (entry) => [entry.manager, entry.time],
      );
    const now = '2001-01-01T00:01:00Z';
    expect(times({ managedFields: null })).toEqual([
      ['one', now],
      ['two', now],
    ]);
    expect(times({})).toEqual([
      ['two', undefined],
      ['one', now],
    ]);
  });

  it('rejects invalid configurations of the kind', () => {
    const apply = (value: JsonValue) =>
      refusal(() => manager().apply(undefined, value, { manager: 'm' })).message;
    expect(apply(null)).toBe('invalid object type: /, Kind=');
    expect(apply({ apiVersion: 'apps/v1', kind: 'X' })).toBe('invalid object type: apps/v1, Kind=X');
    expect(apply({ apiVersion: 'v1', kind: 'Secret' })).toBe('invalid object type: /v1, Kind=Secret');
    expect(apply(config({}, { managedFields: [] }))).toBe('metadata.managedFields must be nil');
    expect(apply(config({}, { managedFields: [{ time: -1 }] }))).toBe('metadata.managedFields must be nil');
    expect(apply(config({}, { managedFields: [{ manager: 'a' }] }))).toBe(
      'metadata.managedFields must be nil',
    );
    // values that are no entries are errors of the type
    for (const managedFields of [1e20, 'x', {}, [1], [{ manager: 1 }]])
      expect(apply(config({}, { managedFields }))).toMatch(
        /^failed to create typed patch object \(.*\): \.metadata\.managedFields.*: expected (list|map|string), got /,
      );
    expect(apply(config({ nope: 1 }))).toBe(
      'failed to create typed patch object (/c; /v1, Kind=ConfigMap): .nope: field not declared in schema',
    );
  });

  it('first assigns existing fields to a manager of its own', () => {
    const applied = manager().apply(object({ data: { x: '1' } }), config({ data: { y: '1' } }), {
      manager: 'm',
    });
    expect(owners(applied)['before-first-apply']).toEqual({ 'f:data': { '.': {}, 'f:x': {} } });
    expect(
      refusal(() =>
        manager().apply(object({ data: { x: '1' } }), config({ data: { x: '2' } }), { manager: 'm' }),
      ).message,
    ).toContain('"before-first-apply" using v1: .data.x');
  });

  it('preserves an empty map that another manager owns', () => {
    const fields = manager();
    const first = fields.apply(undefined, config({ data: { x: '1' } }), { manager: 'a' });
    const second = fields.apply(first, config({ data: {} }), { manager: 'b' });
    expect(fields.apply(second, config({}), { manager: 'a' }).data).toEqual({});
  });

  it('ignores reset fields of the endpoint', () => {
    const versions = {
      typeOf: () => configMap,
      convert: (each: JsonObject) => each,
      resetFields: () => FieldSet.of(fieldPath('status')),
    };
    const applied = manager({ versions }).apply(undefined, config({ data: { x: '1' }, status: { y: '1' } }), {
      manager: 'm',
    });
    expect(owners(applied).m).toEqual({ 'f:data': { 'f:x': {} } });
  });

  it('migrates fields of client-side apply', () => {
    const fields = manager({ vocabulary: kubernetesVocabulary });
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const before = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { x: '1' } };
    const annotations = { [annotation]: JSON.stringify(before) };
    const created = fields.update(undefined, object({ data: { x: '1' } }, { annotations }), {
      manager: 'client',
    });
    const applied = fields.apply(created, config({ data: { x: '2' } }), { manager: 'kubectl' });
    expect(applied.metadata.annotations?.[annotation]).toBe(
      '{"apiVersion":"v1","data":{"x":"2"},"kind":"ConfigMap","metadata":{"name":"c"}}\n',
    );
    expect(
      refusal(() => fields.apply(created, config({ data: { x: '2' } }), { manager: 'other' })).code,
    ).toBe(409);
  });
});

describe('an apply over an object that does not fit its type', () => {
  const fields = manager();
  const applied = fields.apply(undefined, config({ data: { x: '1' } }), { manager: 'm' });
  const live = deepFreeze({ ...applied, data: { x: 1 } } as unknown as ApiObject);
  const applying = (content: JsonObject): string =>
    refusal(() => fields.apply(live, config(content), { manager: 'm' })).message;

  it('is refused for what it says first', () => {
    expect(applying({ nope: 1 })).toMatch(/^failed to create typed patch object .*: \.nope: /);
  });

  it('is refused for the object otherwise', () => {
    expect(applying({ data: { y: '2' } })).toMatch(/^failed to create typed live object .*: \.data\.x: /);
  });
});

describe('update', () => {
  it('leaves untracked objects untracked', () => {
    const next = object({ data: { x: '2' } });
    expect(manager().update(object({ data: { x: '1' } }), next, { manager: 'm' })).toEqual(next);
  });

  it('loses the owners of an object that is written under the name of another kind', () => {
    const fields = manager();
    const live = fields.update(undefined, object({ data: { x: '1' } }), { manager: 'a' });
    const next = { ...live, kind: 'Other' };
    expect(fields.update(live, next, { manager: 'b' }).metadata.managedFields).toBeUndefined();
  });

  it('lets clients edit the entries, and reset them with an empty one', () => {
    const fields = manager();
    const live = fields.update(undefined, object({ data: { x: '1' } }), { manager: 'a' });
    const write = (managedFields: JsonValue) =>
      owners(fields.update(live, object({ data: { x: '2' } }, { managedFields }), { manager: 'b' }));
    const whole = { 'f:data': {} };
    expect(write([{}])).toEqual({ b: { 'f:data': { 'f:x': {} } } });
    expect(write([])).toEqual({ a: whole, b: { 'f:data': { 'f:x': {} } } });
    expect(
      write([
        {
          manager: 'z',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': {} },
        },
      ]),
    ).toEqual({
      b: { 'f:data': { 'f:x': {} } },
      z: { 'f:data': {} },
    });
    expect(write([{ operation: 'nonsense' }])).toEqual({ a: whole, b: { 'f:data': { 'f:x': {} } } });
  });

  it('reads entries whose members are sorted by name, and writes them in the usual order', () => {
    const created = manager().update(undefined, object({ data: { a: '1', b: '1' } }), { manager: 'm1' });
    const [entry] = entries(created) as [ManagedFieldsEntry];
    const names = Object.keys(entry) as (keyof ManagedFieldsEntry)[];
    const sorted = Object.fromEntries(names.toSorted().map((name) => [name, entry[name]])) as JsonObject;
    const stored = object({ data: { a: '1', b: '1' } }, { managedFields: [sorted] });
    const next = object({ data: { a: '1', b: '1' }, status: { s: '1' } }, { managedFields: [sorted] });
    const [updated] = entries(manager().update(stored, next, { manager: 'm2' })) as [ManagedFieldsEntry];
    expect(JSON.stringify(updated)).toBe(JSON.stringify(entry));
    // what did not change is not encoded again
    expect(updated.fieldsV1).toBe(sorted.fieldsV1);
  });

  it('drops the managed fields of untrackable objects, and never fails', () => {
    const live = manager().update(undefined, object({ data: { x: '1' } }), { manager: 'a' });
    expect(entries(manager().update(live, object({ data: 'no map' }), { manager: 'b' }))).toBeUndefined();
  });

  it('merges the oldest entries if there are more than ten', () => {
    let minute = 0;
    const fields = manager({ time: () => ++minute });
    let live: ApiObject | undefined;
    const data: Record<string, string> = {};
    for (let writer = 0; writer < 13; writer++) {
      data[`k${writer}`] = 'x';
      const next = {
        ...object({ data: { ...data } }),
        metadata: { name: 'c', ...(live && { managedFields: entries(live) ?? [] }) },
      };
      live = fields.update(live, next as ApiObject, { manager: `m${writer}` });
    }
    const names = (entries(live as ApiObject) ?? []).map((entry) => entry.manager);
    expect(names).toHaveLength(10);
    expect(names[0]).toBe('ancient-changes');
  });
});

describe('any writes', () => {
  const value = fc.constantFrom('1', '2');
  const data = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value, { maxKeys: 3 });
  const step = fc.record({
    apply: fc.boolean(),
    force: fc.boolean(),
    manager: fc.constantFrom('x', 'y', 'z'),
    data,
  });

  it('make appliers own what they applied last, and the object contain it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const fields = manager();
        let live: ApiObject | undefined;
        for (const { apply, force, manager: name, data: wanted } of steps) {
          try {
            live = apply
              ? fields.apply(live, config({ data: wanted }), { manager: name, force })
              : fields.update(live, object({ data: wanted }), { manager: name });
          } catch (error) {
            if (!StatusError.is(error) || error.code !== 409) throw error;
            continue;
          }
          live = deepFreeze(live);
          if (!apply) continue;
          const has = live.data as Record<string, string>;
          for (const [key, each] of Object.entries(wanted))
            if (!Object.hasOwn(has, key) || has[key] !== each) return false;
        }
        return true;
      }),
    );
  });

  it('make a repeated forced apply change nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), data, (steps, wanted) => {
        const fields = manager();
        const live = steps.reduce<ApiObject | undefined>(
          (before, { manager: name, data: each }) =>
            fields.apply(before, config({ data: each }), { manager: name, force: true }),
          undefined,
        );
        const once = fields.apply(live, config({ data: wanted }), { manager: 'x', force: true });
        const twice = fields.apply(once, config({ data: wanted }), { manager: 'x', force: true });
        return JSON.stringify(once) === JSON.stringify(twice);
      }),
    );
  });
});
