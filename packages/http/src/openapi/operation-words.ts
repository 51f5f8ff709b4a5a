import type { Vocabulary } from '@ashlar/core';

/** Returns the name of a group in tags and ids of operations: groups of the vendor are named without its domain. */
export function groupWord(group: string, { groupDomain }: Vocabulary): string {
  if (group === '') return 'core';
  const domain = `.${groupDomain}`;
  return camelCase(group.endsWith(domain) ? group.slice(0, -domain.length) : group);
}

/** Returns a word with a capital letter, as in the middle of an id. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const camelCase = (group: string): string =>
  group
    .split(/[.-]/)
    .map((part, i) => (i === 0 ? part : capital(part)))
    .join('');
