import type { ApiObject, JsonObject, JsonValue } from '@ashlar/core';
import { objectDecoder } from '@ashlar/registry';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineResource } from './define-resource.ts';

/** A zod type, and values that may match it. */
interface Kind {
  readonly type: z.ZodType;
  readonly values: fc.Arbitrary<unknown>;
}

const kind = (type: z.ZodType, values: fc.Arbitrary<unknown>): Kind => ({ type, values });

const texts = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom(
    ...['', ' a ', 'a', 'ab', 'AB', 'abc', '😀', '😀😀', 'é', 'a\u00a0b', 'a\nb', '\u2028', 'aaaaaaaaaa'],
    ...[
      'a@b.co',
      'a@b',
      'A.b+c@d-e.org',
      '12',
      '-1',
      '1.5',
      'x-1',
      'x-a',
      'https://a.b/c',
      'mailto:a',
      'http://',
    ],
    ...[
      '2020-01-02',
      '2020-02-30',
      '2020-01-02T03:04:05Z',
      '2020-01-02T03:04:05.678Z',
      '2020-01-02T03:04:05+01:00',
    ],
    ...[
      '1.2.3.4',
      '01.2.3.4',
      '::1',
      '::ffff:1.2.3.4',
      '10.0.0.0/8',
      '7f000001-89ab-4cde-8f01-23456789abcd',
      'YWJj',
      'YW=',
    ],
    ...['P1D', 'PT1H', '1h', 'true', 'null', 'constructor', '__proto__', 'toString'],
  ),
);
/** zod silently drops members of this name; a server treats them as ordinary. */
const keyTexts = texts.filter((text) => text !== '__proto__');
const numbers = fc.oneof(
  fc.integer({ min: -5, max: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -3, max: 9 }),
  fc.constantFrom(
    0,
    -0,
    0.1,
    0.3,
    0.5,
    1e21,
    1e-7,
    2 ** 31,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53),
    2 ** 32 - 1,
    3.5e38,
  ),
);

const textTypes: readonly (() => z.ZodType)[] = [
  () => z.string(),
  () => z.string().min(1),
  () => z.string().min(2),
  () => z.string().max(2),
  () => z.string().length(2),
  () => z.string().regex(/^[a-z]+$/),
  () => z.string().regex(/^a.c?/iu),
  () => z.string().regex(/^\S+$/u).max(5),
  () => z.string().regex(/^[^b]{2}$/u),
  () => z.string().startsWith('a').endsWith('b'),
  () => z.string().includes('a'),
  () => z.string().lowercase(),
  () => z.string().trim().min(1),
  () =>
    z
      .string()
      .toLowerCase()
      .regex(/^[a-z]*$/),
  () => z.string().trim().toUpperCase(),
  () => z.string().refine((text) => text.length % 2 === 0, 'must be even'),
  () =>
    z.string().superRefine((text, context) => {
      if (text === 'a') context.addIssue({ code: 'custom', message: 'no a' });
    }),
  () => z.email(),
  () => z.url(),
  () => z.uuid(),
  () => z.guid(),
  () => z.ipv4(),
  () => z.ipv6(),
  () => z.cidrv4(),
  () => z.base64(),
  () => z.iso.date(),
  () => z.iso.time(),
  () => z.iso.datetime(),
  () => z.iso.datetime({ offset: true }),
  () => z.iso.datetime({ local: true }),
  () => z.iso.duration(),
  () => z.enum(['a', 'ab', 'abc']),
  () => z.literal('a'),
  () => z.templateLiteral(['x-', z.number()]),
  () => z.string().pipe(z.string().min(2)),
  () => z.string().brand<'named'>(),
];
const numberTypes: readonly (() => z.ZodType)[] = [
  () => z.number(),
  () => z.int(),
  () => z.int32(),
  () => z.uint32(),
  () => z.float32(),
  () => z.number().min(1).max(5),
  () => z.int().min(0.5),
  () => z.number().gt(0).lt(3),
  () => z.number().lt(2.5),
  () => z.int().gt(-1),
  () => z.number().multipleOf(0.1),
  () => z.int().multipleOf(3).multipleOf(2),
  () => z.literal(1),
  () => z.literal([1, 2.5]),
  () => z.number().refine((value) => value !== 3),
  () => z.number().positive(),
];
/** Types that are rejected when the resource type is defined. */
const refusedTypes: readonly (() => z.ZodType)[] = [
  () => z.date(),
  () => z.bigint(),
  () => z.tuple([z.string()]),
  () => z.string().transform((text) => text.length),
  () => z.string().pipe(z.coerce.number()),
  () => z.coerce.string(),
  () => z.string().catch('a'),
  () => z.map(z.string(), z.string()),
  () => z.set(z.string()),
  () => z.instanceof(Date),
  () => z.preprocess(String, z.string()),
  () => z.strictObject({ a: z.string() }),
  () => z.never(),
  () => z.string().refine(async () => true),
  () => z.string().min(3).default('a'),
  () => z.stringbool(),
];

/** Modifiers of a member. */
const memberForms: readonly ((type: z.ZodType) => z.ZodType)[] = [
  (type) => type,
  (type) => type.optional(),
  (type) => type.describe('said'),
  (type) => type.default('a' as never),
  (type) => type.default(1 as never),
  (type) => type.default(() => `${counter++}` as never),
];
let counter = 0;

const { kinds } = fc.letrec<{ kinds: Kind; leaf: Kind }>((tie) => ({
  leaf: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...textTypes).map((make) => kind(make(), texts)) },
    { weight: 6, arbitrary: fc.constantFrom(...numberTypes).map((make) => kind(make(), numbers)) },
    { weight: 1, arbitrary: fc.constant(kind(z.boolean(), fc.boolean())) },
    {
      weight: 1,
      arbitrary: fc.constant(
        kind(
          z.unknown(),
          fc.jsonValue({ maxDepth: 1 }).filter((value) => value !== null),
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constant(
        kind(z.union([z.int().min(1), z.string().regex(/%$/)]), fc.oneof(numbers, texts)),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...refusedTypes).map((make) => kind(make(), texts)) },
  ),
  kinds: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'types' },
    { weight: 4, arbitrary: tie('leaf') },
    { weight: 3, arbitrary: objects(tie('kinds')) },
    { weight: 2, arbitrary: arrays(tie('kinds')) },
    { weight: 2, arbitrary: records(tie('kinds')) },
    {
      weight: 1,
      arbitrary: tie('kinds').map(({ type, values }) =>
        kind(type.nullable(), fc.oneof(values, fc.constant(null))),
      ),
    },
    { weight: 1, arbitrary: tie('kinds').map(({ type, values }) => kind(type.readonly(), values)) },
    { weight: 1, arbitrary: discriminated(tie('leaf')) },
    { weight: 1, arbitrary: intersections(tie('leaf')) },
  ),
}));

function objects(member: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> {
  const members = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.tuple(member, fc.constantFrom(...memberForms)),
    { maxKeys: 3 },
  );
  const refinements: readonly ((type: z.ZodObject) => z.ZodType)[] = [
    (type) => type,
    (type) => type,
    (type) => type.refine((value) => Object.keys(value).length !== 2, { message: 'not two', path: ['a'] }),
  ];
  return fc.tuple(members, fc.boolean(), fc.constantFrom(...refinements)).map(([made, isLoose, refine]) => {
    const shape = Object.fromEntries(
      Object.entries(made).map(([name, [{ type }, form]]) => [name, form(type)]),
    );
    const values = fc.record(
      Object.fromEntries(Object.entries(made).map(([name, [{ values: own }]]) => [name, own])),
      { requiredKeys: [] },
    );
    return kind(refine(isLoose ? z.looseObject(shape) : z.object(shape)), fc.oneof(values, extended(values)));
  });
}

const extended = (values: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  values.map((value) => ({ ...value, z: 1 }));

function arrays(item: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> {
  const forms: readonly ((type: z.ZodArray) => z.ZodType)[] = [
    (type) => type,
    (type) => type.min(1).max(2),
    (type) => type.length(1),
    (type) =>
      type.refine((items) => new Set(items.map((each) => JSON.stringify(each))).size === items.length),
  ];
  return fc
    .tuple(item, fc.constantFrom(...forms))
    .map(([{ type, values }, form]) => kind(form(z.array(type)), fc.array(values, { maxLength: 3 })));
}

function records(value: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> {
  const keys = [
    z.string(),
    z.string().min(2),
    z.string().regex(/^a/),
    z.enum(['a', 'ab']),
    z.email(),
  ] as const;
  return fc
    .tuple(value, fc.constantFrom(...keys))
    .map(([{ type, values }, key]) =>
      kind(z.record(key, type), fc.dictionary(keyTexts, values, { maxKeys: 3 })),
    );
}

function discriminated(leaf: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> {
  return fc
    .tuple(leaf, leaf)
    .map(([one, other]) =>
      kind(
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('one'), a: one.type }),
          z.object({ kind: z.literal('other'), b: other.type.optional() }),
        ]),
        fc.record(
          { kind: fc.constantFrom('one', 'other', 'third'), a: one.values, b: other.values },
          { requiredKeys: [] },
        ),
      ),
    );
}

function intersections(leaf: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> {
  return fc
    .tuple(leaf, leaf)
    .map(([one, other]) =>
      kind(
        z.intersection(z.object({ a: one.type }), z.object({ b: other.type.optional() })),
        fc.record({ a: one.values, b: other.values }, { requiredKeys: [] }),
      ),
    );
}

interface Verdict {
  readonly isAccepted: boolean;
  readonly stored: unknown;
}

/** Processes a spec as a server does, from decoding to validation. */
function serverVerdict(definition: ReturnType<typeof defineResource>, spec: unknown): Verdict {
  const [version] = definition.versions;
  if (!version) throw new Error('no version');
  const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec } as JsonObject;
  const request = { fieldValidation: 'Ignore', findings: [], warn: () => {} } as const;
  const decoded = objectDecoder(definition, version).decode(body as JsonValue, request);
  const { strategy } = definition;
  const object = strategy.prepareForCreate?.(decoded) as ApiObject;
  return { isAccepted: strategy.validate?.(object).length === 0, stored: object.spec };
}

/** Number of runs of the property; can be increased. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 3000);

it('zod and the server agree on every value of every type that can be defined', () => {
  const counts = { refused: 0, accepted: 0, rejected: 0 };
  const cases = kinds.chain((made) =>
    fc.tuple(
      fc.constant(made.type),
      fc.array(fc.oneof({ weight: 4, arbitrary: made.values }, texts, numbers), {
        minLength: 4,
        maxLength: 4,
      }),
    ),
  );
  const property = fc.property(cases, ([type, values]) => {
    const whole = z.object({ it: type });
    let definition: ReturnType<typeof defineResource>;
    try {
      definition = defineResource({
        group: 'example.com',
        version: 'v1',
        kind: 'Thing',
        spec: whole,
      }) as never;
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toMatch(/^option "spec" of defineResource: /);
      counts.refused++;
      return;
    }
    for (const value of values) {
      const spec = JSON.parse(JSON.stringify({ it: value })) as { it: unknown };
      const said = whole.safeParse(spec);
      const { isAccepted, stored } = serverVerdict(definition, spec);
      expect({ spec, isAccepted }).toEqual({ spec, isAccepted: said.success });
      if (isAccepted) expect(whole.safeParse(stored).success).toBe(true);
      counts[isAccepted ? 'accepted' : 'rejected']++;
    }
  });
  fc.assert(property, { numRuns: RUNS, seed: 20 });
  expect(counts.refused).toBeGreaterThan(RUNS / 50);
  expect(counts.accepted).toBeGreaterThan(RUNS / 4);
  expect(counts.rejected).toBeGreaterThan(RUNS / 4);
  if (process.env.PROPERTY_RUNS) console.log(counts);
});

it.each(refusedTypes.map((make) => [make]))(
  'rejects %s when it is defined, and suggests an alternative',
  (make) => {
    const define = () =>
      defineResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec: z.object({ it: make() }) });
    expect(define).toThrow(TypeError);
    expect(define).toThrow(/^option "spec" of defineResource: zod type of it(\{\})?: /);
  },
);
