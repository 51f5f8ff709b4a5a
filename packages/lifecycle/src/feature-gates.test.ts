import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultFeatureGates, parseFeatureGates } from './feature-gates.ts';
import type { FeatureGate, FeatureGateName } from './known-feature-gates.ts';

const known: Readonly<Record<string, FeatureGate>> = {
  First: { stage: 'alpha', default: false },
  Second: { stage: 'beta', default: true },
  Third: { stage: 'beta', default: false },
  Done: { stage: 'stable', default: true, locked: true },
  Open: { stage: 'stable', default: true },
  Old: { stage: 'deprecated', default: false },
};
/** The enabled gates of the table above. */
const on = (text: string): string[] => {
  const gates = parseFeatureGates(text, known);
  return Object.keys(known).filter((name) => gates.isEnabled(name as FeatureGateName));
};

describe('parseFeatureGates', () => {
  it('uses defaults for gates that are not named', () => {
    expect(on('')).toEqual(['Second', 'Done', 'Open']);
    expect(on(',,')).toEqual(['Second', 'Done', 'Open']);
    expect(defaultFeatureGates.isEnabled('APIResponseCompression')).toBe(true);
    expect(defaultFeatureGates.isEnabled('CBORServingAndStorage')).toBe(false);
    expect(defaultFeatureGates.warnings).toEqual([]);
  });

  it('sets named gates, the last of equal names, with or without blanks', () => {
    expect(on('First=true,Second=false')).toEqual(['First', 'Done', 'Open']);
    expect(on(' First = T ,Second=0, First=False')).toEqual(['Done', 'Open']);
  });

  it('sets a stage for gates that are not named themselves, in any order', () => {
    expect(on('AllAlpha=true')).toEqual(['First', 'Second', 'Done', 'Open']);
    expect(on('AllBeta=true')).toEqual(['Second', 'Third', 'Done', 'Open']);
    expect(on('AllBeta=false,Second=true')).toEqual(['Second', 'Done', 'Open']);
    expect(on('Second=true,AllBeta=false')).toEqual(['Second', 'Done', 'Open']);
  });

  it.each([
    ['First', 'missing bool value for First'],
    ['First=', 'invalid value of First=, err: strconv.ParseBool: parsing "": invalid syntax'],
    ['AllAlpha=x', 'invalid value of AllAlpha=x, err: strconv.ParseBool: parsing "x": invalid syntax'],
    ['First=yes', 'invalid value of First=yes, err: strconv.ParseBool: parsing "yes": invalid syntax'],
    ['=true', 'unrecognized feature gate: '],
    ['Removed=true', 'unrecognized feature gate: Removed'],
    ['toString=true', 'unrecognized feature gate: toString'],
    ['Done=false', 'cannot set feature gate Done to false, feature is locked to true'],
    [
      'Done=false,Nope=true',
      '[cannot set feature gate Done to false, feature is locked to true, unrecognized feature gate: Nope]',
    ],
  ])('rejects %j', (text, message) => {
    expect(() => parseFeatureGates(text, known)).toThrow(new Error(message));
  });

  it('warns about gates that will be removed, at any value', () => {
    expect(parseFeatureGates('Done=true,First=true,Open=false,Old=true', known).warnings).toEqual([
      'Setting GA feature gate Done=true. It will be removed in a future release.',
      'Setting GA feature gate Open=false. It will be removed in a future release.',
      'Setting deprecated feature gate Old=true. It will be removed in a future release.',
    ]);
  });

  it('distinguishes an undefined gate from a disabled one', () => {
    expect(() => parseFeatureGates('', known).isEnabled('CBORServingAndStorage')).toThrow(TypeError);
  });

  it('parses any text or throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'AllBeta=true, 01Done') }), (text) => {
        try {
          expect(parseFeatureGates(text, known).isEnabled('Done' as FeatureGateName)).toBe(true);
        } catch (error) {
          expect((error as Error).message).toMatch(/^\[?(missing|invalid|unrecognized|cannot set)/);
        }
      }),
    );
  });
});
