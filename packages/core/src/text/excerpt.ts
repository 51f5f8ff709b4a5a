/**
 * Characters of a value that a message shows: a message with megabytes of a value is no clearer, and costs as
 * much as the value.
 */
const MAXIMUM_SHOWN = 2000;

/** Truncates long text for a message, with three dots. */
export function excerpt(text: string, maximumLength: number = MAXIMUM_SHOWN): string {
  return text.length > maximumLength ? `${text.slice(0, maximumLength)}...` : text;
}

/** Whether the JSON of a value is longer than messages show. Stops counting there; nesting costs no stack. */
export function isBeyondExcerpt(value: unknown): boolean {
  let shown = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && shown <= MAXIMUM_SHOWN) {
    const next = pending.pop();
    shown += typeof next === 'string' ? next.length + 3 : 3;
    if (typeof next !== 'object' || next === null) continue;
    for (const name in next) {
      shown += Array.isArray(next) ? 0 : name.length + 3;
      pending.push((next as Readonly<Record<string, unknown>>)[name]);
      if (shown + pending.length > MAXIMUM_SHOWN) return true;
    }
  }
  return shown > MAXIMUM_SHOWN;
}
