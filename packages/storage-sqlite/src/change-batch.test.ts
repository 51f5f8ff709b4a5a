import { deleteEvent, putEvent } from '@ashlar/storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packChanges, type StoredChange, unpackChanges } from './change-batch.ts';

test('changes survive the transfer between threads', () => {
  const change = fc.record({
    key: fc.string({ unit: 'grapheme', minLength: 1 }),
    value: fc.option(fc.uint8Array({ maxLength: 50 }), { nil: undefined }),
    time: fc.double({ min: 0, max: 4e12, noNaN: true }),
    deadline: fc.option(fc.double({ min: 0, max: 4e12, noNaN: true }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(change), fc.integer({ min: 1, max: 2 ** 52 }), (changes, base) => {
      const packed = packChanges(
        changes.map(({ key, value, time, deadline }, i) => ({
          event: value
            ? putEvent(key, value, base + i, undefined)
            : deleteEvent({ key, value: new Uint8Array(), revision: 1 }, base + i),
          time,
          deadline,
        })),
      );
      const unpacked: StoredChange[] = [];
      unpackChanges(structuredClone(packed), (stored) => unpacked.push(stored));
      expect(unpacked).toEqual(changes.map((one, i) => ({ ...one, revision: base + i })));
    }),
  );
});
