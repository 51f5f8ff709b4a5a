import { expect, it } from 'vitest';
import { z } from 'zod';
import { z as v3 } from 'zod/v3';
import { defineResource } from './define-resource.ts';

const options = { group: 'example.com', version: 'v1', kind: 'Widget', spec: z.object({ size: z.int() }) };

it.each<[string, object, string]>([
  [
    'a kind in lower case',
    { kind: 'widget' },
    'option "kind" of defineResource must be a name in the singular that begins with a capital, such as "Widget", not "widget"',
  ],
  ['no kind', { kind: undefined }, 'option "kind" of defineResource must be a name in the singular'],
  [
    'a group that is no domain',
    { group: 'example' },
    'option "group" of defineResource must be a domain of your own, such as "example.com", not "example"',
  ],
  ['an empty group', { group: '' }, 'option "group" of defineResource must be a domain of your own'],
  [
    'a number for a version',
    { version: 1 },
    'option "version" of defineResource must be a version such as "v1" or "v1beta1", not 1',
  ],
  [
    'a plural with capitals',
    { plural: 'Widgets' },
    'option "plural" of defineResource must be a name in lower case, such as "widgets", not "Widgets"',
  ],
  [
    'a scope in lower case',
    { scope: 'cluster' },
    'option "scope" of defineResource must be "Namespaced" or "Cluster", not "cluster"',
  ],
  [
    'an option that is mistyped',
    { colums: [] },
    'defineResource has no option "colums": did you mean "columns"?',
  ],
  [
    'no spec',
    { spec: undefined },
    'option "spec" of defineResource must be a type of zod, such as z.object({ … }), not undefined',
  ],
  [
    'a spec that is no type',
    { spec: { size: z.int() } },
    'option "spec" of defineResource: zod type of the root: a type of zod is expected',
  ],
  [
    'a spec of zod 3',
    { spec: v3.object({}) },
    'it is a type of zod 3, and zod 4 is needed: install zod@4, or import from "zod/v4"',
  ],
  [
    'a member of zod 3',
    { spec: z.object({ a: v3.string() as never }) },
    'zod type of a: it is a type of zod 3',
  ],
  ['a status that is no type', { status: 'yes' }, 'option "status" of defineResource must be a type of zod'],
  [
    'a storage without verbs',
    { storage: [] },
    'option "storage" of defineResource must be an object with some of the verbs get, list,',
  ],
  [
    'a validation that answers later',
    { validate: async () => [] },
    'option "validate" of defineResource must be a function that returns a list of errors',
  ],
  [
    'columns by name',
    { columns: { size: 'Size' } },
    'option "columns" of defineResource must be a list of columns, such as [{ name, cell }]',
  ],
  [
    'a column without a cell',
    { columns: [{ name: 'Size' }] },
    'option "cell" of column 0 of defineResource must be a function of the object, not undefined',
  ],
  [
    'a column of no type',
    { columns: [{ name: 'Size', type: 'int', cell: () => 1 }] },
    'option "type" of column 0 of defineResource must be one of string, integer, number, boolean, date, not "int"',
  ],
  [
    'a column option that is mistyped',
    { columns: [{ name: 'Size', prority: 1, cell: () => 1 }] },
    'column 0 of defineResource has no option "prority": did you mean "priority"?',
  ],
  [
    'a second column of names',
    { columns: [{ name: 'Name', cell: () => 1 }] },
    'has a name that another column has: "Name"',
  ],
])('rejects %s', (_, more, message) => {
  const define = () => defineResource({ ...options, ...more } as never);
  expect(define).toThrow(TypeError);
  expect(define).toThrow(message);
});

it('rejects values that are not options', () => {
  expect(() => defineResource(undefined as never)).toThrow(
    'defineResource takes an object with options, not undefined',
  );
});
