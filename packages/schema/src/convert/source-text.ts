const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const TYPE_NAME = /^[A-Za-z_$][\w$]*$/;

/** A name as a property of an object type or literal. */
export const propertyName = (name: string): string =>
  // In a literal a bare or quoted __proto__ would set the prototype.
  name === '__proto__' ? '["__proto__"]' : IDENTIFIER.test(name) ? name : JSON.stringify(name);

/** @throws TypeError for an invalid name of a declaration */
export function checkedName(name: string): string {
  if (TYPE_NAME.test(name)) return name;
  throw new TypeError(`${JSON.stringify(name)} is not a valid type name`);
}

/** Indents every line of a text except the first. */
export const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** A text as a documentation comment, with the line end after it. */
export function documentation(text: string | undefined): string {
  if (!text) return '';
  const lines = text
    .replaceAll('*/', '*\\/')
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/);
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
