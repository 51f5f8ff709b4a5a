import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { serverEnvironment } from '../environment/server-environment.ts';
import { types } from './types.ts';

const environment = serverEnvironment({ vocabulary: kubernetesVocabulary, release: '1.32' }).extend({
  variables: { any: types.dyn, name: types.string, made: types.object('Made'), list: types.list(types.int) },
  objectTypes: [{ name: 'Made', fieldType: () => undefined }],
});

/** The first issue of an expression, on one line. */
function issueOf(text: string): string | undefined {
  const compiled = environment.compile(text);
  return compiled.ok ? undefined : compiled.text.split('\n')[0]?.replace('ERROR: <input>:', '');
}

const TEXT =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

describe('literal formats', () => {
  it.each([
    ['"%s".format([made])', `1:14: error during formatting: ${TEXT}, was given Made`],
    ['"%s".format([[made]])', `1:15: error during formatting: ${TEXT}, was given Made`],
    ['"%s".format([{"a": made}])', `1:20: error during formatting: ${TEXT}, was given Made`],
    ['"%s".format([optional.of(1)])', `1:25: error during formatting: ${TEXT}, was given optional_type`],
    ['"%s".format([quantity("1")])', `1:22: error during formatting: ${TEXT}, was given kubernetes.Quantity`],
    [
      '"%d".format([name])',
      '1:14: error during formatting: decimal clause can only be used on integers, was given string',
    ],
    [
      '"%f".format([1])',
      '1:14: error during formatting: fixed-point clause can only be used on doubles, was given int',
    ],
    [
      '"%b".format([1.5])',
      '1:14: error during formatting: only integers and bools can be formatted as binary, was given double',
    ],
    [
      '"%X".format([list])',
      '1:14: error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given list',
    ],
    ['"%q".format([name])', '1:12: could not parse formatting clause: unrecognized formatting clause "q"'],
    ['"%s %s".format([name])', '1:15: index 1 out of range'],
    ['"%".format([name])', '1:11: unexpected end of string'],
    [
      '"%.3".format([1.5])',
      '1:13: could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
    ],
    ['"%%".format([name])', '1:12: too many arguments supplied to string.format (expected 0, got 1)'],
  ])('rejects %s', (text, issue) => {
    expect(issueOf(text)).toBe(issue);
  });

  it('accepts values of the type of their clause, and those whose type is not known', () => {
    const text = '"%s %s %.2f %e %x %% %d".format([any, [name, {1: list}], 1.5, "NaN", b"a", 1u])';
    expect(issueOf(text)).toBeUndefined();
    expect(issueOf('name.format([made])')).toBeUndefined();
    expect(issueOf('"%d".format([any, name].filter(x, true))')).toBeUndefined();
  });

  it('are not checked without the checks of literals', () => {
    const lenient = environment.extend({ checkLiterals: false });
    expect(lenient.compile('"%d".format([name])').ok).toBe(true);
  });
});
