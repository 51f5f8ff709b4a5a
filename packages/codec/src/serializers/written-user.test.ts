import { describe, expect, it } from 'vitest';
import { byteStringText } from './utf8.ts';
import { writtenUser } from './written-user.ts';

describe('writtenUser', () => {
  it('replaces each byte that is no UTF-8, everywhere', () => {
    const broken = byteStringText('syst\xe8me \xc3\xa9');
    const user = { name: broken, uid: broken, groups: ['a', broken], extra: { [broken]: [broken, 'b'] } };
    const text = 'syst\ufffdme é';
    expect(writtenUser(user)).toEqual({
      name: text,
      uid: text,
      groups: ['a', text],
      extra: { [text]: [text, 'b'] },
    });
    expect(writtenUser({ name: broken, groups: [] })).toEqual({ name: text, groups: [] });
  });

  it('leaves every text as it is', () => {
    const user = { name: 'système 🙂', groups: ['é'], extra: { a: ['b'] } };
    expect(writtenUser(user)).toBe(user);
  });
});
