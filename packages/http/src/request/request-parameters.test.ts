import { orchVocabulary, StatusError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Query } from './query.ts';
import {
  decodeListParameters,
  integerParameter,
  type ListedResource,
  listRequest,
  parseDryRun,
  parseWriteParameters,
  watchRequest,
} from './request-parameters.ts';

const pages: ListedResource = {
  vocabulary: orchVocabulary,
  groupResource: { group: 'g', resource: 'pages' },
  requireFields({ requirements }) {
    if (requirements.some(({ field }) => field !== 'metadata.name'))
      throw StatusError.badRequest('no field but the name');
  },
};
const list = (query: string): ReturnType<typeof listRequest> =>
  listRequest(decodeListParameters(new Query(query), orchVocabulary), pages);
const watch = (query: string): ReturnType<typeof watchRequest> =>
  watchRequest(decodeListParameters(new Query(query), orchVocabulary, true), pages);

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (StatusError.is(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
}

const options = (text: string): string => `422 ListOptions.meta.orch.io "" is invalid: ${text}`;

describe('listRequest', () => {
  it('parses all parameters', () => {
    const request = list('limit=5&labelSelector=a%3Db&fieldSelector=metadata.name%3Dx&resourceVersion=7');
    expect(request).toMatchObject({ limit: 5, resourceVersion: 7 });
    expect(request.labels.matches({ a: 'b' })).toBe(true);
    expect(request.labels.matches({})).toBe(false);
    expect(request.fields.exactValue('metadata.name')).toBe('x');
    expect(request).not.toHaveProperty('continue');
  });

  it('has no version where versions are ignored, whatever was sent', () => {
    const sent = decodeListParameters(new Query('resourceVersion=x&continue=y&limit=5'), orchVocabulary);
    const request = listRequest(sent, { ...pages, ignoresVersions: true });
    expect(request).toMatchObject({ limit: 5 });
    expect(request).not.toHaveProperty('resourceVersion');
    expect(request).not.toHaveProperty('continue');
  });

  it('has no values by default', () => {
    const { labels, fields, ...rest } = list('resourceVersion=&continue=&resourceVersionMatch=');
    expect([labels.isEmpty, fields.isEmpty, rest]).toEqual([true, true, {}]);
  });

  it('accepts a token with any version', () => {
    expect(list('continue=abc&resourceVersion=0')).toMatchObject({ continue: 'abc' });
    expect(list('continue=abc&resourceVersion=0')).not.toHaveProperty('resourceVersion');
  });

  it.each([
    ['fieldSelector=a%3Db&resourceVersion=x&continue=y', '400 no field but the name'],
    ['limit=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=', '400 strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=1%00', '400 strconv.ParseInt: parsing "1\\x00": invalid syntax'],
    ['timeoutSeconds=1.5', '400 strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['limit=9223372036854775808', '400 strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    [
      'labelSelector=a%20b',
      `400 unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt`,
    ],
    ['fieldSelector=a', `400 invalid selector: 'a'; can't understand 'a'`],
    [
      'continue=eyJ2IjoibWV0YS5vcmNoLmlvL3YxIiwicnYiOjMsInN0YXJ0IjoiYSJ9&resourceVersion=3',
      '400 specifying resource version is not allowed when using continue',
    ],
    [
      'continue=a&resourceVersion=x',
      '400 invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
    ],
    [
      'resourceVersion=x',
      '400 invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    ['sendInitialEvents=1', options('sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list')],
    [
      'resourceVersionMatch=Exact',
      options(
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      ),
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      options(
        'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ),
    ],
  ])('rejects %s', (query, expected) => {
    expect(refusal(() => list(query))).toBe(expected);
  });
});

describe('watchRequest', () => {
  it('parses all parameters', () => {
    expect(watch('resourceVersion=4&allowWatchBookmarks=1&timeoutSeconds=9&limit=3')).toMatchObject({
      resourceVersion: 4,
      allowBookmarks: true,
      timeoutSeconds: 9,
    });
    expect(watch('timeoutSeconds=-3')).toMatchObject({ timeoutSeconds: -3 });
    expect(watch('timeoutSeconds=-9223372036854775808')).not.toHaveProperty('timeoutSeconds');
    expect(watch('timeoutSeconds=0')).not.toHaveProperty('timeoutSeconds');
    expect(watch('sendInitialEvents=0&resourceVersionMatch=NotOlderThan')).toMatchObject({
      sendInitialEvents: false,
      allowBookmarks: false,
    });
  });

  it('ignores a token if there is a version', () => {
    expect(refusal(() => watch('resourceVersion=4&continue=a'))).toBe('none');
  });

  it.each([
    [
      'resourceVersion=x',
      '422 pages.g "" is invalid: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      'resourceVersion=18446744073709551616',
      '422 pages.g "" is invalid: resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    [
      'continue=a',
      options('resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'),
    ],
    [
      'sendInitialEvents=1',
      options(
        'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ),
    ],
    ['limit=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
  ])('rejects %s', (query, expected) => {
    expect(refusal(() => watch(query))).toBe(expected);
  });
});

describe('parseWriteParameters', () => {
  const write = (query: string, kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' = 'CreateOptions') =>
    parseWriteParameters(new Query(query), orchVocabulary, kind, 'application/merge-patch+json');

  it('parses dry run, manager and field validation', () => {
    expect(write('dryRun=All&fieldManager=me&fieldValidation=Strict')).toEqual({
      dryRun: true,
      fieldManager: 'me',
      fieldValidation: 'Strict',
      options: { dryRun: ['All'], fieldManager: 'me', fieldValidation: 'Strict' },
    });
    expect(write('dryRun&fieldValidation=')).toEqual({
      dryRun: false,
      fieldManager: '',
      fieldValidation: 'Warn',
      options: { dryRun: [], fieldValidation: '' },
    });
    expect(parseDryRun(new Query('dryRun=&dryRun=All'))).toEqual(['All']);
  });

  it.each([
    ['dryRun=Some', 'dryRun: Unsupported value: '],
    [
      'fieldValidation=x',
      'fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    [`fieldManager=${'x'.repeat(129)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
  ])('rejects %s', (query, text) => {
    for (const kind of ['CreateOptions', 'UpdateOptions', 'PatchOptions'] as const)
      expect(refusal(() => write(query, kind))).toContain(`422 ${kind}.meta.orch.io "" is invalid: ${text}`);
  });

  it('rejects force for patches other than apply', () => {
    expect(refusal(() => write('force=false', 'PatchOptions'))).toContain('force: Forbidden');
    expect(refusal(() => write('force=false', 'UpdateOptions'))).toBe('none');
  });
});

describe('integerParameter', () => {
  it('parses integers of 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(integerParameter(new Query(`a=${value}`), 'a')).toBe(Number(value));
      }),
    );
    expect(integerParameter(new Query('a=%2B5'), 'a')).toBe(5);
    expect(integerParameter(new Query(''), 'a')).toBeUndefined();
  });

  it('rejects everything else with a 400, of any length', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[+-]?\d+$/.test(text));
        expect(refusal(() => integerParameter(new Query(`a=${encodeURIComponent(text)}`), 'a'))).toMatch(
          /^400 /,
        );
      }),
    );
    expect(refusal(() => integerParameter(new Query(`a=${'9'.repeat(1_000_000)}`), 'a'))).toContain(
      'out of range',
    );
  });
});
