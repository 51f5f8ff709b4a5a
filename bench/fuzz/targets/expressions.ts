import { createEnvironment, parse, unparse } from '@ashlar/cel';
import { compileLinearPattern } from '@ashlar/schema';
import { bindings, everything } from '../../../packages/cel/src/environment/expressions.fixture.ts';
import { type Target, textTarget } from '../target.ts';

const environment = createEnvironment(everything);
const TEXT = 'a web-1 of aaaaaaaaaa 10.0.0.1';
/** Budget of an evaluation: a tenth of a server's. */
const COST_LIMIT = 100_000;
const WORDS = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '?',
  ':',
  '!',
  '-',
  '&&',
  '||',
  ' in ',
  '==',
  '<=',
  '+',
  '*',
  '%',
  '"',
  "'",
  'r"',
  'b"',
  '"""',
  '\\x',
  '\\u00',
  '.all(x, ',
  '.map(x, ',
  '.exists(x, ',
  '.matches("',
  '.findAll("',
  '.replace("a", "',
  '.split("',
  'duration("',
  'timestamp("',
  'double("',
  'int("',
  'size(',
  'has(',
  'words',
  'numbers',
  'labels',
  'object',
  'name',
  '0x',
  '1u',
  '1e',
  '// ',
  '[?',
  '.?',
  'optional.of(',
  'math.greatest(',
  'sets.contains(',
  '.format([',
  'ip("',
  'cidr("',
  'base64.decode(b"',
  'cel.bind(x, ',
];

/** The expression language, and the patterns in it. */
export const expressionTargets: readonly Target[] = [
  textTarget({
    name: 'expression-syntax',
    seeds: [
      'object.spec.replicas > 1 && words.all(w, w.size() < 5)',
      '"a\\n" + r"\\d" == \'b\' ? [1, 2u, .5] : {"a": b"x"}',
      'cel.bind(x, 1, x + x)',
      '-(-9223372036854775808)',
      'a.b[?c].?d',
    ],
    words: WORDS,
    refusals: [],
    read(text) {
      const result = parse(text);
      return result.ok ? unparse(result.expression) : result;
    },
  }),
  textTarget({
    name: 'expression',
    seeds: [
      'words.map(w, w.upperAscii()).join(",").matches("[A-Z,]+")',
      'duration("1h30m") + duration("10s") > duration("1s")',
      'double("1.5") + double(numbers[0]) > 0.0',
      '"%s %d %.2f".format([name, count, 1.5])',
      'name.findAll("(a*x|a)").size() >= 0 && name.replace("w", "x").split("-").size() > 0',
      'labels.all(k, k in labels) && sets.contains(words, words)',
      'object.?spec.?missing.orValue(1) == 1',
      'ip("10.0.0.1").isGlobalUnicast() && cidr("10.0.0.0/8").containsIP("10.0.0.1")',
      'timestamp("2024-02-29T12:00:00.5Z").getFullYear("Europe/Berlin") == 2024',
    ],
    words: WORDS,
    refusals: [],
    millisecondsPerKilobyte: 60,
    read(text) {
      const compiled = environment.compile(text);
      return compiled.ok ? compiled.program.evaluate(bindings, { costLimit: COST_LIMIT }) : compiled;
    },
  }),
  textTarget({
    name: 'pattern',
    seeds: ['^(a|b)*c{2,5}[^x-z\\d]+$', '(?i:a)\\p{L}?\\bx', '\\Qa.b\\E|(?P<n>.)'],
    words: [
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '*',
      '+',
      '?',
      '|',
      '^',
      '$',
      '\\',
      '\\p{',
      '{10}',
      '(?:',
      '(?i)',
      '[^',
      '-',
      '\\d',
      '[[:alpha:]]',
      '{1,1000}',
    ],
    // `Error` if a pattern is too large
    refusals: ['RE2JSSyntaxException', 'Error'],
    millisecondsPerKilobyte: 60,
    // not against itself: matching costs the pattern times the text
    read: (text) => compileLinearPattern(text).test(TEXT),
  }),
];
