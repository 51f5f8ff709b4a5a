import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { printerColumns } from './printer-columns.ts';
import { selectableFields } from './selectable-fields.ts';

const now = Date.UTC(2024, 0, 1, 0, 1);
const object = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', creationTimestamp: '2024-01-01T00:00:00Z' },
  spec: { size: 3, on: true, list: [1, 2] },
} as unknown as ApiObject;
const cells = (...columns: { type: string; jsonPath: string }[]) =>
  printerColumns(columns.map((column) => ({ name: 'X', ...column }))).map((column) =>
    column.cell(object, now),
  );

describe('printerColumns', () => {
  it('has name and age by default', () => {
    expect(printerColumns([]).map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Age', 'date'],
    ]);
    expect(cells()).toEqual(['a', '60s']);
  });

  it('shows the values of its paths', () => {
    expect(
      cells(
        { type: 'integer', jsonPath: '.spec.size' },
        { type: 'string', jsonPath: '.spec.list' },
        { type: 'boolean', jsonPath: '.spec.size' },
        { type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { type: 'string', jsonPath: '.spec.none' },
      ),
    ).toEqual(['a', 3, '[1,2]', null, '60s', null]);
  });

  it('has cells that share a budget for each row', () => {
    const all = printerColumns(
      Array.from({ length: 600 }, () => ({ name: 'X', type: 'string', jsonPath: '.spec.text' })),
    );
    expect(all).toHaveLength(501);
    const large = { ...object, spec: { text: 'a'.repeat(1000) } } as unknown as ApiObject;
    for (let round = 0; round < 3; round++) {
      const row = all.map((column) => column.cell(large, now));
      expect(row.filter((cell) => cell !== null)).toHaveLength(1 + 262);
    }
  });

  it('stops at an invalid path', () => {
    expect(cells({ type: 'string', jsonPath: '.spec[' }, { type: 'string', jsonPath: '.spec.size' })).toEqual(
      ['a'],
    );
  });

  it('describes columns without a description', () => {
    const [, column] = printerColumns([
      { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
    ]);
    expect(column).toMatchObject({
      priority: 1,
      description: 'Custom resource definition column (in JSONPath format): .spec.size',
      timeless: true,
    });
  });
});

describe('selectableFields', () => {
  const fields = selectableFields([
    { jsonPath: '.spec.size' },
    { jsonPath: '.spec.on' },
    { jsonPath: '.spec.none' },
  ]);

  it('are named without the dot, and are strings', () => {
    expect(fields.names).toEqual(['spec.size', 'spec.on', 'spec.none']);
    expect(fields.names.map((name) => fields.valueOf(object, name))).toEqual(['3', 'true', '']);
  });
});
