import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../contracts/steps.ts';
import { endOfStringSteps, parseJsonSteps } from './json-parse-steps.ts';

/** More than is parsed in one piece, whatever contains it. */
const FILLER = 'x'.repeat(20_000);

const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1.5, '', '"', '\\', ',', '[', '}', FILLER, `"${FILLER}\\`),
  fc.string(),
);
/** Node 24 reads a name of one escaped character as a backslash, once it has read a name that is one. */
const isEscapedCharacter = (name: string): boolean => name.length === 1 && JSON.stringify(name).length > 3;
const name = fc
  .oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '1', '\\\\', '{"'))
  .filter((text) => !isEscapedCharacter(text));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('value')),
    fc
      .array(fc.tuple(name, tie('value')))
      .map((entries) => Object.fromEntries(entries.map(([key, each]) => [key, each] as const))),
  ),
}));

function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    return { error: (error as Error).name };
  }
}

/** With keys in their order and `__proto__` among them. */
const asText = (of: unknown): string => JSON.stringify(of);

describe('JSON in pieces', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.array(value), fc.constantFrom(undefined, 2, '\t'), (values, indent) => {
        const text = JSON.stringify([...values, FILLER, FILLER, FILLER, FILLER], undefined, indent);
        const parsed = runAtOnce(parseJsonSteps(text));
        expect(asText(parsed)).toBe(asText(JSON.parse(text)));
      }),
    );
  });

  it('is the same where much is nested around something large', () => {
    const inside = [
      ...Array.from({ length: 9000 }, () => ''),
      { a: FILLER, b: [FILLER, 1] },
      '"'.repeat(9000),
    ];
    for (const [opening, closing] of [
      ['[', ']'],
      ['[0,', ',1]'],
      ['{"a":0,"b":', '}'],
      ['{"a":[],"b":', ',"c":{}}'],
    ] as const) {
      const chain = opening.repeat(900) + JSON.stringify(inside) + closing.repeat(900);
      const text = `[${[chain, chain, '[]', chain].join()}]`;
      expect(asText(runAtOnce(parseJsonSteps(text)))).toBe(asText(JSON.parse(text)));
    }
  });

  it('is refused where JSON.parse refuses it', () => {
    const position = fc.double({ min: 0, max: 1, noNaN: true });
    const splinter = fc.constantFrom(
      '',
      ',',
      ',,',
      ']',
      '}',
      '[',
      '{',
      '"',
      ':',
      '0',
      ' ',
      '\\',
      '{}',
      '"a":1',
      '\u00a0',
    );
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1 }),
        position,
        splinter,
        fc.nat(3),
        (values, where, put, accepted) => {
          const whole = JSON.stringify([...values, FILLER, { a: FILLER, b: [FILLER, FILLER, []] }]);
          const at = Math.floor(where * whole.length);
          const text = whole.slice(0, at) + put + whole.slice(at + accepted);
          expect(asText(outcome(() => runAtOnce(parseJsonSteps(text))))).toBe(
            asText(outcome(() => JSON.parse(text))),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  const many = '1,'.repeat(60_000);
  it.each([
    `[${many}]`,
    `[${many}1}`,
    `[${many}1] 1`,
    `[,${many}1]`,
    `[${many},1]`,
    `[[${many}1],]`,
    `[[${many}1] 1]`,
    `[1 [${many}1]]`,
    `{"a" [${many}1]}`,
    `{"a":1 [${many}1]}`,
    `{[${many}1]}`,
    `{"a":[${many}1],}`,
    `{"a":[${many}1]`,
    `["${many}`,
    `[${many}"\\"]`,
  ])('is refused: %#', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => runAtOnce(parseJsonSteps(text))).toThrow(SyntaxError);
  });

  it('is the same where a text has many escapes, close to each other or not', () => {
    for (const gap of [0, 1, 15, 16, 17, 100])
      for (const escaped of ['"', '\\', '\\\\"', '\n"']) {
        const values = [
          `${escaped}${'x'.repeat(gap)}`.repeat(3_000),
          '\\',
          escaped,
          FILLER,
          FILLER,
          FILLER,
          FILLER,
        ];
        const text = JSON.stringify({ values, a: values });
        expect(runAtOnce(parseJsonSteps(text))).toEqual(JSON.parse(text));
      }
  });

  it('passes runs of escapes at once, with pauses between them', () => {
    const text = JSON.stringify('"'.repeat(1_000_000));
    const steps = endOfStringSteps(text, 0);
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    expect(step.value).toBe(text.length - 1);
    expect(pauses).toBeGreaterThan(20);
    expect(pauses).toBeLessThan(200);
  });

  it('pauses twice as often where it is twice as large, and at any depth', () => {
    const pauses = (text: string): number => [...parseJsonSteps(text)].length;
    const list = (count: number): string => `[${'{"a":"b"},'.repeat(count)}0]`;
    const nested = (count: number): string => `${'{"a":['.repeat(300)}${list(count)}${']}'.repeat(300)}`;
    for (const make of [list, nested]) {
      const [once, twice] = [pauses(make(50_000)), pauses(make(100_000))];
      expect(once).toBeGreaterThan(20);
      expect(twice).toBeLessThan(2.5 * once);
    }
    expect(pauses(list(100))).toBe(0);
  });

  it.each([
    ['a number', `[${'1'.repeat(1_000_000)}]`],
    ['spaces', `[${' '.repeat(1_000_000)}]`],
    ['a text of quotes', `["${'\\"'.repeat(500_000)}"]`],
  ])('pauses inside of %s', (_, text) => {
    const steps = parseJsonSteps(text);
    let pauses = 0;
    for (; !steps.next().done; pauses++);
    expect(pauses).toBeGreaterThan(10);
  });
});
