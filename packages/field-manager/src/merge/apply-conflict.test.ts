import { runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { FieldSet } from '../fieldpath/field-set.ts';
import { decodeFieldSet } from '../fieldpath/field-set-codec.ts';
import { fieldPath } from '../fieldpath/path-element.ts';
import { ApplyConflictError } from './apply-conflict.ts';

const owner = { manager: 'other', operation: 'Apply', apiVersion: 'v1', subresource: '' } as const;

const conflictOf = (fields: FieldSet) => new ApplyConflictError([{ manager: { ...owner, fields }, fields }]);

const refusal = (fields: FieldSet) => runAtOnce(conflictOf(fields).statusErrorSteps());

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

  it('about very many fields are listed with pauses', () => {
    const count = 15_000;
    const fields = FieldSet.ofPaths(Array.from({ length: count }, (_, i) => fieldPath('data', `k${i}`)));
    const steps = conflictOf(fields).statusErrorSteps();
    let pauses = 0;
    let next = steps.next();
    for (; !next.done; next = steps.next()) pauses++;
    expect(next.value.message).toContain(`Apply failed with ${count} conflicts: `);
    // its paths, its causes and its lines
    expect(pauses).toBeGreaterThan((3 * count) / 1024 - 3);
  });

  it('that remain without fields of the caller are found with pauses', () => {
    const paths = Array.from({ length: 15_000 }, (_, i) => fieldPath('data', `k${i}`));
    const steps = conflictOf(FieldSet.ofPaths(paths)).withoutSteps(FieldSet.ofPaths(paths.slice(1)));
    let pauses = 0;
    let next = steps.next();
    for (; !next.done; next = steps.next()) pauses++;
    expect(next.value?.conflicts[0]?.fields.size).toBe(1);
    expect(pauses).toBeGreaterThan(3);
  });
});
