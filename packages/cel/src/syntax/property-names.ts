/** Words that identifiers cannot be (semantics/schemas#rules). */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const CHARACTERS: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

const PLAIN = /^[A-Za-z][A-Za-z0-9]*$/;
const ACCESSIBLE = /^[A-Za-z_./-][A-Za-z0-9_./-]*$/;

/**
 * The identifier of a property in expressions; undefined if it cannot be accessed.
 * @example escapeProperty('foo-bar') // foo__dash__bar
 */
export function escapeProperty(name: string): string | undefined {
  if (KEYWORDS.has(name)) return `__${name}__`;
  if (PLAIN.test(name)) return name;
  if (!ACCESSIBLE.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (part) => ESCAPES[part] as string);
}

/** The property of an identifier; undefined if it contains an invalid escape. */
export function unescapeProperty(identifier: string): string | undefined {
  let valid = true;
  const name = identifier.replace(/__([^_]+)__/g, (sequence, content: string) => {
    const character = Object.hasOwn(CHARACTERS, content) ? CHARACTERS[content] : undefined;
    if (character !== undefined) return character;
    if (!KEYWORDS.has(content) || sequence.length !== identifier.length) valid = false;
    return content;
  });
  return valid ? name : undefined;
}

/** Whether the word is reserved. */
export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}
