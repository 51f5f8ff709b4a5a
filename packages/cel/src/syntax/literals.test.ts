import { expect, it } from 'vitest';
import { bytesLiteral } from './literals.ts';

it('reads bytes of texts and of escapes', () => {
  expect(bytesLiteral(String.raw`b'a\xffé\101\n'`)).toEqual({
    ok: true,
    value: Uint8Array.of(0x61, 0xff, 0xc3, 0xa9, 0x41, 0x0a),
  });
});

it('reads more bytes than a call can have arguments', () => {
  const literal = bytesLiteral(`b'${'😀'.repeat(1_000_000)}'`);
  expect(literal).toMatchObject({ ok: true, value: { length: 4_000_000 } });
});
