import { expect, test } from 'vitest';
import { Patience } from './patience.ts';

test('patience that fails repeatedly shrinks to its minimum, and recovers slowly', () => {
  const patience = new Patience(100, 5);
  expect(patience.milliseconds).toBe(100);
  patience.lost();
  expect(patience.milliseconds).toBe(50);
  for (let i = 0; i < 20; i++) patience.lost();
  expect(patience.milliseconds).toBe(5);
  patience.succeeded();
  expect(patience.milliseconds).toBe(6.25);
  for (let i = 0; i < 40; i++) patience.succeeded();
  expect(patience.milliseconds).toBe(100);
});

test('patience without a minimum is constant', () => {
  const patience = new Patience(3000);
  patience.lost();
  patience.succeeded();
  expect(patience.milliseconds).toBe(3000);
});
