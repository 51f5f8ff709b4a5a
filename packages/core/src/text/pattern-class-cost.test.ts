import { expect, it } from 'vitest';
import { patternClassCost } from './pattern-class-cost.ts';

it.each([
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 0],
  ['(?i)^[a-z\\x00-\\x3f]+-\\d$', 6],
  ['^\\p{L}+\\PL$', 1000],
  ['\\\\p{L}', 0],
  ['[\u0100-\u{1e940}]', 0],
  ['(?i)[\u0100-\u{1e940}]', 31248],
  ['(?s-i:a)[\\x{100}-\\x{10ffff}]', 31248],
  ['(?i)[\\x{1f300}-\\x{1f5ff}\u{1f600}-\u{1f64f}]', 0],
  ['a(?mi:[a-\u00ff])', 39],
])('%j costs %d', (pattern, expected) => {
  expect(patternClassCost(pattern)).toBe(expected);
});
