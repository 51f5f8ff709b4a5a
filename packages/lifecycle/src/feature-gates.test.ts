import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultFeatureGates, parseFeatureGates } from './feature-gates.ts';
import { type FeatureGate, type FeatureGateName, featureGatesOf } from './known-feature-gates.ts';

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
      'Feature gate Done has no effect: its feature is always on.',
      'Setting GA feature gate Open=false. It will be removed in a future release.',
      'Setting deprecated feature gate Old=true. It will be removed in a future release.',
    ]);
  });

  it('knows the gates of other releases', () => {
    const at = (release: string) => featureGatesOf(release);
    expect(at('1.32').CBORServingAndStorage).toEqual({ stage: 'alpha', default: false });
    expect(at('1.16').APIResponseCompression).toEqual({ stage: 'beta', default: true });
    expect(at('1.15').APIResponseCompression).toEqual({ stage: 'alpha', default: false });
    expect(at('1.27').AggregatedDiscoveryEndpoint).toEqual({ stage: 'beta', default: true });
    expect(at('1.27').RemainingItemCount).toEqual({ stage: 'beta', default: true, locked: true });
    expect(at('1.25').AggregatedDiscoveryEndpoint).toEqual({
      stage: 'pre-alpha',
      default: false,
      locked: true,
    });
    expect(at('1.32').RetryGenerateName).toEqual({ stage: 'stable', default: true, locked: true });
    const parse = (text: string) => parseFeatureGates(text, at('1.31'), '1.31');
    expect(parse('AllAlpha=true').isEnabled('CBORServingAndStorage')).toBe(false);
    expect(() => parse('CBORServingAndStorage=true')).toThrow(
      'cannot set feature gate CBORServingAndStorage to true, feature is PreAlpha at emulated version 1.31',
    );
    expect(parse('RetryGenerateName=false').isEnabled('RetryGenerateName')).toBe(false);
    expect(parse('WatchBookmark=true').warnings).toHaveLength(2);
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
