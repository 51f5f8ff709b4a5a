import { type ApiObject, doneSteps, type JsonValue, ParseError, runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceVersion } from '../definition/resource-definition.ts';
import { objectDecoder } from './create-object-decoder.ts';
import type { DecodeRequest, FieldValidation } from './decode-request.ts';
import type { ObjectDecoder } from './object-decoder.ts';
import { pages, shelvesOf } from './test-resource.fixture.ts';

const [v1] = pages.versions as [ResourceVersion];
const builtIn = objectDecoder(pages, v1);
const shelves = shelvesOf({
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { size: { type: 'integer', default: 3 }, open: { preserveUnknownFields: true } },
      },
    },
  },
});
const custom = objectDecoder(shelves, shelves.versions[0] as ResourceVersion);

const warnings: string[] = [];
const request = (
  fieldValidation: FieldValidation = 'Warn',
  findings: readonly string[] = [],
): DecodeRequest => {
  warnings.length = 0;
  return { fieldValidation, findings, warn: (text) => void warnings.push(text) };
};

function decodeText(text: string, of: DecodeRequest): ApiObject {
  if (!builtIn.decodeTextSteps) throw new TypeError('built-in kinds are decoded from text');
  return runAtOnce(builtIn.decodeTextSteps(text, of));
}

type Way = 'decode' | 'decodeText' | 'decodePatched';

function refusal(
  decoder: ObjectDecoder,
  value: JsonValue,
  way: Way = 'decode',
  of: DecodeRequest = request(),
): string {
  try {
    if (way === 'decodeText') {
      decodeText(JSON.stringify(value), of);
    } else if (way === 'decodePatched') runAtOnce(decoder.decodePatchedSteps(value, of));
    else decoder.decode(value, of);
  } catch (error) {
    const { code, message } = error as { code?: number; message: string };
    return `${code} ${message}`;
  }
  return 'none';
}

const KIND_TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

describe('the decoder of a built-in kind', () => {
  it('sets the kind, drops unknown fields, and reports them', () => {
    const page = {
      kind: 'Page',
      apiVersion: 'books.io/v1',
      metadata: { name: 'a', creationTimestamp: null },
      text: 't',
    };
    const { metadata, ...rest } = builtIn.decode({ metadata: { name: 'a' }, text: 't', other: 1 }, request());
    expect({ ...rest, metadata }).toEqual({ ...page, metadata: expect.objectContaining({ name: 'a' }) });
    expect(warnings).toEqual(['unknown field "other"']);
    expect(Object.keys(rest).slice(0, 2)).toEqual(['kind', 'apiVersion']);
  });

  it('ignores, reports or rejects findings, as requested', () => {
    const odd = { metadata: {}, other: 1 };
    expect([refusal(builtIn, odd, 'decode', request('Ignore', ['found'])), warnings]).toEqual(['none', []]);
    expect([refusal(builtIn, odd, 'decode', request('Warn', ['found'])), warnings]).toEqual([
      'none',
      ['found', 'unknown field "other"'],
    ]);
    expect([refusal(builtIn, odd, 'decode', request('Strict', ['found'])), warnings]).toEqual([
      '400 Page in version "v1" cannot be handled as a Page: strict decoding error: found, unknown field "other"',
      [],
    ]);
  });

  it('counts null as an object without fields', () => {
    const empty = decodeText('{}', request());
    expect([decodeText(' null\n', request()), builtIn.decode(null, request())]).toEqual([empty, empty]);
  });

  it('detects in JSON text what only the text shows', () => {
    const page = decodeText('{"text":"a","text":"b"}', request());
    expect(page).toMatchObject({ text: 'b' });
    expect(warnings).toEqual(['duplicate field "text"']);
    expect(() => decodeText('{', request())).toThrow(SyntaxError);
  });

  it.each<[JsonValue, string]>([
    [
      [],
      `400 the object provided is unrecognized (must be of type Page): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${KIND_TYPE}`,
    ],
    [
      'x',
      `400 the object provided is unrecognized (must be of type Page): couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${KIND_TYPE}`,
    ],
    [
      { kind: 5 },
      `400 the object provided is unrecognized (must be of type Page): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string`,
    ],
    [{ kind: 'Book' }, '400 Book in version "v1" cannot be handled as a Page: another kind was expected'],
    [
      { apiVersion: 'books.io/v2' },
      '400 Page in version "v2" cannot be handled as a Page: no such kind is known in "books.io/v2"',
    ],
    [
      { apiVersion: 'v1', kind: 'Pod' },
      '400 Pod in version "v1" cannot be handled as a Page: no such kind is known in "v1"',
    ],
    [
      { text: 5 },
      '400 Page in version "v1" cannot be handled as a Page: json: cannot unmarshal number into Go struct field Page.text of type string',
    ],
  ])('rejects %j', (value, expected) => {
    expect(refusal(builtIn, value)).toBe(expected);
  });

  it('rejects another version of the kind', () => {
    const first = { ...v1 };
    const versions = [first, { ...v1, name: 'v2', storage: false }];
    expect(refusal(objectDecoder({ ...pages, versions }, first), { apiVersion: 'books.io/v2' })).toBe(
      '400 the API version in the data (books.io/v2) does not match the expected API version (books.io/v1)',
    );
  });

  it('says what cannot be completed, also of a text', () => {
    const complete = (): never => {
      throw new ParseError('no number');
    };
    const decoder = objectDecoder(pages, { ...v1, complete });
    const object = { apiVersion: 'books.io/v1', kind: 'Page', metadata: { name: 'a' } };
    const why = 'Page in version "v1" cannot be handled as a Page: no number';
    expect(refusal(decoder, object)).toBe(`400 ${why}`);
    const { decodeTextSteps: read = () => doneSteps(decoder.emptyObject) } = decoder;
    expect(() => runAtOnce(read(JSON.stringify(object), request()))).toThrow(why);
  });

  it('accepts versions in which the kind has the same fields', () => {
    const decoder = objectDecoder({ ...pages, equalVersions: ['papers.io/v1beta1'] }, { ...v1 });
    const object = { apiVersion: 'papers.io/v1beta1', kind: 'Page', metadata: { name: 'a' } };
    expect(refusal(decoder, object)).toBe(refusal(decoder, { ...object, apiVersion: 'books.io/v1' }));
    expect(refusal(decoder, { ...object, kind: 'Book' })).toBe(
      '400 Book in version "v1beta1" cannot be handled as a Page: another kind was expected',
    );
  });

  it('rejects former versions of the kind as it does others that are served', () => {
    const decoder = objectDecoder({ ...pages, formerVersions: ['papers.io/v1'] }, { ...v1 });
    const former = { apiVersion: 'papers.io/v1' };
    expect(refusal(decoder, former)).toBe(
      '400 the API version in the data (papers.io/v1) does not match the expected API version (books.io/v1)',
    );
    expect(refusal(decoder, { ...former, kind: 'Book' })).toMatch(
      /no such kind is known in "papers.io\/v1"$/,
    );
  });

  it.each([
    ['{"kind":{},"kind":"Page"}', /cannot unmarshal object into Go struct field \.kind of type string$/],
    ['{"KIND":"Book"}', /^400 Book in version "v1" cannot be handled as a Page/],
    ['{"Kind":"Book","kind":"Page","text":5}', /Go struct field Page\.text of type string$/],
    ['{"kind":"Page","kind":"Book","text":5}', /another kind was expected$/],
  ])('finds the kind of %s in any case and in all occurrences', (text, expected) => {
    expect(() => decodeText(text, request())).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(new RegExp(expected.source.replace('^400 ', '^'))),
      }),
    );
  });

  it('reports a wrong kind before errors in its fields', () => {
    expect(refusal(builtIn, { kind: 'Book', text: 5 }, 'decodeText')).toMatch(/^400 Book in version/);
    expect(refusal(builtIn, { text: 5 }, 'decodeText')).toBe(refusal(builtIn, { text: 5 }));
  });

  it('decodes text and values alike', () => {
    const part = fc.oneof(
      fc.constantFrom<JsonValue>('Page', 'books.io/v1', null, 1, '', {}, []),
      fc.string(),
    );
    const any = fc.record(
      {
        kind: part,
        apiVersion: part,
        metadata: fc.record({ name: part, labels: part }),
        text: part,
        x: part,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(any, (value) => {
        const [one, other] = [
          refusal(builtIn, value as JsonValue),
          refusal(builtIn, value as JsonValue, 'decodeText'),
        ];
        expect(other.slice(0, 4)).toBe(one.slice(0, 4));
        if (one !== 'none') return;
        const read = decodeText(JSON.stringify(value), request());
        expect(read).toEqual(builtIn.decode(value as JsonValue, request()));
      }),
    );
  });

  it('rejects broken patch results in words of their own', () => {
    expect(refusal(builtIn, { apiVersion: 'books.io/v1', text: 5 }, 'decodePatched')).toBe(
      '422  "" is invalid: patch: Invalid value: "{\\"apiVersion\\":\\"books.io/v1\\",\\"text\\":5}": json: cannot unmarshal number into Go struct field Page.text of type string',
    );
    expect(refusal(builtIn, { apiVersion: 'books.io/v1', text: [2n ** 60n] }, 'decodePatched')).toMatch(
      /^422 .*1152921504606846976/,
    );
    const unsorted = { text: 5, apiVersion: 'books.io/v1', metadata: { name: 'a', labels: {} } };
    expect(refusal(builtIn, unsorted, 'decodePatched')).toContain(
      '"{\\"apiVersion\\":\\"books.io/v1\\",\\"metadata\\":{\\"name\\":\\"a\\",\\"labels\\":{}},\\"text\\":5}"',
    );
    expect(refusal(builtIn, { kind: 'Book' }, 'decodePatched')).toMatch(/^422 {2}"" is invalid: patch: /);
    expect(refusal(builtIn, [], 'decodePatched')).toMatch(/^422 {2}"" is invalid: patch: /);
    expect(refusal(builtIn, {}, 'decodePatched')).toBe('none');
    expect(refusal(builtIn, { kind: '' }, 'decodePatched')).toBe('none');
    expect(refusal(builtIn, { apiVersion: 'a/b/c' }, 'decodePatched')).toContain(
      ': unexpected GroupVersion string: a/b/c',
    );
    expect(refusal(builtIn, { apiVersion: 1 }, 'decodePatched')).toContain(
      ": couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string",
    );
    expect(refusal(builtIn, { apiVersion: 'books.io/v1', x: 1 }, 'decodePatched', request('Strict'))).toMatch(
      /^400 .*strict decoding error/,
    );
  });

  it('reads the kind of a patched text in any case, and that of a map as it is', () => {
    const odd = { apiVersion: 'books.io/v1', KIND: 3 };
    expect(refusal(builtIn, odd, 'decodePatched')).toContain(
      'json: cannot unmarshal number into Go struct field .kind of type string',
    );
    expect(refusal(builtIn, odd, 'decodePatched', { ...request(), strategicPatch: {} })).toBe('none');
    expect(refusal(builtIn, { apiVersion: 'books.io/v1', Kind: 'Book' }, 'decodePatched')).toMatch(/^422 /);
  });

  it('reports what a strategic merge patch adds in the order of the texts', () => {
    const patched = { apiVersion: 'books.io/v1', zone: 1, metadata: { odd: 1 }, 'metadata-x': 2, KIND: 'a' };
    runAtOnce(builtIn.decodePatchedSteps(patched, { ...request(), strategicPatch: {} }));
    expect(warnings).toEqual(
      ['KIND', 'metadata-x', 'metadata.odd', 'zone'].map((name) => `unknown field "${name}"`),
    );
  });

  it('shows a strategic merge patch, whose values are not read from a text', () => {
    const strategicPatch = { text: 5, metadata: { labels: { b: null, a: ['x', 1.5] } } };
    const patched = { apiVersion: 'books.io/v1', metadata: { name: 'a' }, text: 5 };
    expect(refusal(builtIn, patched, 'decodePatched', { ...request(), strategicPatch })).toBe(
      '422  "" is invalid: patch: Invalid value: "map[metadata:map[labels:map[a:[x 1.5] b:<nil>]] text:5]": cannot convert int64 to string',
    );
  });

  it('shows a patched object whole unless it is very long', () => {
    const text = (length: number): string =>
      refusal(builtIn, { apiVersion: 'books.io/v1', text: ['x'.repeat(length)] }, 'decodePatched');
    expect(text(5000)).toContain(`${'x'.repeat(5000)}\\"]}": json: `);
    expect(text(70_000)).toContain('xxx...": json: ');
    expect(text(70_000).length).toBeLessThan(66_000);
  });

  it('knows no field of what a patch leaves without a version', () => {
    const patched = { apiVersion: '', kind: 'Page', text: 5, metadata: { name: 'a' } };
    const decoded = runAtOnce(builtIn.decodePatchedSteps(patched, request()));
    expect(decoded).toEqual(builtIn.emptyObject);
    expect(warnings).toEqual(['unknown field "metadata"', 'unknown field "text"']);
    expect(refusal(builtIn, patched, 'decodePatched', request('Strict'))).toMatch(
      /^400 .*strict decoding error: unknown field "metadata", unknown field "text"$/,
    );
  });

  it('says of a merged object that it cannot be converted', () => {
    const merged = {
      apiVersion: 'books.io/v1',
      kind: 'Page',
      metadata: { name: 'a', namespace: 'n' },
      text: 5,
    };
    const decode = (): unknown =>
      runAtOnce(builtIn.decodeAppliedSteps(merged, { ...request(), applied: 'n/a' }));
    expect(decode).toThrow(
      'failed to convert new object (n/a; books.io/v1, Kind=Page) to proper version: unable to convert unstructured object to books.io/v1, Kind=Page: cannot convert int64 to string',
    );
    expect(decode).toThrow(expect.objectContaining({ code: 500 }));
  });

  it('has fields that are always present', () => {
    expect(builtIn.emptyObject).toMatchObject({ metadata: { creationTimestamp: null } });
  });
});

describe('the decoder of a custom kind', () => {
  it('reports repeated keys before another version, but not beside a body without a kind', () => {
    const other = { kind: 'Shelf', apiVersion: 'books.io/v2', metadata: { name: 'a' } };
    const found = ['duplicate field "spec"'];
    expect(refusal(custom, other, 'decode', request('Warn', found))).toMatch(
      /^400 the API version in the data/,
    );
    expect(warnings).toEqual(found);
    expect(refusal(custom, other, 'decode', request('Strict', found))).toMatch(
      /^400 .*strict decoding error: duplicate field "spec"$/,
    );
    expect(refusal(custom, { ...other, apiVersion: '' }, 'decode', request('Strict', found))).toBe(
      "400 Object 'apiVersion' is missing in 'object has no apiVersion field'",
    );
    expect(refusal(custom, { ...other, kind: '' }, 'decode', request('Warn', found))).toMatch(/^400 /);
    expect(warnings).toEqual([]);
  });

  const shelf = { kind: 'Shelf', apiVersion: 'books.io/v1', metadata: { name: 'a' } };

  it('prunes, sets defaults, and preserves unknown fields', () => {
    const value = { ...shelf, spec: { open: { a: { b: 1 } }, other: 1 }, more: 1 };
    expect(custom.decode(value, request())).toEqual({ ...shelf, spec: { open: { a: { b: 1 } }, size: 3 } });
    expect(warnings).toEqual(['unknown field "more"', 'unknown field "spec.other"']);
    expect(custom.decodeTextSteps).toBeUndefined();
  });

  it.each<[JsonValue, string]>([
    [
      { metadata: {} },
      `400 the object provided is unrecognized (must be of type Shelf): Object 'Kind' is missing`,
    ],
    [
      { kind: 'Shelf' },
      '400 the API version in the data () does not match the expected API version (books.io/v1)',
    ],
    [
      { ...shelf, kind: 'Book', metadata: { name: 5 } },
      '400 Book in version "v1" cannot be handled as a Shelf: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    ],
    [
      { apiVersion: 'v2', kind: 'Book', metadata: { labels: [] } },
      '400 Book in version "v2" cannot be handled as a Shelf: json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string',
    ],
    [
      { ...shelf, apiVersion: null },
      '400 Shelf in version "" cannot be handled as a Shelf: .apiVersion accessor error: <nil> is of the type <nil>, expected string',
    ],
    [
      { ...shelf, apiVersion: 'books.io/v2' },
      '400 the API version in the data (books.io/v2) does not match the expected API version (books.io/v1)',
    ],
    [
      { ...shelf, apiVersion: 'other/v1' },
      '400 the API version in the data (other/v1) does not match the expected API version (books.io/v1)',
    ],
  ])('rejects %j', (value, expected) => {
    expect(refusal(custom, value)).toBe(expected);
  });

  it('drops times of an applied object that are none, and refuses them elsewhere', () => {
    const metadata = { name: 'a', creationTimestamp: 'yesterday', deletionTimestamp: '' };
    const shelf = { kind: 'Shelf', apiVersion: 'books.io/v1', metadata, spec: { size: 1 } };
    expect(runAtOnce(custom.decodeAppliedSteps(shelf, request())).metadata).toEqual({ name: 'a' });
    const creationTimestamp = '2024-01-02T03:04:05Z';
    const timed = { ...shelf, metadata: { name: 'a', creationTimestamp } };
    expect(runAtOnce(custom.decodeAppliedSteps(timed, request())).metadata).toEqual(timed.metadata);
    expect(refusal(custom, shelf)).toMatch(/^400 .*parsing time "yesterday"/);
    expect(refusal(custom, shelf, 'decodePatched')).toMatch(/^422 .*parsing time "yesterday"/);
  });

  it('adds metadata if there are none', () => {
    for (const metadata of [undefined, null, {}]) {
      const { metadata: _, ...rest } = shelf;
      const value = (metadata === undefined ? rest : { ...rest, metadata }) as JsonValue;
      expect(custom.decode(value, request()).metadata).toEqual({});
      expect(runAtOnce(custom.decodePatchedSteps(value, request())).metadata).toEqual({});
    }
    expect(refusal(custom, { ...shelf, metadata: 5 })).toMatch(/^400 /);
  });

  it('reports duplicates of an object of another kind', () => {
    const other = { ...shelf, kind: 'Book', metadata: { name: 'a', x: 1 } };
    const findings = ['duplicate field "spec.a"'];
    expect(custom.decode(other, request('Warn', findings))).toEqual({ ...other, metadata: { name: 'a' } });
    expect(warnings).toEqual([...findings, 'unknown field "metadata.x"']);
    expect(refusal(custom, other, 'decode', request('Strict', findings))).toBe(
      '400 Book in version "v1" cannot be handled as a Book: strict decoding error: duplicate field "spec.a", unknown field "metadata.x"',
    );
    const inMemory = {
      ...shelves,
      versions: shelves.versions.map((version) => ({ ...version })),
      storage: {},
    };
    const [version] = inMemory.versions as [ResourceVersion];
    expect(refusal(objectDecoder(inMemory, version), { ...shelf, kind: 'Book' })).toBe(
      '422 Book.books.io "a" is invalid: kind: Invalid value: "Book": must be Shelf',
    );
  });

  it('rejects patches after which the kind cannot be read, and shows the object in the order of its names', () => {
    const unreadable = "couldn't get version/kind; json parse error: json: cannot unmarshal";
    expect(refusal(custom, { ...shelf, kind: 1 }, 'decodePatched')).toContain(
      `patch: Invalid value: "{\\"apiVersion\\":\\"books.io/v1\\",\\"kind\\":1,\\"metadata\\":{\\"name\\":\\"a\\"}}": ${unreadable} number into Go struct field .kind of type string`,
    );
    for (const decoder of [builtIn, custom])
      expect(refusal(decoder, [], 'decodePatched')).toContain(
        `patch: Invalid value: "[]": ${unreadable} array`,
      );
    expect(refusal(custom, { spec: { b: 1, a: [{ d: 1, c: 1 }] }, kind: '' }, 'decodePatched')).toContain(
      `Object 'Kind' is missing in '{"kind":"","spec":{"a":[{"c":1,"d":1}],"b":1}}'`,
    );
  });

  it('rejects patches that change the kind', () => {
    const other = { metadata: { name: 'a' }, kind: 'X' };
    expect(runAtOnce(custom.decodePatchedSteps(other, request()))).toEqual({ ...other, apiVersion: '' });
    expect(refusal(custom, { ...other, metadata: { name: 1 } }, 'decodePatched')).toContain(
      'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    );
    const unknown = { ...shelf, apiVersion: 'books.io/v9', spec: {} };
    expect(refusal(custom, unknown, 'decodePatched', request('Strict'))).toBe(
      '400 Shelf in version "v9" cannot be handled as a Shelf: strict decoding error: unknown field "spec"',
    );
    for (const [patched, why] of [
      [{ ...shelf, apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
      [{ ...shelf, kind: 3 }, 'json: cannot unmarshal number into Go struct field .kind of type string'],
      [{ ...shelf, Kind: 3 }, 'json: cannot unmarshal number into Go struct field .kind of type string'],
      [
        { ...shelf, apiVersion: null },
        '.apiVersion accessor error: <nil> is of the type <nil>, expected string',
      ],
      [{ metadata: {} }, `Object 'Kind' is missing in '{"metadata":{}}'`],
    ] as const)
      expect(refusal(custom, patched, 'decodePatched')).toContain(`: ${why}`);
    expect(refusal(custom, shelf, 'decodePatched')).toBe('none');
  });

  it('ignores keys of prototypes', () => {
    const value = JSON.parse(
      '{"kind":"Shelf","apiVersion":"books.io/v1","metadata":{"name":"a"},"spec":{"open":{"__proto__":{"x":1}},"__proto__":{"size":9},"constructor":1}}',
    );
    const decoded = custom.decode(value, request()) as unknown as { spec: { size: number; open: object } };
    expect(decoded.spec.size).toBe(3);
    expect(JSON.stringify(decoded.spec.open)).toBe('{"__proto__":{"x":1}}');
    expect(Object.getPrototypeOf(decoded.spec)).toBe(Object.prototype);
    expect(warnings).toEqual(['unknown field "spec.__proto__"', 'unknown field "spec.constructor"']);
  });

  it('returns an object or a rejection for any input', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text) as JsonValue;
        for (const decoder of [builtIn, custom])
          for (const way of ['decode', 'decodePatched'] as const)
            expect(refusal(decoder, value, way)).toMatch(/^(none|400 |422 )/);
      }),
    );
  });
});

describe('the result of admission', () => {
  it('has the defaults, the order and the fields of its kind', () => {
    const complete = (object: ApiObject): ApiObject => ({ text: 'by default', ...object });
    const completed = objectDecoder(pages, { ...v1, complete });
    const changed = { metadata: { name: 'a' }, other: 1, kind: 'Page', apiVersion: 'books.io/v1' };
    const settled = completed.settle(changed as unknown as ApiObject);
    expect(Object.keys(settled)).toEqual(['text', 'kind', 'apiVersion', 'metadata']);
    expect(settled).toMatchObject({ text: 'by default', metadata: { name: 'a' } });
    const untyped = { metadata: { name: 'a' }, text: 'x' } as unknown as ApiObject;
    expect(completed.settle(untyped)).toMatchObject({ kind: 'Page', apiVersion: 'books.io/v1', text: 'x' });
    for (const wrong of [
      { ...changed, text: 1 },
      { ...changed, metadata: [] },
    ])
      expect(() => completed.settle(wrong as unknown as ApiObject)).toThrow(
        /^json: cannot unmarshal (number|array) into Go struct field Page\./,
      );
    expect(() => completed.settle({ ...changed, kind: 'Shelf' } as ApiObject)).toThrow(
      /^admission changed a Page to an object that is not one: /,
    );
    expect(() => completed.settle({ ...changed, kind: 'Shelf' } as ApiObject)).toThrow(TypeError);
    const odd = { ...changed, lid: 1, metadata: { name: 'a', lid: 2 } } as unknown as ApiObject;
    expect(() => runAtOnce(completed.settleSteps(odd, true))).toThrow(
      /^strict decoding error: unknown field "metadata.lid", unknown field "other", unknown field "lid"$/,
    );
    expect(completed.settle(odd)).not.toHaveProperty('lid');
    const shelf = { apiVersion: 'books.io/v1', kind: 'Shelf', metadata: { name: 'a' }, spec: { lid: 1 } };
    expect(custom.settle(shelf)).toEqual({ ...shelf, spec: { size: 3 } });
    for (const wrong of [
      { ...shelf, kind: 'Page' },
      { metadata: shelf.metadata },
      { ...shelf, apiVersion: 'books.io/v2' },
    ])
      expect(() => custom.settle(wrong as unknown as ApiObject)).toThrow(
        /^admission changed a Shelf to an object that is not one: /,
      );
  });
});
