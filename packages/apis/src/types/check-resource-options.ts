import {
  actualValueText,
  checkOptionNames,
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  optionError,
} from '@ashlar/core';

const CALLEE = 'defineResource';

const OPTIONS = [
  'group',
  'version',
  'kind',
  'plural',
  'shortNames',
  'categories',
  'scope',
  'spec',
  'status',
  'columns',
  'storage',
  'validate',
];

const COLUMN_OPTIONS = ['name', 'type', 'format', 'description', 'priority', 'cell', 'timeless', 'ageOf'];
const COLUMN_TYPES = ['string', 'integer', 'number', 'boolean', 'date'];
const STORAGE_VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'delete',
  'act',
  'deleteCollection',
  'change',
  'createStore',
];

const isText = (value: unknown, errors: (text: string) => readonly string[]): boolean =>
  typeof value === 'string' && errors(value).length === 0;

/** A rule of one option. Optional ones are only checked if present. */
interface OptionRule {
  readonly expected: string;
  readonly isRequired?: boolean;
  holds(value: unknown): boolean;
}

const LABELS = {
  holds: (value: unknown) => Array.isArray(value) && value.every((each) => isText(each, dns1035LabelErrors)),
};

const RULES: Readonly<Record<string, OptionRule>> = {
  group: {
    expected: 'a domain of your own, such as "example.com"',
    isRequired: true,
    holds: (value) => isText(value, dns1123SubdomainErrors) && String(value).includes('.'),
  },
  version: {
    expected: 'a version such as "v1" or "v1beta1"',
    isRequired: true,
    holds: (value) => isText(value, dns1035LabelErrors),
  },
  kind: {
    expected: 'a name in the singular that begins with a capital, such as "Widget"',
    isRequired: true,
    holds: (value) => typeof value === 'string' && /^[A-Z][A-Za-z0-9]{0,62}$/.test(value),
  },
  plural: {
    expected: 'a name in lower case, such as "widgets"',
    holds: (value) => isText(value, dns1035LabelErrors),
  },
  shortNames: { expected: 'a list of names in lower case, such as ["wd"]', ...LABELS },
  categories: { expected: 'a list of names in lower case, such as ["all"]', ...LABELS },
  scope: {
    expected: '"Namespaced" or "Cluster"',
    holds: (value) => value === 'Namespaced' || value === 'Cluster',
  },
  spec: {
    expected: 'a type of zod, such as z.object({ … })',
    isRequired: true,
    holds: (value) => typeof value === 'object' && value !== null,
  },
  status: {
    expected: 'a type of zod, such as z.object({ … })',
    holds: (value) => typeof value === 'object' && value !== null,
  },
  columns: { expected: 'a list of columns, such as [{ name, cell }]', holds: Array.isArray },
  storage: {
    expected: `an object with some of the verbs ${STORAGE_VERBS.join(', ')}`,
    holds: (value) =>
      STORAGE_VERBS.some((verb) => typeof (value as Record<string, unknown> | null)?.[verb] === 'function'),
  },
  validate: {
    expected: 'a function that returns a list of errors, and not a promise of one',
    holds: (value) => typeof value === 'function' && value.constructor.name !== 'AsyncFunction',
  },
};

/**
 * Checks the options of a resource type when it is defined.
 * @throws TypeError that names the option, the expected and the actual value
 */
export function checkResourceOptions(options: object): void {
  checkOptionNames(CALLEE, options, OPTIONS);
  for (const [name, rule] of Object.entries(RULES)) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value === undefined && !rule.isRequired) continue;
    if (!rule.holds(value)) throw optionError(CALLEE, name, rule.expected, value);
  }
  checkColumns((options as { readonly columns?: readonly unknown[] }).columns ?? []);
}

function checkColumns(columns: readonly unknown[]): void {
  const names = new Set<unknown>(['Name']);
  for (const [index, column] of columns.entries()) {
    const place = `column ${index} of ${CALLEE}`;
    checkOptionNames(place, column, COLUMN_OPTIONS);
    const { name, type = 'string', cell } = column as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name === '') throw optionError(place, 'name', 'a text', name);
    if (names.has(name)) {
      throw new TypeError(
        `${place} has a name that another column has: ${actualValueText(name)} (the first is always "Name")`,
      );
    }
    names.add(name);
    if (!COLUMN_TYPES.includes(String(type))) {
      throw optionError(place, 'type', `one of ${COLUMN_TYPES.join(', ')}`, type);
    }
    if (typeof cell !== 'function') throw optionError(place, 'cell', 'a function of the object', cell);
  }
}
