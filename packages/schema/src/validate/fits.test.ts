import type { JsonValue, Schema } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLinearPattern } from '../formats/pattern.ts';
import { pruneUnknown } from '../structural/prune.ts';
import { compilePruned } from '../structural/pruned.ts';
import { schemas, values } from '../structural/schemas.fixture.ts';
import { compileValueNode } from './compile-value-node.ts';
import { compileFits } from './fits.ts';
import { errorsOf } from './value-node.ts';

const countErrors = (schema: Schema, value: JsonValue): number =>
  errorsOf(compileValueNode(schema, compileLinearPattern).whole, value).length;

describe('fits', () => {
  it('returns true for valid values only', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        expect(compileFits(schema, compileLinearPattern).whole(value)).toBe(countErrors(schema, value) === 0);
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[Schema, JsonValue, boolean]>([
    [{ type: 'integer' }, 2 ** 60, true],
    [{ type: 'integer' }, 2n ** 64n, false],
    [{ type: 'string', nullable: true, enum: ['a'] }, null, false],
    [{ type: 'object', required: ['constructor'] }, {}, false],
    [{ type: 'object', properties: { a: { type: 'string' } } }, { a: undefined } as never, true],
    [{ type: 'number', format: 'date-time' }, '2024-01-02T03:04:05Z', false],
  ])('%j: %o is %s', (schema, value, fits) => {
    expect(compileFits(schema, compileLinearPattern).whole(value)).toBe(fits);
    expect(countErrors(schema, value) === 0).toBe(fits);
  });
});

describe('isPruned', () => {
  it('is true exactly if pruning changes nothing', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        expect(compilePruned(schema).whole(value)).toBe(samePruned(schema, value));
      }),
      { numRuns: 2000 },
    );
  });
});

/** Lists without a schema are always copied, so equality decides. */
function samePruned(schema: Schema, value: JsonValue): boolean {
  return JSON.stringify(pruneUnknown(value, schema, () => {})) === JSON.stringify(value);
}
