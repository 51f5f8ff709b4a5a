import { describe, expect, it } from 'vitest';
import { pluralOf } from './plural.ts';

describe('pluralOf', () => {
  it.each([
    ['Pod', 'pods'],
    ['Ingress', 'ingresses'],
    ['NetworkPolicy', 'networkpolicies'],
    ['Gateway', 'gatewaies'],
    ['Endpoints', 'endpoints'],
    ['', ''],
  ])('%s: %s', (kind, plural) => {
    expect(pluralOf(kind)).toBe(plural);
  });
});
