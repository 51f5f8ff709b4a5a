/** With how many items before it an item is compared: work stays linear in the length of a list. */
export const MAXIMUM_COMPARED = 100;

/** Maximum number of warnings of a list: the headers of a response hold fewer. */
const MAXIMUM_WARNINGS = 100;

/** The first warnings of items; further items are not checked. */
export function firstWarnings<T>(items: Iterable<T>, warningsOf: (item: T) => Iterable<string>): string[] {
  const warnings: string[] = [];
  for (const item of items) {
    for (const warning of warningsOf(item)) warnings.push(warning);
    if (warnings.length >= MAXIMUM_WARNINGS) break;
  }
  return warnings;
}
