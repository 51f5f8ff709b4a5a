import { schemaType, typeText } from '@ashlar/cel';
import type { JsonValue, Schema } from '@ashlar/core';
import { expect, it } from 'vitest';
import { forEachVocabulary, throughSchema, withRules } from './clause-expressions.fixture.ts';

const text: Schema = { type: 'string' };
const int: Schema = { type: 'integer' };
const typeOf = (schema: Schema): string => {
  const found = schemaType(schema);
  return found ? typeText(found.type) : 'none';
};

const set: Schema = { type: 'array', items: text, listType: 'set' };
const keyed: Schema = {
  type: 'array',
  listType: 'map',
  listMapKeys: ['k'],
  items: { type: 'object', properties: { k: text, v: int } },
};
const plain: Schema = { type: 'array', items: text };
const entries = (...pairs: [string, number][]): JsonValue => pairs.map(([k, v]) => ({ k, v }));

forEachVocabulary('Mapping of schema types to expression types', ({ answerOf, failures }) => {
  const both = (schema: Schema, a: JsonValue, b: JsonValue) => ({
    a: throughSchema(schema, a),
    b: throughSchema(schema, b),
  });
  const holds = (schema: Schema, self: JsonValue, ...rules: string[]): void =>
    expect(failures(withRules(schema, ...rules), self)).toEqual([]);
  const refused = (schema: Schema, self: JsonValue, rule: string): void =>
    expect(failures(withRules(schema, rule), self)[0]).toMatch(/^rule compile error: /);

  it('L004: an object with properties is an object', () => {
    const schema: Schema = { type: 'object', properties: { a: int, b: text } };
    expect(schemaType(schema)?.type.kind).toBe('object');
    holds(schema, { a: 1 }, 'self.a == 1', 'has(self.a)', '!has(self.b)');
    refused(schema, { a: 1 }, 'self.c == 1');
    refused(schema, { a: 1 }, "self['a'] == 1");
    refused(schema, { a: 1 }, "self.a == 'x'");
  });

  it('L005: an object with additionalProperties is a map', () => {
    const schema: Schema = { type: 'object', additionalProperties: int };
    expect(typeOf(schema)).toBe('map(string, int)');
    holds(
      schema,
      { x: 1, y: 2 },
      "self['x'] == 1",
      "'y' in self",
      "!('z' in self)",
      'self.all(k, self[k] > 0)',
    );
    expect(failures(withRules(schema, 'self.all(k, self[k] > 1)'), { x: 1 })).toHaveLength(1);
    refused(schema, { x: 1 }, 'self[1] == 1');
  });

  it('L006: an embedded resource has its type and names', () => {
    const inner: Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { n: int } } },
    };
    const metadata = { name: 'x', generateName: 'x-', labels: {} };
    const self = { e: { apiVersion: 'v1', kind: 'K', metadata, spec: { n: 1 } } };
    const schema: Schema = { type: 'object', properties: { e: { ...inner, embeddedResource: true } } };
    const rules = [
      "self.e.apiVersion == 'v1'",
      "self.e.kind == 'K'",
      "self.e.metadata.name == 'x'",
      "self.e.metadata.generateName == 'x-'",
    ];
    holds(schema, self, ...rules, 'self.e.spec.n == 1');
    expect(schemaType(schema)?.fields?.get('e')?.type.type.kind).toBe('object');
    refused(schema, self, 'size(self.e.metadata.labels) == 0');
    for (const rule of rules) refused({ type: 'object', properties: { e: inner } }, self, rule);
  });

  it('L007: unknown fields that are preserved are not accessible', () => {
    const schema: Schema = { type: 'object', properties: { a: int }, preserveUnknownFields: true };
    expect(schemaType(schema)?.type.kind).toBe('object');
    holds(schema, { a: 1, b: 2 }, 'self.a == 1');
    for (const rule of ['self.b == 2', 'has(self.b)', "self['b'] == 2"])
      refused(schema, { a: 1, b: 2 }, rule);
  });

  it('L008: int-or-string is either', () => {
    const schema: Schema = { intOrString: true };
    const either = 'type(self) == int ? self < 5 : self == "50%"';
    for (const self of [1, '50%']) holds(schema, self, either);
    for (const self of [5, '51%']) expect(failures(withRules(schema, either), self)).toHaveLength(1);
    for (const self of [true, 1.5, {}]) {
      expect(failures(withRules(schema, 'self == self'), self)[0]).toContain('either a string or integer');
    }
  });

  it('L009: an array is a list', () => {
    expect(typeOf(plain)).toBe('list(string)');
    expect(typeOf({ type: 'array', items: plain })).toBe('list(list(string))');
    holds(plain, ['b', 'a'], "self[0] == 'b'", "self == ['b', 'a']", "self != ['a', 'b']", "'a' in self");
    refused(plain, ['b'], 'self[0] == 1');
  });

  it('L010: a list of type map is compared by its keys', () => {
    expect(schemaType(keyed)?.type.kind).toBe('list');
    const equal = (a: JsonValue, b: JsonValue): JsonValue => answerOf('a == b', both(keyed, a, b));
    expect(equal(entries(['x', 1], ['y', 2]), entries(['y', 2], ['x', 1]))).toBe(true);
    expect(equal(entries(['x', 1], ['y', 2]), entries(['y', 2], ['x', 2]))).toBe(false);
    expect(equal(entries(['x', 1], ['y', 2]), entries(['x', 1]))).toBe(false);
  });

  it('L011: a list of type set is compared as a set', () => {
    expect(typeOf(set)).toBe('list(string)');
    const equal = (a: JsonValue, b: JsonValue): JsonValue => answerOf('a == b', both(set, a, b));
    expect(equal(['x', 'y'], ['y', 'x'])).toBe(true);
    expect(equal(['x', 'y'], ['y', 'z'])).toBe(false);
    expect(equal(['x', 'y'], ['x'])).toBe(false);
  });

  it('L012: a boolean is a boolean', () => {
    expect(typeOf({ type: 'boolean' })).toBe('bool');
    holds({ type: 'boolean' }, true, 'self', 'type(self) == bool');
    expect(failures(withRules({ type: 'boolean' }, 'self'), false)).toHaveLength(1);
    refused({ type: 'boolean' }, true, 'self == 1');
  });

  it('L013: a number of any format is a double', () => {
    for (const format of [undefined, 'float', 'double', 'int32']) {
      const schema: Schema = { type: 'number', ...(format && { format }) };
      expect(typeOf(schema)).toBe('double');
      holds(schema, 2, 'type(self) == double', 'self / 4.0 == 0.5');
      refused(schema, 2, 'self / 4 == 0');
    }
  });

  it('L014: an integer of any format is an int of 64 bits', () => {
    for (const format of [undefined, 'int32', 'int64', 'uint64']) {
      const schema: Schema = { type: 'integer', ...(format && { format }) };
      expect(typeOf(schema)).toBe('int');
      holds(schema, 2, 'type(self) == int', 'self / 4 == 0');
      holds(schema, 9223372036854775807n, 'self == 9223372036854775807', 'self - 1 == 9223372036854775806');
      expect(failures(withRules(schema, 'self + 1 > 0'), 9223372036854775807n)[0]).toContain('overflow');
      refused(schema, 2, 'self / 4.0 == 0.5');
    }
  });

  it('L015: an unsigned number of 64 bits is a uint, which is not an integer', () => {
    expect(answerOf('[type(1u) == uint, type(1) == uint, type(1u) == int]')).toEqual([true, false, false]);
    expect(answerOf('18446744073709551615u > 18446744073709551614u')).toBe(true);
    expect(answerOf('18446744073709551615u + 1u')).toContain('overflow');
    expect(answerOf('0u - 1u')).toContain('overflow');
    expect(answerOf('1u + 1')).toContain("no matching overload for '_+_' applied to '(uint, int)'");
    refused(int, 1, 'self == 1u');
    holds(int, 1, 'uint(self) == 1u');
  });

  it('L016: null is of the type null_type', () => {
    const schema: Schema = { type: 'array', items: { type: 'string', nullable: true } };
    holds(schema, [null], 'type(dyn(self[0])) == null_type', 'dyn(self[0]) == null');
    expect(failures(withRules(schema, 'type(dyn(self[0])) == null_type'), ['x'])).toHaveLength(1);
    expect(answerOf('[type(null) == null_type, type(0) == null_type]')).toEqual([true, false]);
  });

  it('L017: a string is a string', () => {
    for (const format of [undefined, 'email', 'uuid']) {
      const schema: Schema = { type: 'string', ...(format && { format }) };
      expect(typeOf(schema)).toBe('string');
      holds(schema, 'abc', 'type(self) == string', "self + 'd' == 'abcd'", 'size(self) == 3');
      refused(schema, 'abc', 'self == 1');
    }
  });

  it('L018: a string of the format byte is bytes', () => {
    const schema: Schema = { type: 'string', format: 'byte' };
    expect(typeOf(schema)).toBe('bytes');
    holds(schema, 'aGk=', 'type(self) == bytes', "self == b'hi'", 'size(self) == 2');
    refused(schema, 'aGk=', "self == 'aGk='");
    expect(failures(withRules(schema, 'size(self) > 0'), '*')[0]).toContain(
      'Invalid byte formatted string *',
    );
  });

  it('L019: a string of the format date is a timestamp', () => {
    const schema: Schema = { type: 'string', format: 'date' };
    expect(typeOf(schema)).toBe('timestamp');
    holds(schema, '2024-02-29', "self == timestamp('2024-02-29T00:00:00Z')", 'self.getDate() == 29');
    refused(schema, '2024-02-29', "self == '2024-02-29'");
    expect(failures(withRules(schema, 'self == self'), '2024-02-30')[0]).toContain('Invalid date');
  });

  it('L020: a string of the format datetime is a timestamp', () => {
    for (const format of ['date-time', 'datetime']) {
      const schema: Schema = { type: 'string', format };
      expect(typeOf(schema)).toBe('timestamp');
      holds(
        schema,
        '2024-02-29T12:30:00Z',
        'self.getHours() == 12',
        "self > timestamp('2024-02-29T12:29:59Z')",
      );
      refused(schema, '2024-02-29T12:30:00Z', "self == ''");
      expect(failures(withRules(schema, 'self == self'), 'noon')[0]).toContain('Invalid date-time');
    }
  });

  it('L021: a string of the format duration is a duration', () => {
    const schema: Schema = { type: 'string', format: 'duration' };
    expect(typeOf(schema)).toBe('duration');
    holds(schema, '90s', "self == duration('1m30s')", 'self.getSeconds() == 90');
    refused(schema, '90s', "self == '90s'");
    expect(failures(withRules(schema, 'self == self'), 'long')[0]).toContain('Invalid duration long');
  });

  it('L022: the order of sets and keyed lists does not matter, that of others does', () => {
    expect(answerOf('a == b', both(set, ['x', 'y', 'z'], ['z', 'x', 'y']))).toBe(true);
    expect(answerOf('a == b', both(plain, ['x', 'y', 'z'], ['z', 'x', 'y']))).toBe(false);
    expect(answerOf('a != b', both(keyed, entries(['x', 1], ['y', 2]), entries(['y', 2], ['x', 1])))).toBe(
      false,
    );
  });

  it('L022: sets are added to a union', () => {
    expect(answerOf('a + b', both(set, ['x', 'y'], ['w', 'y', 'v', 'x']))).toEqual(['x', 'y', 'w', 'v']);
    expect(answerOf('a + b', both(plain, ['x', 'y'], ['y']))).toEqual(['x', 'y', 'y']);
  });

  it('L022: keyed lists are merged', () => {
    const sum = answerOf(
      'a + b',
      both(keyed, entries(['x', 1], ['y', 2]), entries(['w', 3], ['x', 9], ['v', 4])),
    );
    expect(sum).toEqual(entries(['x', 9], ['y', 2], ['w', 3], ['v', 4]));
  });
});
