import type { Schema } from '@ashlar/core';
import fc from 'fast-check';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { schemas } from '../structural/schemas.fixture.ts';
import { toTypeScript } from './to-typescript.ts';

const shelf: Schema = {
  type: 'object',
  description: 'Holds books.',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['size', 'a-b'],
      properties: {
        size: { type: 'integer', description: 'How many fit.\nAt most */ one.' },
        'a-b': { type: 'string', enum: ['x', 'y'] },
        port: { intOrString: true },
        note: { type: 'string', nullable: true },
        books: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        any: { preserveUnknownFields: true },
        open: { type: 'object', preserveUnknownFields: true, properties: { a: { type: 'boolean' } } },
      },
    },
  },
};

describe('a TypeScript declaration', () => {
  it('corresponds to the schema', () => {
    expect(
      toTypeScript(shelf, { name: 'Shelf', metadataType: 'ObjectMeta', baseType: 'ApiObject' }),
    ).toBe(`/** Holds books. */
export interface Shelf extends ApiObject {
  readonly apiVersion?: string;
  readonly metadata?: ObjectMeta;
  readonly spec: {
    /**
     * How many fit.
     * At most *\\/ one.
     */
    readonly size: number;
    readonly "a-b": "x" | "y";
    readonly port?: number | string;
    readonly note?: string | null;
    readonly books?: ReadonlyArray<{
      readonly title?: string;
    }>;
    readonly labels?: { readonly [key: string]: string };
    readonly any?: unknown;
    readonly open?: {
      readonly a?: boolean;
      readonly [key: string]: unknown;
    };
  };
}
`);
  });

  it('is an alias if the values are not objects', () => {
    expect(toTypeScript({ type: 'array', items: { type: 'number' } }, { name: 'Numbers' })).toBe(
      'export type Numbers = ReadonlyArray<number>;\n',
    );
  });

  it('is rejected for what is not a name', () => {
    expect(() => toTypeScript(shelf, { name: 'a b' })).toThrow(
      new TypeError('"a b" is not a valid type name'),
    );
  });

  it('can be parsed for any schema', () => {
    fc.assert(
      fc.property(schemas, fc.string(), (schema, description) => {
        const text = toTypeScript({ ...schema, description }, { name: 'Some' });
        expect(parseAst(text, { lang: 'ts' }).body).toHaveLength(1);
      }),
    );
  });
});
