/**
 * Returns the parameters of a query, which may be those of earlier requests with the same text: clients send the same few again and again, and what is
 * made of them can be remembered.
 */
export function queryOf(text: string): Query {
  const found = known.get(text);
  if (found) return found;
  const query = new Query(text);
  if (known.size >= MAXIMUM_KNOWN) known.clear();
  known.set(text, query);
  return query;
}

const known = new Map<string, Query>();
const MAXIMUM_KNOWN = 256;

/** The query parameters of a request, in order; `get` returns the first value of a repeated name. */
export class Query {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(text: string) {
    this.#values = text === '' ? NONE : parse(text);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** All parameters, each value by itself, sorted by name. */
  sorted(): readonly (readonly [name: string, value: string])[] {
    const names = [...this.#values.keys()].sort(inOrder);
    return names.flatMap((name) => this.all(name).map((value) => [name, value] as const));
  }

  /** Returns the first value. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const NONE: ReadonlyMap<string, readonly string[]> = new Map();

function parse(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const present = values.get(name);
    if (present) present.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** Returns undefined for an invalid percent-encoding: the pair is ignored, as on the reference server. */
function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
