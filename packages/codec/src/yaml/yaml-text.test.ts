import { describe, expect, it } from 'vitest';
import { decodeYaml } from './yaml-decode.ts';

/** UTF-16 with a byte order mark. */
function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * (text.length + 1)));
  for (const [index, unit] of ['\ufeff', ...text.split('')].entries())
    view.setUint16(2 * index, unit.charCodeAt(0), littleEndian);
  return new Uint8Array(view.buffer);
}

describe('text of YAML', () => {
  it.each([true, false])('reads UTF-16 after a byte order mark (little endian: %s)', (littleEndian) => {
    const bytes = utf16('name: ключ 🔑\nlist: [1]\n', littleEndian);
    expect(decodeYaml(bytes).value).toEqual({ name: 'ключ 🔑', list: [1] });
  });

  it('reads a mark alone as an empty document', () => {
    expect(decodeYaml(Uint8Array.of(0xff, 0xfe)).value).toBe(null);
  });

  it('refuses half characters and lone surrogates', () => {
    expect(() => decodeYaml(Uint8Array.of(0xff, 0xfe, 0x61))).toThrow('yaml: incomplete UTF-16 character');
    expect(() => decodeYaml(utf16('a: \udc00', true))).toThrow('yaml: unexpected low surrogate area');
  });
});
