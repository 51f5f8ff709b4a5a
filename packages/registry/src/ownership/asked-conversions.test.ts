import { type ApiObject, doneSteps, type JsonObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { runWithConversions } from './asked-conversions.ts';

const ambient = {} as never;
const object = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'A',
  metadata: { name, managedFields: [] },
});

describe('a computation with conversions', () => {
  it('runs again until it has all forms, and asks once for equal objects', async () => {
    const asked: unknown[] = [];
    const convert = ([one]: readonly ApiObject[], apiVersion: string) => {
      asked.push([one?.metadata, apiVersion]);
      return [{ ...(one as ApiObject), apiVersion }];
    };
    const result = await runWithConversions({ convert }, ambient, (inVersion) => {
      const second = inVersion(object('a'), 'v2');
      return doneSteps(inVersion(second, 'v3').apiVersion);
    });
    expect(result).toBe('v3');
    expect(asked).toEqual([
      [{ name: 'a' }, 'v2'],
      [{ name: 'a' }, 'v3'],
    ]);
  });

  it('goes on without a form that there is not, and throws what it throws itself', async () => {
    const convert = async () => {
      throw new Error('no');
    };
    const attempts: string[] = [];
    const running = runWithConversions({ convert }, ambient, (inVersion) => {
      try {
        inVersion(object('a'), 'v2');
      } catch {
        attempts.push('without');
      }
      throw new Error('own');
    });
    await expect(running).rejects.toThrow('own');
    expect(attempts).toEqual(['without', 'without']);
  });
});
