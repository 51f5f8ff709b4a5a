import { describe, expect, it } from 'vitest';
import { LineWriter } from './line-writer.ts';

const line = (text: string): readonly Uint8Array[] => [new TextEncoder().encode(text)];
const LONG = [new Uint8Array(200_000), new Uint8Array(200_000)];

/** A writer whose long lines the test ends. */
function writerOf() {
  const written: string[] = [];
  const held: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const writer = new LineWriter({
    write: (bytes) => void written.push(new TextDecoder().decode(bytes)),
    writeLong(pieces) {
      written.push(`long of ${pieces.length}`);
      return new Promise((resolve, reject) => held.push({ resolve, reject }));
    },
  });
  return { writer, written, held };
}

describe('lines', () => {
  it('are written at once if they are short', () => {
    const { writer, written } = writerOf();
    expect(writer.write([line('a'), line('b')])).toBeUndefined();
    expect(written).toEqual(['a', 'b']);
  });

  it('wait for a long one, which is not put together, in their order', async () => {
    const { writer, written, held } = writerOf();
    const all = [writer.write([line('a'), LONG, line('b')]), writer.write([line('c')]), writer.write([LONG])];
    expect(written).toEqual(['a', 'long of 2']);
    held[0]?.resolve();
    await Promise.all(all.slice(0, 2));
    await new Promise((resolve) => setImmediate(resolve));
    expect(written.slice(2)).toEqual(['b', 'c', 'long of 2']);
    held[1]?.resolve();
    await all[2];
    await new Promise((resolve) => setImmediate(resolve));
    expect(writer.write([line('d')])).toBeUndefined();
  });

  it('are written after one that could not be', async () => {
    const { writer, written, held } = writerOf();
    const long = writer.write([LONG]);
    const next = writer.write([line('a')]);
    held[0]?.reject(new Error('no space'));
    await expect(long).rejects.toThrow('no space');
    await next;
    expect(written).toEqual(['long of 2', 'a']);
  });
});
