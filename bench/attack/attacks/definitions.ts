import type { Attack } from '../attack.ts';
import { DEFINITIONS, definitionOf, listed, posted } from '../bodies.ts';

const PATH = `${DEFINITIONS}?dryRun=All`;

function defined(name: string, sends: string, n: number, spec: (n: number) => object): Attack {
  return posted('operator', PATH, 'application/json', name, sends, n, (size) =>
    JSON.stringify(definitionOf('hostiles', spec(size))),
  );
}

const object = (properties: object): object => ({ type: 'object', properties });
const withRule = (rule: string, type: object = { type: 'string', maxLength: 1000 }): object => ({
  ...type,
  'x-kubernetes-validations': [{ rule }],
});
const nested = (depth: number, leaf: object): object => {
  let schema = leaf;
  for (let i = 0; i < depth; i++) schema = object({ a: schema });
  return schema;
};

const parts = (n: number): object =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`e.io/k${i}`, {}]));

/** The largest body has at most 3 MB. */
export const attacks: readonly Attack[] = [
  defined('definitions inside', 'schemas by name, which none may have', 7_700, (n) => ({
    type: 'object',
    definitions: parts(n),
  })),
  defined('dependencies inside', 'schemas by field, which none may have', 7_700, (n) => ({
    type: 'object',
    dependencies: parts(n),
  })),
  defined('schemas of items', 'a list of schemas of items', 30_000, (n) => ({
    type: 'array',
    items: Array.from({ length: n }, () => ({})),
  })),
  defined('a pattern of 1 MB', 'a pattern of letters', 250_000, (n) => ({
    type: 'string',
    pattern: 'a'.repeat(n),
  })),
  defined('a pattern of brackets', 'brackets without end', 250_000, (n) => ({
    type: 'string',
    pattern: '('.repeat(n),
  })),
  defined('a pattern of groups', 'groups in groups', 500, (n) => ({
    type: 'string',
    pattern: `${'('.repeat(n)}a${')*'.repeat(n)}`,
  })),
  defined('a pattern of counts', 'counts of counts', 3, (n) => ({
    type: 'string',
    pattern: `${'('.repeat(n)}a${'){10}'.repeat(n)}`,
  })),
  defined('a pattern of large counts', 'a{1000} many times', 50, (n) => ({
    type: 'string',
    pattern: 'a{1000}'.repeat(n),
  })),
  defined('a pattern of alternatives', 'alternatives without end', 100_000, (n) => ({
    type: 'string',
    pattern: `a${'|a'.repeat(n)}`,
  })),
  defined('a pattern of classes', 'classes of letters', 50_000, (n) => ({
    type: 'string',
    pattern: `[${'a-z'.repeat(n)}]`,
  })),
  defined('a pattern of Unicode classes', 'Unicode classes', 10_000, (n) => ({
    type: 'string',
    pattern: '\\p{L}'.repeat(n),
  })),
  defined('a pattern of folded ranges', 'large ranges without case', 2_000, (n) => ({
    type: 'string',
    pattern: `(?i)${'[\u0100-\u{1e940}]'.repeat(n)}`,
  })),
  defined('patterns of folded ranges', 'a large range without case in each of many fields', 100, (n) =>
    object(
      Object.fromEntries(
        Array.from({ length: n }, (_, i) => [
          `p${i}`,
          { type: 'string', pattern: `(?i)[\u0100-\uffff]${i}` },
        ]),
      ),
    ),
  ),
  defined('patterns', 'a pattern in each of many fields', 2_000, (n) =>
    object(
      Object.fromEntries(
        Array.from({ length: n }, (_, i) => [`p${i}`, { type: 'string', pattern: '^(a|b)*[a-z]{1,20}$' }]),
      ),
    ),
  ),
  defined('fields', 'fields without end', 12_000, (n) =>
    object(Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, { type: 'string' }]))),
  ),
  defined('small objects', 'objects with a field each', 5_000, (n) =>
    object(
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, object({ a: { type: 'string' } })])),
    ),
  ),
  defined('unspecified fields', 'fields without types, each an error', 15_000, (n) =>
    object(Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, {}]))),
  ),
  defined('depth', 'a schema nested deeply', 500, (n) => nested(n, { type: 'string' })),
  defined('required', 'required names without end', 60_000, (n) => ({
    ...object({}),
    required: Array.from({ length: n }, (_, i) => `r${i}`),
  })),
  defined('enumeration', 'words without end', 60_000, (n) => ({
    type: 'string',
    enum: Array.from({ length: n }, (_, i) => `e${i}`),
  })),
  defined('equal words', 'a word repeated', 100_000, (n) => ({
    type: 'string',
    enum: Array.from({ length: n }, () => 'e'),
  })),
  defined('words of objects', 'an enumeration of objects', 30_000, (n) => ({
    type: 'object',
    enum: Array.from({ length: n }, (_, i) => ({ a: i })),
  })),
  defined('branches', 'anyOf without end', 20_000, (n) => ({
    ...object({ a: { type: 'string' } }),
    anyOf: Array.from({ length: n }, () => ({ required: ['a'] })),
  })),
  defined('nested branches', 'anyOf in anyOf', 200, (n) => {
    let branch: object = { required: ['a'] };
    for (let i = 0; i < n; i++) branch = { anyOf: [branch, branch === undefined ? {} : { required: ['a'] }] };
    return { ...object({ a: { type: 'string' } }), ...branch };
  }),
  defined('a large default', 'a default of many keys', 50_000, (n) => ({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    default: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 1])),
  })),
  defined('a default with a rule', 'a default that a rule is asked about', 10_000, (n) => ({
    ...withRule('self.findAll("(a*x|a)").size() >= 0', { type: 'string', maxLength: 200_000 }),
    default: 'a'.repeat(n),
  })),
  defined('a default with a pattern', 'a default that a pattern is asked about', 100_000, (n) => ({
    type: 'string',
    pattern: '^(a|aa)*b$',
    default: 'a'.repeat(n),
  })),
  defined('a default of a duration', 'a default that duration() is asked about', 20, (n) => ({
    ...withRule('duration(self) > duration("1s")'),
    default: `${'000s'.repeat(n)}!`,
  })),
  defined('a long rule', 'a rule of many terms', 5_000, (n) =>
    withRule(`${'self == "a" || '.repeat(n)}true`),
  ),
  defined('a rule of brackets', 'brackets in a rule', 100_000, (n) => withRule('('.repeat(n))),
  defined('a rule of nested lists', 'lists in lists', 100_000, (n) => withRule('['.repeat(n))),
  defined('a rule of marks', 'exclamation marks', 100_000, (n) => withRule(`${'!'.repeat(n)}true`)),
  defined('a rule of conditions', 'conditions in conditions', 20_000, (n) =>
    withRule(`${'true ? true : '.repeat(n)}true`),
  ),
  defined('a rule of loops', 'loops in loops', 10, (n) =>
    withRule(
      `${'self.items.all(x, '.repeat(n)}true${')'.repeat(n)}`,
      object({ items: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 10 } } }),
    ),
  ),
  defined('a rule of fields', 'a.a.a.a', 100_000, (n) => withRule(`self${'.a'.repeat(n)} == 1`)),
  defined('a rule of additions', 'texts added', 20_000, (n) => withRule(`self${' + self'.repeat(n)} == ""`)),
  defined('a rule of a long text', 'a text of escapes', 50_000, (n) =>
    withRule(`self == "${'\\x41'.repeat(n)}"`),
  ),
  defined('a rule of a long number', 'a number of digits', 200_000, (n) =>
    withRule(`1${'1'.repeat(n)} == 1`),
  ),
  defined('a rule with a pattern', 'matches of a long pattern', 100_000, (n) =>
    withRule(`self.matches("${'a?'.repeat(n)}")`),
  ),
  defined('rules', 'a rule on each of many fields', 500, (n) =>
    object(
      Object.fromEntries(
        Array.from({ length: n }, (_, i) => [
          `p${i}`,
          withRule(`self.size() > ${i} && self.startsWith("a")`),
        ]),
      ),
    ),
  ),
  defined('rules that are wrong', 'rules that do not compile', 500, (n) =>
    object(Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, withRule(`self.nothing${i}(`)]))),
  ),
  defined('message expressions', 'an expression of the message of each', 250, (n) =>
    object(
      Object.fromEntries(
        Array.from({ length: n }, (_, i) => [
          `p${i}`,
          {
            type: 'string',
            maxLength: 10,
            'x-kubernetes-validations': [{ rule: 'true', messageExpression: `"a${i}" + self` }],
          },
        ]),
      ),
    ),
  ),
  posted(
    'operator',
    PATH,
    'application/json',
    'small versions',
    'versions without end, that have no schema',
    7_500,
    (n) => {
      const definition = definitionOf('hostiles', object({})) as { spec: object };
      const versions = Array.from({ length: n }, (_, i) => ({
        name: `v${i + 1}`,
        served: true,
        storage: i === 0,
      }));
      return JSON.stringify({ ...definition, spec: { ...definition.spec, versions } });
    },
  ),
  posted('operator', PATH, 'application/json', 'versions', 'versions without end', 1_000, (n) => {
    const definition = definitionOf('hostiles', object({})) as { spec: { versions: object[] } };
    const [version] = definition.spec.versions;
    definition.spec.versions = Array.from({ length: n }, (_, i) => ({
      ...version,
      name: `v${i + 1}`,
      storage: i === 0,
    }));
    return JSON.stringify(definition);
  }),
  posted('operator', PATH, 'application/json', 'columns', 'printer columns with long paths', 1_000, (n) => {
    const definition = definitionOf('hostiles', object({})) as { spec: { versions: object[] } };
    const columns = Array.from({ length: n }, (_, i) => ({
      name: `c${i}`,
      type: 'string',
      jsonPath: `.spec${'.a'.repeat(20)}[?(@.b=="c")]`,
    }));
    definition.spec.versions = definition.spec.versions.map((version) => ({
      ...version,
      additionalPrinterColumns: columns,
    }));
    return JSON.stringify(definition);
  }),
  posted(
    'operator',
    PATH,
    'application/json',
    'a column',
    'one printer column with a long path',
    100_000,
    (n) => {
      const definition = definitionOf('hostiles', object({})) as { spec: { versions: object[] } };
      const columns = [{ name: 'c', type: 'string', jsonPath: `.spec${'[?(@.a'.repeat(n / 5)}` }];
      definition.spec.versions = definition.spec.versions.map((version) => ({
        ...version,
        additionalPrinterColumns: columns,
      }));
      return JSON.stringify(definition);
    },
  ),
  posted('operator', PATH, 'application/json', 'short names', 'short names without end', 50_000, (n) => {
    const definition = definitionOf('hostiles', object({})) as { spec: { names: object } };
    definition.spec.names = {
      ...definition.spec.names,
      shortNames: JSON.parse(`[${listed(n, (i) => `"s${i}"`)}]`),
    };
    return JSON.stringify(definition);
  }),
];
