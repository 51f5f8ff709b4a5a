import { describe, expect, it } from 'vitest';
import { FieldSet } from '../fieldpath/field-set.ts';
import { decodeFieldSet } from '../fieldpath/field-set-codec.ts';
import { fieldPath } from '../fieldpath/path-element.ts';
import { ApplyConflictError } from './apply-conflict.ts';

const owner = { manager: 'other', operation: 'Apply', apiVersion: 'v1', subresource: '' } as const;

const refusal = (fields: FieldSet) =>
  new ApplyConflictError([{ manager: { ...owner, fields }, fields }]).toStatusError();

describe('conflicts', () => {
  it('list every field', () => {
    const { message, details } = refusal(FieldSet.of(fieldPath('a', 'b'), fieldPath('a', 'c')));
    expect(message).toBe('Apply failed with 2 conflicts: conflicts with "other":\n- .a.b\n- .a.c');
    expect(details?.causes?.map(({ field }) => field)).toEqual(['.a.b', '.a.c']);
  });

  it('about very many paths are truncated and counted', () => {
    let level: object = {};
    for (let depth = 0; depth < 900; depth++) level = { 'f:leaf': {}, [`f:a${depth}`]: level };
    const { message, details } = refusal(decodeFieldSet(level as never));
    expect(message.length).toBeLessThan(300_000);
    const omitted = 901 - (details?.causes?.length ?? 0);
    expect(message).toContain('901 conflicts: ');
    expect(message.endsWith(`\nand ${omitted} more`)).toBe(true);
    expect(omitted).toBeGreaterThan(100);
  });
});
