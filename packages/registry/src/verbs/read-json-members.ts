import { jsonSyntaxError, ParseError } from '@ashlar/core';

/** A number as it was spelled. */
export interface JsonNumber {
  readonly spelled: string;
}

/** A JSON value with numbers unparsed; for arrays and for nested objects only the kind. */
export type JsonNode = null | boolean | string | JsonNumber | readonly never[] | JsonMembers;

/** The members of an object in order, including repeated ones. */
export class JsonMembers {
  readonly entries: (readonly [name: string, value: JsonNode])[] = [];
}

const decoder = new TextDecoder();

/**
 * Reads the top-level members of a JSON text (RFC 8259) strictly: small UTF-8 texts whose errors clients see,
 * such as continue tokens.
 * @throws ParseError with the recorded texts for syntax errors
 */
export function readJson(bytes: Uint8Array): JsonNode {
  const syntaxError = jsonSyntaxError(bytes);
  if (syntaxError !== undefined) throw new ParseError(syntaxError);
  const tokens = decoder.decode(bytes).matchAll(TOKEN);
  const next = (): string => (tokens.next().value as RegExpExecArray)[0];
  const first = next();
  if (first !== '{') return nodeOf(first, next);
  const members = new JsonMembers();
  for (let token = next(); token !== '}'; token = next()) {
    if (token === ',') continue;
    const name = JSON.parse(token) as string;
    next(); // the colon
    members.entries.push([name, nodeOf(next(), next)]);
  }
  return members;
}

/** The tokens of a valid JSON text; what they skip is white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^{}[\]:,"\s]+/g;

function nodeOf(token: string, next: () => string): JsonNode {
  if (token === '{' || token === '[') {
    for (let depth = 1; depth > 0; ) {
      const inside = next();
      if (inside === '{' || inside === '[') depth++;
      else if (inside === '}' || inside === ']') depth--;
    }
    return token === '{' ? new JsonMembers() : [];
  }
  return /^[-\d]/.test(token) ? { spelled: token } : (JSON.parse(token) as JsonNode);
}
