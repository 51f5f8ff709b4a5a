import { describe, expect, it } from 'vitest';
import type { DefinitionConversion } from './custom-resource-definition.ts';
import { widgets } from './definition.fixture.ts';

describe('the conversion of a definition', () => {
  const conversionOf = (webhook: object): unknown =>
    widgets({ conversion: { strategy: 'None', webhook } as DefinitionConversion }).spec.conversion;

  it.each([{}, { conversionReviewVersions: null }])('has no webhook that says nothing: %j', (webhook) => {
    expect(conversionOf(webhook)).toEqual({ strategy: 'None' });
  });

  it('keeps a webhook with versions', () => {
    expect(conversionOf({ conversionReviewVersions: ['v1'] })).toHaveProperty('webhook');
  });
});
