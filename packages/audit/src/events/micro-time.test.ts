import { expect, it } from 'vitest';
import { microTime } from './micro-time.ts';

it.each([
  [Date.UTC(2024, 0, 2, 3, 4, 5, 6), '2024-01-02T03:04:05.006000Z'],
  [Date.UTC(2024, 0, 2, 3, 4, 5, 6) + 0.25, '2024-01-02T03:04:05.006250Z'],
  [Date.UTC(2024, 0, 2, 3, 4, 5, 6) + 0.9990234375, '2024-01-02T03:04:05.006999Z'],
])('prints %d as %s', (time, text) => {
  expect(microTime(time)).toBe(text);
});
