import type { Attack, SizedAttack } from '../attack.ts';
import { bodyRequest, dryCustomPath, listed } from '../bodies.ts';
import { define } from '../custom-types.ts';

function custom(
  plural: string,
  spec: object,
  name: string,
  sends: string,
  n: number,
  value: (n: number) => string,
  more: Partial<SizedAttack> = {},
): Attack {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1);
  const head = `"apiVersion":"attack.example.com/v1","kind":"${kind}","metadata":{"name":"a"}`;
  return {
    name,
    sends,
    caller: 'tenant',
    n,
    prepare: (target) => define(target, plural, spec),
    request: (size) =>
      bodyRequest('POST', dryCustomPath(plural), 'application/json', `{${head},"spec":${value(size)}}`),
    ...more,
  };
}

const object = (properties: object): object => ({ type: 'object', properties });
const text = { type: 'string' };
const strings = { type: 'array', items: text };
const ruled = (type: object, rule: string): object => ({
  ...object({ value: type }),
  'x-kubernetes-validations': [{ rule }],
});

const defaulted = object({
  items: { type: 'array', items: object({ filler: { type: 'string', default: 'x'.repeat(1000) } }) },
});
const nested = object({
  items: {
    type: 'array',
    items: object({
      a: {
        default: {},
        ...object({ b: { default: {}, ...object({ c: { type: 'string', default: 'x'.repeat(200) } }) } }),
      },
    }),
  },
});
const set = object({ items: { ...strings, 'x-kubernetes-list-type': 'set' } });
const objectSet = object({
  items: {
    type: 'array',
    items: { ...object({ a: text }), 'x-kubernetes-map-type': 'atomic' },
    'x-kubernetes-list-type': 'set',
  },
});
const keyed = object({
  items: {
    type: 'array',
    items: { ...object({ a: text }), required: ['a'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
  },
});
const pattern = object({ value: { type: 'string', pattern: '^(a+)+$' } });
const alternatives = object({ value: { type: 'string', pattern: '^(a|a?|aa)*b$' } });
const formats = object(
  Object.fromEntries(
    [
      'date-time',
      'date',
      'email',
      'uri',
      'hostname',
      'ipv4',
      'ipv6',
      'cidr',
      'uuid',
      'duration',
      'byte',
      'mac',
      'isbn',
      'creditcard',
      'hexcolor',
      'rgbcolor',
      'bsonobjectid',
    ].map((format) => [format.replace('-', ''), { type: 'string', format }]),
  ),
);
const anyOf = object({
  value: {
    type: 'array',
    items: {
      ...object({ a: text, b: text }),
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      not: { required: ['a', 'b'] },
    },
  },
});
const enumerated = object({
  value: { type: 'array', items: { type: 'string', enum: Array.from({ length: 1000 }, (_, i) => `e${i}`) } },
});
const preserved = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const bounded = { type: 'string', maxLength: 200_000 };
const boundedList = { type: 'array', maxItems: 40_000, items: { type: 'string', maxLength: 10 } };
/** Short enough that nested loops over it are allowed. */
const shortList = { type: 'array', maxItems: 400, items: { type: 'string', maxLength: 10 } };
const quote = (value: string): string => JSON.stringify(value);

export const attacks: readonly Attack[] = [
  custom(
    'defaulteds',
    defaulted,
    'defaults of 1,000 bytes',
    'empty objects, each of which gets a long default',
    75_000,
    (n) => `{"items":[${listed(n, () => '{}')}]}`,
  ),
  custom(
    'nesteds',
    nested,
    'defaults of defaults',
    'empty objects, whose defaults have defaults',
    75_000,
    (n) => `{"items":[${listed(n, () => '{}')}]}`,
  ),
  custom(
    'sets',
    set,
    'a set of 400,000',
    'a list that is a set',
    75_000,
    (n) => `{"items":[${listed(n, (i) => `"${i}"`)}]}`,
  ),
  custom(
    'sets',
    set,
    'a set of one',
    'a set that repeats one item',
    150_000,
    (n) => `{"items":[${listed(n, () => '"a"')}]}`,
  ),
  custom(
    'objectsets',
    objectSet,
    'a set of objects',
    'a set of objects, none of them equal',
    40_000,
    (n) => `{"items":[${listed(n, (i) => `{"a":"${i}"}`)}]}`,
  ),
  custom(
    'keyeds',
    keyed,
    'a list by key',
    'items with keys',
    40_000,
    (n) => `{"items":[${listed(n, (i) => `{"a":"${i}"}`)}]}`,
  ),
  custom(
    'keyeds',
    keyed,
    'a list by an equal key',
    'items with one key',
    60_000,
    (n) => `{"items":[${listed(n, () => '{"a":"b"}')}]}`,
  ),
  custom(
    'patterns',
    pattern,
    'a pattern that loops',
    'letters that nearly match (a+)+',
    100_000,
    (n) => `{"value":"${'a'.repeat(n)}!"}`,
  ),
  custom(
    'alternatives',
    alternatives,
    'a pattern of alternatives',
    'letters that nearly match',
    100_000,
    (n) => `{"value":"${'a'.repeat(n)}!"}`,
  ),
  custom('formats', formats, 'formats', 'long texts of every format', 10_000, (n) =>
    JSON.stringify({
      datetime: `2024-01-01T00:00:00.${'0'.repeat(n)}x`,
      date: '2'.repeat(n),
      email: `${'a.'.repeat(n)}@${'a.'.repeat(n)}`,
      uri: `http://${'a'.repeat(n)}:%`,
      hostname: 'a.'.repeat(n),
      ipv4: '1.'.repeat(n),
      ipv6: '1:'.repeat(n),
      cidr: `${'1:'.repeat(n)}/`,
      uuid: '0-'.repeat(n),
      duration: `${'000s'.repeat(n)}!`,
      byte: `${'A'.repeat(n)}=`,
      mac: '00:'.repeat(n),
      isbn: '1-'.repeat(n),
      creditcard: '1 '.repeat(n),
      hexcolor: `#${'f'.repeat(n)}`,
      rgbcolor: `rgb(${' '.repeat(n)}1${' '.repeat(n)}`,
      bsonobjectid: 'f'.repeat(n),
    }),
  ),
  ...[
    'email',
    'uri',
    'hostname',
    'ipv6',
    'duration',
    'rgbcolor',
    'datetime',
    'isbn',
    'creditcard',
    'byte',
  ].map((format) =>
    custom('formats', formats, `format ${format}`, 'one long text of letters, dots and spaces', 50_000, (n) =>
      JSON.stringify({ [format]: `${'a. 0:-@'.repeat(n / 7)}!` }),
    ),
  ),
  custom('formats', formats, 'format duration of zeros', 'a duration of 000s', 20, (n) =>
    JSON.stringify({ duration: `${'000s'.repeat(n)}!` }),
  ),
  custom('formats', formats, 'format duration of units', 'a duration of 1h', 50_000, (n) =>
    JSON.stringify({ duration: `${'1h'.repeat(n)}!` }),
  ),
  custom('formats', formats, 'format rgbcolor of spaces', 'a colour of spaces', 20_000, (n) =>
    JSON.stringify({ rgbcolor: `rgb(1${' '.repeat(n)},1${' '.repeat(n)}x` }),
  ),
  custom(
    'anyofs',
    anyOf,
    'wrong by every branch',
    'items that fit no branch',
    100_000,
    (n) => `{"value":[${listed(n, () => '{}')}]}`,
  ),
  custom(
    'enums',
    enumerated,
    'none of 1,000 words',
    'items that are not among the words',
    50_000,
    (n) => `{"value":[${listed(n, (i) => `"x${i}"`)}]}`,
  ),
  custom(
    'preserveds',
    preserved,
    'whatever it is',
    'keys that are kept as they are',
    50_000,
    (n) => `{${listed(n, (i) => `"k${i}":{}`)}}`,
  ),
  custom(
    'preserveds',
    preserved,
    'embedded nesting',
    'values nested deeply',
    2_400,
    (n) => `{"a":${'['.repeat(n)}${']'.repeat(n)}}`,
  ),
  custom(
    'durations',
    ruled(bounded, 'duration(self.value) > duration("1s")'),
    'rule: duration',
    'a duration of 000s',
    20,
    (n) => `{"value":"${'000s'.repeat(n)}!"}`,
  ),
  custom(
    'doubles',
    ruled(bounded, 'double(self.value) > 1.0'),
    'rule: double',
    'a number of zeros',
    25_000,
    (n) => `{"value":"${'0'.repeat(n)}!"}`,
  ),
  custom(
    'ints',
    ruled(bounded, 'int(self.value) > 1'),
    'rule: int',
    'a number of zeros',
    25_000,
    (n) => `{"value":"${'0'.repeat(n)}!"}`,
  ),
  custom(
    'timestamps',
    ruled(bounded, 'timestamp(self.value) > timestamp("2024-01-01T00:00:00Z")'),
    'rule: timestamp',
    'a time of zeros',
    25_000,
    (n) => `{"value":"2024-01-01T00:00:00.${'0'.repeat(n)}!"}`,
  ),
  custom(
    'quantities',
    ruled(bounded, 'isQuantity(self.value)'),
    'rule: quantity',
    'a quantity of zeros',
    25_000,
    (n) => `{"value":"1${'0'.repeat(n)}x"}`,
  ),
  custom(
    'urls',
    ruled(bounded, 'isURL(self.value)'),
    'rule: URL',
    'a long URL',
    25_000,
    (n) => `{"value":"http://${'a@'.repeat(n / 2)}:%"}`,
  ),
  custom(
    'addresses',
    ruled(bounded, 'isIP(self.value) || isCIDR(self.value)'),
    'rule: address',
    'a long address',
    25_000,
    (n) => `{"value":"${'1:'.repeat(n / 2)}"}`,
  ),
  custom(
    'finds',
    ruled(bounded, 'self.value.findAll("(a*x|a)").size() >= 0'),
    'rule: findAll',
    'letters that match one by one',
    12_500,
    (n) => `{"value":"${'a'.repeat(n)}"}`,
  ),
  custom(
    'matches',
    ruled(bounded, 'self.value.matches("(a|aa)*(a?){20}b")'),
    'rule: matches',
    'letters that nearly match',
    25_000,
    (n) => `{"value":"${'a'.repeat(n)}"}`,
  ),
  custom(
    'replaces',
    ruled(bounded, 'self.value.replace("a", "aaaaaaaaaa").size() >= 0'),
    'rule: replace',
    'a text that grows',
    25_000,
    (n) => `{"value":"${'a'.repeat(n)}"}`,
  ),
  custom(
    'emptyreplaces',
    ruled(bounded, 'self.value.replace("", self.value).size() >= 0'),
    'rule: replace of nothing',
    'a text put between its letters',
    5_000,
    (n) => `{"value":"${'a'.repeat(n)}"}`,
  ),
  custom(
    'splits',
    ruled(bounded, 'self.value.split("").size() >= 0'),
    'rule: split',
    'a text in letters',
    25_000,
    (n) => `{"value":"${'a'.repeat(n)}"}`,
  ),
  custom(
    'lasts',
    ruled(bounded, 'self.value.lastIndexOf(self.value + "b") < 0 && self.value.indexOf("aaaaaaaaab") < 0'),
    'rule: indexOf',
    'letters that nearly match',
    25_000,
    (n) => `{"value":"${'a'.repeat(n)}"}`,
  ),
  custom(
    'equals',
    ruled(boundedList, 'self.value == self.value'),
    'rule: equality',
    'lists that are equal',
    5_000,
    (n) => `{"value":[${listed(n, () => '"a"')}]}`,
  ),
  custom(
    'setequals',
    ruled({ ...boundedList, 'x-kubernetes-list-type': 'set' }, 'self.value == self.value'),
    'rule: equality of sets',
    'sets of 20,000',
    5_000,
    (n) => `{"value":[${listed(n, (i) => `"${i}"`)}]}`,
  ),
  custom(
    'setadds',
    ruled({ ...boundedList, 'x-kubernetes-list-type': 'set' }, '(self.value + self.value).size() >= 0'),
    'rule: concatenation of sets',
    'sets of 20,000',
    5_000,
    (n) => `{"value":[${listed(n, (i) => `"${i}"`)}]}`,
  ),
  custom(
    'contains',
    ruled(shortList, 'self.value.all(a, a in self.value)'),
    'rule: a loop in a loop',
    'a list that is looked through for each item',
    100,
    (n) => `{"value":[${listed(n, (i) => `"${i}"`)}]}`,
  ),
  custom(
    'sorts',
    ruled(shortList, 'self.value.isSorted() || sets.contains(self.value, self.value)'),
    'rule: sets',
    'lists contained in each other',
    100,
    (n) => `{"value":[${listed(n, (i) => `"${i}"`)}]}`,
  ),
  custom(
    'formatteds',
    ruled(bounded, '"%s%s%s%s".format([self.value, self.value, self.value, self.value]).size() >= 0'),
    'rule: format',
    'a long text four times',
    25_000,
    (n) => `{"value":${quote('a'.repeat(n))}}`,
  ),
  custom(
    'adds',
    ruled(boundedList, 'self.value.map(a, self.value.size()).sum() >= 0'),
    'rule: map and sum',
    'a list of numbers',
    5_000,
    (n) => `{"value":[${listed(n, (i) => `"${i}"`)}]}`,
  ),
];
