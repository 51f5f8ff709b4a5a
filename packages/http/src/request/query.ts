/** The query of a request: values by name, in order; the first of a repeated name counts where one is wanted. */
export class Query {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(text: string) {
    this.#values = text === '' ? NONE : parse(text);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The first value, or undefined. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}

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

/** Undefined for a broken escape: such a pair is passed over, as the reference does. */
function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
