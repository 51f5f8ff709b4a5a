import { expect, it } from 'vitest';
import { PerGeneration } from './per-generation.ts';

it('is made once for each generation, when it is asked for', () => {
  let generation = 0;
  let made = 0;
  const value = new PerGeneration(
    () => generation,
    () => ++made,
  );
  expect([made, value.get(), value.get()]).toEqual([0, 1, 1]);
  generation++;
  expect([value.get(), value.get()]).toEqual([2, 2]);
});
