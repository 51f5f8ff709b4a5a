import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { type Flag, flagsHelp, parseFlags } from './flags.ts';
import { serveFlags } from './serve-flags.ts';

const number: Flag<number> = {
  group: 'Numbers',
  value: 'N',
  meaning: 'a number',
  parse(text) {
    if (Number.isNaN(Number(text))) throw new Error(`${text} is not a number`);
    return Number(text);
  },
};
const toggle: Flag<boolean> = { group: 'Switches', meaning: 'on or off', parse: (text) => text === 'true' };
const table = { 'one-number': number, other: number, switch: toggle };

const refusal = (...words: readonly string[]): string => {
  try {
    parseFlags(table, words);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return 'none';
};

describe('parseFlags', () => {
  it.each([
    [['--one-number', '5'], { 'one-number': 5 }],
    [['--one-number=5'], { 'one-number': 5 }],
    [['--one_number=5'], { 'one-number': 5 }],
    [['--one-number', '-5'], { 'one-number': -5 }],
    [['--one-number=1', '--one-number=2'], { 'one-number': 2 }],
    [['--switch', '--other', '1'], { switch: true, other: 1 }],
    [['--switch=false'], { switch: false }],
    [[], {}],
  ])('%j', (words, values) => {
    expect(parseFlags(table, words)).toEqual(values);
  });

  it.each([
    [['--none'], 'unknown flag: --none; see ashlar --help'],
    [['--swich'], 'unknown flag: --swich, did you mean --switch?; see ashlar --help'],
    [['--'], 'unknown flag: --; see ashlar --help'],
    [['--constructor'], 'unknown flag: --constructor; see ashlar --help'],
    [['--__proto__=1'], 'unknown flag: ----proto--; see ashlar --help'],
    [['word'], 'unexpected argument "word"; see ashlar --help'],
    [['-s'], 'unexpected argument "-s"; see ashlar --help'],
    [['--switch', 'false'], 'unexpected argument "false"; see ashlar --help'],
    [['--other'], 'flag --other needs a value'],
    [['--other', '--switch'], 'flag --other needs a value'],
    [['--other=x'], 'flag --other: x is not a number'],
  ])('rejects %j', (words, why) => {
    expect(refusal(...words)).toBe(why);
  });

  it('returns values or one sentence for any input', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('--other', '--switch', '--one-number=', '--', '--toString', '5'),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        try {
          const values = parseFlags(table, words);
          expect(Object.keys(table)).toEqual(expect.arrayContaining(Object.keys(values)));
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

describe('flagsHelp', () => {
  it('lists flags by group, with placeholders of their values', () => {
    expect(flagsHelp(table)).toBe(
      [
        'Numbers:',
        `${'  --one-number N'.padEnd(18)}a number`,
        `${'  --other N'.padEnd(18)}a number`,
        '',
        'Switches:',
        `${'  --switch'.padEnd(18)}on or off`,
      ].join('\n'),
    );
  });
});

describe('the flags of serve', () => {
  const parse = (...words: readonly string[]): object => parseFlags(serveFlags, words);

  it.each([
    [['--secure-port=0'], { 'secure-port': 0 }],
    [['--request-timeout=1m30s'], { 'request-timeout': 90_000 }],
    [['--storage', 'memory'], { storage: { engine: 'memory' } }],
    [['--anonymous-auth'], { 'anonymous-auth': true }],
    [['--api-audiences=a,b', '--api-audiences=c'], { 'api-audiences': ['a', 'b', 'c'] }],
    [
      ['--authorization-mode=AlwaysDeny,AlwaysAllow'],
      { 'authorization-mode': ['AlwaysDeny', 'AlwaysAllow'] },
    ],
    [['--authorization-mode=Node', '--authorization-mode=RBAC'], { 'authorization-mode': ['Node', 'RBAC'] }],
    [['--etcd-servers=http://a', '--etcd-servers=http://b'], { 'etcd-servers': ['http://a', 'http://b'] }],
    [['--controllers=*', '--controllers=-namespace'], { controllers: ['*', '-namespace'] }],
  ])('take %j', (words, values) => {
    expect(parse(...words)).toMatchObject(values);
  });

  it.each([
    ['--secure-port=65536', 'flag --secure-port: 65536 is not an integer from 0 to 65535'],
    ['--secure-port=1e3', 'flag --secure-port: 1e3 is not an integer from 0 to 65535'],
    ['--secure-port=', 'flag --secure-port:  is not an integer from 0 to 65535'],
    ['--request-timeout=5', 'flag --request-timeout: time: missing unit in duration "5"'],
    ['--request-timeout=-5s', 'flag --request-timeout: the duration must not be negative'],
    ['--anonymous-auth=yes', 'flag --anonymous-auth: yes is neither true nor false'],
    [
      '--vocabulary=toString',
      'flag --vocabulary: unknown vocabulary toString; known vocabularies are orch, kubernetes',
    ],
    ['--bind-address=', 'flag --bind-address: the value is empty'],
    [
      '--authorization-mode=AlwaysAllow,AlwaysAllow',
      'flag --authorization-mode: an authorization mode is repeated',
    ],
  ])('reject %s', (word, why) => {
    expect(() => parse(word)).toThrow(why);
  });

  it('reject repeated values', () => {
    const twice = () => parse('--authorization-mode=RBAC', '--authorization-mode=Node,RBAC');
    expect(twice).toThrow(new UsageError('flag --authorization-mode: an authorization mode is repeated'));
  });

  it('appends to a repeated list', () => {
    const lists = Object.entries<Flag<unknown>>(serveFlags).filter(
      ([, { value = '', join }]) => join || /,|LIST/.test(value),
    );
    expect(lists.length).toBeGreaterThan(10);
    // a location names all members of its cluster, a pair of ranges both families
    expect(lists.filter(([, { join }]) => !join).map(([name]) => name)).toEqual([
      'service-cluster-ip-range',
      'storage',
    ]);
  });

  it('merge repeated feature gates', () => {
    const gates = ['--feature-gates=CBORServingAndStorage=true', '--feature-gates=AllAlpha=false'];
    const { 'feature-gates': given } = parseFlags(serveFlags, gates);
    expect(given?.isEnabled('CBORServingAndStorage')).toBe(true);
  });

  it('have a help text each', () => {
    for (const [name, { group, meaning }] of Object.entries(serveFlags)) {
      expect([name, group !== '', meaning !== '']).toEqual([name, true, true]);
      expect(flagsHelp(serveFlags)).toContain(`--${name}`);
    }
  });
});
