import { utf8Length } from '../text/utf8.ts';

/**
 * Validates a string and returns its error messages, worded as in semantics/metadata#name-formats,
 * #labels-and-annotations; empty if it is valid.
 */
export type NameRule = (text: string) => readonly string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const UNDERSCORE_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const SUBDOMAIN_LENGTH = 253;
const LABEL_LENGTH = 63;
const PORT_NAME_LENGTH = 15;

interface Shape {
  readonly test: Pick<RegExp, 'test'>;
  readonly error: string;
}

/** @param shown the pattern in the message, if it differs from the one tested */
function shape(
  test: Pick<RegExp, 'test'> & { readonly source: string },
  message: string,
  examples: readonly string[],
  shown: string = test.source.slice(1, -1),
): Shape {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return {
    test,
    error: `${message} (e.g. ${list}regex used for validation is '${shown}')`,
  };
}

const NAME_EXAMPLES = ['MyName', 'my.name', '123-abc'];
const NAME_MESSAGE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const label = shape(
  new RegExp(`^${LABEL}$`),
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  ['my-name', '123-abc'],
);
const subdomain = shape(
  { source: `^${SUBDOMAIN}$`, test: isSubdomain },
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  ['example.com'],
);
const underscoreSubdomain = shape(
  new RegExp(`^${UNDERSCORE_LABEL}(\\.${UNDERSCORE_LABEL})*$`),
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  ['example.com'],
  SUBDOMAIN,
);
const dns1035Label = shape(
  /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  ['my-name', 'abc-123'],
);
const wildcardSubdomain = shape(
  new RegExp(`^\\*\\.${SUBDOMAIN}$`),
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  ['*.example.com'],
);
const namePart = shape(new RegExp(`^${QUALIFIED_NAME}$`), `name part ${NAME_MESSAGE}`, NAME_EXAMPLES);
const qualifiedName = shape(
  new RegExp(`^${QUALIFIED_NAME}$`),
  `a qualified name ${NAME_MESSAGE}`,
  NAME_EXAMPLES,
);
const labelValue = shape(
  new RegExp(`^(${QUALIFIED_NAME})?$`),
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
  ['MyValue', 'my_value', '12345'],
);
const cIdentifier = shape(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  ['my_name', 'MY_NAME', 'MyName'],
);
const percent = shape(
  /^[0-9]+%$/,
  "a valid percent string must be a numeric string followed by an ending '%'",
  ['1%', '93%'],
);
const headerName = shape(
  /^[-A-Za-z0-9]+$/,
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  ['X-Header-Name'],
);
const variableName = shape(
  /^[-._a-zA-Z][-._a-zA-Z0-9]*$/,
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'],
);
const configMapKey = shape(
  /^[-._a-zA-Z0-9]+$/,
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  ['key.name', 'KEY_NAME', 'key-name'],
);

/** Matches nearly all valid label keys and values, so that they need no further checks. */
const USUAL_NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
/** Nearly all names with a subdomain prefix: well-formed and not too long. */
const USUAL_QUALIFIED_NAME =
  /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?){0,2}\/[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const NO_ERRORS: readonly string[] = [];

/** Tells what `SUBDOMAIN` matches in a tenth of its time: a name may have megabytes. */
function isSubdomain(text: string): boolean {
  let before = DOT;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
    const isAllowed = isLetter || (before !== DOT && (code === DASH || (code === DOT && before !== DASH)));
    if (!isAllowed) return false;
    before = code;
  }
  return before !== DOT && before !== DASH;
}

const DASH = 0x2d;
const DOT = 0x2e;

const tooLong = (text: string, maximum: number): string[] =>
  text.length > maximum || utf8Length(text) > maximum ? [`must be no more than ${maximum} characters`] : [];

const misshapen = (text: string, { test, error }: Shape): string[] => (test.test(text) ? [] : [error]);

/** A DNS-1123 label: namespaces and other names of at most 63 characters without dots. */
export const dns1123LabelErrors: NameRule = (text) => {
  const errors = tooLong(text, LABEL_LENGTH);
  if (label.test.test(text)) return errors;
  return [...errors, subdomain.test.test(text) ? 'must not contain dots' : label.error];
};

/** A DNS-1123 subdomain: labels joined by dots, at most 253 characters. */
export const dns1123SubdomainErrors: NameRule = (text) =>
  text.length <= SUBDOMAIN_LENGTH && isSubdomain(text)
    ? NO_ERRORS
    : [...tooLong(text, SUBDOMAIN_LENGTH), ...misshapen(text, subdomain)];

/** A DNS-1123 subdomain in which labels may begin with and contain underscores. */
export const dns1123SubdomainWithUnderscoreErrors: NameRule = (text) => [
  ...tooLong(text, SUBDOMAIN_LENGTH),
  ...misshapen(text, underscoreSubdomain),
];

/** A DNS-1035 label: begins with a letter, at most 63 characters. */
export const dns1035LabelErrors: NameRule = (text) => [
  ...tooLong(text, LABEL_LENGTH),
  ...misshapen(text, dns1035Label),
];

/** `*.` and a DNS-1123 subdomain. */
export const wildcardDns1123SubdomainErrors: NameRule = (text) => [
  ...tooLong(text, SUBDOMAIN_LENGTH),
  ...misshapen(text, wildcardSubdomain),
];

/**
 * Keys of labels, names of finalizers and conditions: a name, with an optional `<subdomain>/` prefix
 * (semantics/metadata#labels-and-annotations).
 */
export const qualifiedNameErrors: NameRule = (text) => {
  if (USUAL_NAME.test(text) || USUAL_QUALIFIED_NAME.test(text)) return NO_ERRORS;
  const parts = text.split('/', 3);
  if (parts.length > 2)
    return [
      `${qualifiedName.error} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const name = parts.pop() as string;
  return [...parts.flatMap(prefixPartErrors), ...namePartErrors(name)];
};

function prefixPartErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return dns1123SubdomainErrors(prefix).map((error) => `prefix part ${error}`);
}

function namePartErrors(name: string): string[] {
  const length = name === '' ? ['must be non-empty'] : tooLong(name, LABEL_LENGTH);
  return [...length.map((error) => `name part ${error}`), ...misshapen(name, namePart)];
}

/** A label value: empty or like a name, at most 63 characters (semantics/metadata#labels-and-annotations). */
export const labelValueErrors: NameRule = (text) =>
  USUAL_NAME.test(text) ? NO_ERRORS : [...tooLong(text, LABEL_LENGTH), ...misshapen(text, labelValue)];

/** An identifier of the C language. */
export const cIdentifierErrors: NameRule = (text) => misshapen(text, cIdentifier);

/** Digits and a percent sign. */
export const percentErrors: NameRule = (text) => misshapen(text, percent);

/** The name of an HTTP header field, without the symbols that RFC 9110 would allow. */
export const httpHeaderNameErrors: NameRule = (text) => misshapen(text, headerName);

/** The name of an environment variable. */
export const environmentVariableNameErrors: NameRule = (text) => [
  ...misshapen(text, variableName),
  ...dotErrors(text),
];

/** A key of the data of ConfigMaps and Secrets. */
export const configMapKeyErrors: NameRule = (text) => [
  ...tooLong(text, SUBDOMAIN_LENGTH),
  ...misshapen(text, configMapKey),
  ...dotErrors(text),
];

function dotErrors(text: string): string[] {
  if (text === '.' || text === '..') return [`must not be '${text}'`];
  return text.startsWith('..') ? ["must not start with '..'"] : [];
}

/**
 * The name of a port: at most 15 lower case letters, digits and single hyphens inside, at least one letter
 * (RFC 6335).
 */
export const portNameErrors: NameRule = (text) => [
  ...tooLong(text, PORT_NAME_LENGTH),
  ...(/^[-a-z0-9]+$/.test(text)
    ? []
    : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(text) ? [] : ['must contain at least one letter (a-z)']),
  ...(text.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(text.startsWith('-') || text.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
];

/** A name that can be a path segment of a URL as is (semantics/metadata#name-formats). */
export const pathSegmentErrors: NameRule = (text) =>
  text === '.' || text === '..' ? [`may not be '${text}'`] : pathSegmentPrefixErrors(text);

/** The prefix of such a name. */
export const pathSegmentPrefixErrors: NameRule = (text) =>
  ['/', '%']
    .filter((character) => text.includes(character))
    .map((character) => `may not contain '${character}'`);
