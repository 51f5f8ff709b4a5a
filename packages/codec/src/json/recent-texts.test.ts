import { expect, it } from 'vitest';
import { RecentTexts } from './recent-texts.ts';

it('keeps the last texts, up to their maximum', () => {
  const texts = new RecentTexts(10);
  const [a, b, c] = [{}, {}, {}];
  texts.set(a, 'aaaa');
  texts.set(b, 'bbbb');
  texts.set(a, 'aa');
  texts.set(c, 'cccc');
  expect([texts.get(a), texts.get(b), texts.get(c)]).toEqual(['aa', 'bbbb', 'cccc']);
  texts.set(c, 'ccccc');
  expect([texts.has(a), texts.has(b), texts.get(c)]).toEqual([true, false, 'ccccc']);
});

it('does not keep a text that is larger than all that may be kept', () => {
  const texts = new RecentTexts(10);
  const [small, large] = [{}, {}];
  texts.set(small, 'text');
  texts.set(large, 'x'.repeat(11));
  expect([texts.has(small), texts.has(large)]).toEqual([true, false]);
});
