import { describe, expect, it } from 'vitest';
import { encodeProfile } from './encode-profile.ts';
import { changesBetween, type Profile } from './profile.ts';

/** Reads the fields of a message: numbers, and bytes of what has a length. */
function fields(bytes: Uint8Array): (readonly [number, bigint | Uint8Array])[] {
  const found: (readonly [number, bigint | Uint8Array])[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++] as number);
      value |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) return BigInt.asIntN(64, value);
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    if ((tag & 7) === 0) found.push([tag >> 3, varint()]);
    else {
      const length = Number(varint());
      found.push([tag >> 3, bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return found;
}

const all = (bytes: Uint8Array, field: number) =>
  fields(bytes).flatMap(([number, value]) => (number === field ? [value] : []));
const messages = (bytes: Uint8Array, field: number) => all(bytes, field) as Uint8Array[];
const numbers = (packed: Uint8Array): number[] => {
  // packed numbers are the fields of nothing: read as repeated pairs with a tag each
  const tagged = [...packed].flatMap((byte, i) =>
    i === 0 || (packed[i - 1] as number) < 0x80 ? [0x08, byte] : [byte],
  );
  return all(Uint8Array.from(tagged), 1).map(Number);
};

const main = { name: 'main', file: 'a.js', line: 3 };
const profile: Profile = {
  values: [{ type: 'cpu', unit: 'nanoseconds' }],
  samples: [
    { stack: [{ name: 'read' }, main], values: [300] },
    { stack: [main], values: [1] },
  ],
  period: { of: { type: 'cpu', unit: 'nanoseconds' }, amount: 10 },
};

describe('encodeProfile', () => {
  const bytes = encodeProfile(profile, { startMilliseconds: 1_700_000_000_000, durationMilliseconds: 2 });
  const texts = messages(bytes, 6).map((text) => new TextDecoder().decode(text));
  const text = (message: Uint8Array, field: number) => texts[Number(all(message, field)[0])];

  it('begins its texts with the empty one', () => {
    expect(texts).toEqual(['', 'cpu', 'nanoseconds', 'read', 'main', 'a.js']);
  });

  it('says what values are, and when and how often they were taken', () => {
    const [kind] = messages(bytes, 1) as [Uint8Array];
    expect([text(kind, 1), text(kind, 2)]).toEqual(['cpu', 'nanoseconds']);
    expect([all(bytes, 9), all(bytes, 10), all(bytes, 12)]).toEqual([
      [1_700_000_000_000_000_000n],
      [2_000_000n],
      [10n],
    ]);
  });

  it('has samples whose locations lead to functions, the innermost first', () => {
    const functions = new Map(
      messages(bytes, 5).map((each) => [Number(all(each, 1)[0]), `${text(each, 2)} ${text(each, 4)}`]),
    );
    const lines = new Map(
      messages(bytes, 4).map((each) => {
        const [line] = messages(each, 4) as [Uint8Array];
        return [Number(all(each, 1)[0]), `${functions.get(Number(all(line, 1)[0]))}:${all(line, 2)[0]}`];
      }),
    );
    const samples = messages(bytes, 2).map((each) => ({
      stack: numbers(messages(each, 1)[0] as Uint8Array).map((id) => lines.get(id)),
      values: numbers(messages(each, 2)[0] as Uint8Array),
    }));
    expect(samples).toEqual([
      { stack: ['read :0', 'main a.js:3'], values: [300] },
      { stack: ['main a.js:3'], values: [1] },
    ]);
  });

  it('has negative values for what is no longer there', () => {
    const changed = changesBetween(profile, { ...profile, samples: [] });
    const encoded = encodeProfile(changed, { startMilliseconds: 0, durationMilliseconds: 0 });
    const values = messages(encoded, 2).map((each) => numbers(messages(each, 2)[0] as Uint8Array));
    expect(values).toEqual([[-300], [-1]]);
  });
});
