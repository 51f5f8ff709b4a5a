import fc from 'fast-check';
import { types } from '../check/types.ts';
import { aggregatesLibrary } from '../libraries/aggregates.ts';
import { encodersLibrary } from '../libraries/encoders.ts';
import { listsLibrary } from '../libraries/lists.ts';
import { mathLibrary } from '../libraries/math.ts';
import { cidrLibrary, ipLibrary } from '../libraries/network.ts';
import { optionalLibrary } from '../libraries/optionals.ts';
import { patternsLibrary } from '../libraries/patterns.ts';
import { setsLibrary } from '../libraries/sets.ts';
import { stringsLibrary } from '../libraries/strings.ts';
import { twoVariableLibrary } from '../libraries/two-variable.ts';
import { createEnvironment, type Environment, type EnvironmentOptions } from './environment.ts';

/** Everything without a vocabulary, over variables of many types. */
export const everything: EnvironmentOptions = {
  libraries: [
    stringsLibrary(),
    mathLibrary,
    setsLibrary,
    listsLibrary,
    aggregatesLibrary(1),
    encodersLibrary,
    optionalLibrary,
    twoVariableLibrary,
    patternsLibrary,
    ipLibrary(),
    cidrLibrary(),
  ],
  variables: {
    object: types.dyn,
    numbers: types.list(types.int),
    words: types.list(types.string),
    labels: types.map(types.string, types.string),
    count: types.int,
    name: types.string,
    ready: types.bool,
  },
};

/** The environment of {@link everything}. */
export const environment: Environment = createEnvironment(everything);

/** Values of the variables. */
export const bindings: Readonly<Record<string, unknown>> = {
  object: {
    spec: { replicas: 3, ratio: 0.5, name: 'wéb', tags: ['a', 'b'], ports: { http: 80 } },
    none: null,
  },
  numbers: [3, 1, 2, -7],
  words: ['ant', 'bee', 'cat', ''],
  labels: { app: 'web', tier: 'front' },
  count: 9,
  name: 'web-1',
  ready: true,
};

/** Names in generated expressions: declared variables, loop variables, and undeclared ones. */
const NAMES = 'object numbers words labels count name ready x k v nothing'.split(' ');
const FIELDS = 'spec replicas ratio name tags ports http none app missing length constructor __proto__'.split(
  ' ',
);
const LITERALS = [
  '0', '1', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993', '0x1F', '1u', '18446744073709551615u',
  '0.0', '-0.0', '1.5', '1e300', '2.0', '"a"', "'😀é'", '"10.0.0.1"', '"10.0.0.0/8"', '"^a+$"', '"%d %s"', 'b"\\xff"', 'r"\\d"',
  '""', 'true', 'false', 'null', '[]', '{}', 'duration("1h30m")', 'timestamp("2024-02-29T12:00:00.5Z")', 'int', 'optional.none()',
]; // biome-ignore format: a table
const BINARY = '+ - * / % == != < <= > >= && || in'.split(' ');
const METHODS = [
  'size()', 'startsWith("a")', 'matches("[a-z]+")', 'contains("e")', 'split("")', 'join(",")', 'upperAscii()', 'format([1])',
  'charAt(0)', 'substring(1)', 'indexOf("e")', 'replace("a", "bb")', 'trim()', 'reverse()', 'sort()', 'distinct()', 'flatten()',
  'slice(0, 1)', 'sum()', 'min()', 'isSorted()', 'first()', 'orValue(1)', 'or(optional.of(2))', 'hasValue()', 'value()',
  'getFullYear()', 'getHours("Europe/Berlin")', 'getSeconds()', 'find("[0-9]+")', 'lastIndexOf("a")', 'optMap(x, x)',
]; // biome-ignore format: a table
const FUNCTIONS = [
  'size', 'string', 'int', 'uint', 'double', 'bytes', 'bool', 'type', 'dyn', 'duration', 'timestamp', 'math.abs', 'math.ceil',
  'math.greatest', 'base64.encode', 'base64.decode', 'optional.of', 'optional.ofNonZeroValue', 'ip', 'cidr', 'isIP',
  'strings.quote', 'lists.range', '!', '-',
]; // biome-ignore format: a table
const LOOPS = [
  'all(x, _)', 'exists(x, _)', 'exists_one(x, _)', 'filter(x, _)', 'map(x, _)', 'map(x, _, _)', 'all(k, v, _)',
  'exists(k, v, _)', 'transformList(k, v, _)', 'transformMap(k, v, _)', 'transformMap(k, v, _, _)', 'sortBy(x, _)',
]; // biome-ignore format: a table

/**
 * Expressions as text: every part of the grammar; many do not check, and most that do return errors or
 * values.
 */
export const expressionText: fc.Arbitrary<string> = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const parts = (count: number) => fc.array(inner, { minLength: count, maxLength: count });
  return {
    expression: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom(...LITERALS, ...NAMES),
      fc
        .tuple(inner, fc.constantFrom(...FIELDS), fc.constantFrom('.', '.?'))
        .map(([a, f, dot]) => `${a}${dot}${f}`),
      fc.tuple(inner, fc.constantFrom(...BINARY), inner).map(([a, operator, b]) => `(${a} ${operator} ${b})`),
      fc.tuple(inner, fc.constantFrom(...METHODS)).map(([a, method]) => `${a}.${method}`),
      fc.tuple(fc.constantFrom(...FUNCTIONS), inner).map(([name, a]) => `${name}(${a})`),
      fc.tuple(inner, inner, fc.constantFrom('', '?')).map(([a, b, mark]) => `${a}[${mark}${b}]`),
      fc.tuple(inner, fc.constantFrom(...FIELDS)).map(([a, field]) => `has(${a}.${field})`),
      parts(3).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.array(inner, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      parts(2).map(([a, b]) => `{${a}: ${b}, "x": ${a}}`),
      parts(2).map(([a, b]) => `cel.bind(x, ${a}, ${b})`),
      fc
        .tuple(inner, fc.constantFrom(...LOOPS), parts(2))
        .map(([a, loop, [b = '', c = '']]) => `${a}.${loop.replace('_', b).replace('_', c)}`),
    ),
  };
}).expression;

/** Expressions that mostly check: over one name of each type, with matching operators and calls. */
export const sensibleText: fc.Arbitrary<string> = fc.letrec<Record<'bool' | 'int' | 'text' | 'list', string>>(
  (tie) => ({
    bool: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        'ready',
        'true',
        'false',
        'has(labels.app)',
        '("app" in labels)',
        '(1 / 0 > 0)',
        '(object.spec.replicas > 2)',
      ),
      fc
        .tuple(tie('bool'), fc.constantFrom('&&', '||', '==', '!='), tie('bool'))
        .map(([a, o, b]) => `(${a} ${o} ${b})`),
      fc
        .tuple(tie('int'), fc.constantFrom('<', '<=', '==', '!='), tie('int'))
        .map(([a, o, b]) => `(${a} ${o} ${b})`),
      fc
        .tuple(tie('text'), fc.constantFrom('contains', 'startsWith'), tie('text'))
        .map(([a, m, b]) => `${a}.${m}(${b})`),
      fc
        .tuple(
          tie('list'),
          fc.constantFrom('all', 'exists', 'exists_one'),
          fc.constantFrom('x > count', 'x / 0 == 1', 'x != 1'),
        )
        .map(([a, macro, test]) => `${a}.${macro}(x, ${test})`),
      tie('bool').map((a) => `!${a}`),
    ),
    int: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        'count',
        '1',
        '-2',
        '9223372036854775807',
        'numbers[0]',
        'numbers[9]',
        'object.spec.replicas',
        'size(words)',
      ),
      fc
        .tuple(tie('int'), fc.constantFrom('+', '-', '*', '/', '%'), tie('int'))
        .map(([a, o, b]) => `(${a} ${o} ${b})`),
      fc.tuple(tie('bool'), tie('int'), tie('int')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      tie('text').map((a) => `${a}.size()`),
      tie('list').map((a) => `${a}.size()`),
    ),
    text: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('name', '"a"', 'labels.app', 'labels["none"]', 'object.spec.name', 'words[1]'),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
      tie('int').map((a) => `string(${a})`),
    ),
    list: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('numbers', '[1, 2, 3]', '[]'),
      fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
      fc.tuple(tie('list'), tie('int')).map(([a, b]) => `${a}.map(x, x + ${b})`),
      fc.tuple(tie('list'), tie('bool')).map(([a, b]) => `${a}.filter(x, ${b} && x > 0)`),
      fc.tuple(tie('list'), tie('bool'), tie('int')).map(([a, b, c]) => `${a}.map(x, ${b}, x - ${c})`),
      tie('list').map((a) => `${a}.transformList(k, v, v * k)`),
    ),
  }),
).bool;
