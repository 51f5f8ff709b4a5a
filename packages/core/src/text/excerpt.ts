/**
 * Characters of a value that a message shows: a message with megabytes of a value is no clearer, and costs as
 * much as the value.
 */
const MAXIMUM_SHOWN = 2000;

/** Truncates long text for a message, with three dots. */
export function excerpt(text: string, maximumLength: number = MAXIMUM_SHOWN): string {
  return text.length > maximumLength ? `${text.slice(0, maximumLength)}...` : text;
}

/** Values that are: a message for each of a hundred errors may show the same one, and only to list its members costs as much as they are. */
const beyond: WeakSet<object> = new WeakSet();

/** Whether the JSON of a value is longer than messages show. */
export function isBeyondExcerpt(value: object): boolean {
  if (beyond.has(value)) return true;
  const isBeyond = isLongerThanShown(value);
  if (isBeyond) beyond.add(value);
  return isBeyond;
}

/** Stops counting where nothing more is shown; nesting costs no stack. */
function isLongerThanShown(value: object): boolean {
  let shown = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && shown <= MAXIMUM_SHOWN) {
    const next = pending.pop();
    shown += typeof next === 'string' ? next.length + 3 : 3;
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      if (shown + pending.length + next.length > MAXIMUM_SHOWN) return true;
      pending.push(...next);
      continue;
    }
    for (const name in next) {
      shown += name.length + 3;
      pending.push((next as Readonly<Record<string, unknown>>)[name]);
      if (shown + pending.length > MAXIMUM_SHOWN) return true;
    }
  }
  return shown > MAXIMUM_SHOWN;
}
