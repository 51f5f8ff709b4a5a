import { type FieldError, FieldErrors } from '@ashlar/core';
import { invalidWhen } from '../../field-rules.ts';

// Names of iSCSI targets and initiators.

/** How names of each kind are written. Release 1.32 also finds one of the first kind at the end of a text that only begins with its prefix. */
const FORMATS: readonly (readonly [prefix: string, matches: (name: string) => boolean])[] = [
  ['iqn', endsWithDatedName],
  ['eui', (name) => /^eui[^\n][A-Za-z0-9]{16}$/u.test(name)],
  ['naa', (name) => /^naa[^\n][A-Za-z0-9]{32}$/u.test(name)],
];

/** Errors of the name of a target or an initiator. @param hint appended to the error of an unknown format */
export function qualifiedErrors(name: string, hint: string, path: string): readonly FieldError[] {
  const format = FORMATS.find(([prefix]) => name.startsWith(prefix));
  if (!format) return [FieldErrors.invalid(path, name, `must be valid format${hint}`)];
  return invalidWhen(!format[1](name), path, name, 'must be valid format');
}

const DATE_AND_DOMAIN: RegExp = /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]/;
const OF_DOMAINS: RegExp = /[A-Za-z0-9.-]/;
const NOT_BEHIND_COLONS: RegExp = /[,;*&$|\t\n\f\r ]/;

/** Whether a text ends with a date, a domain, a colon and something. It is read once from its end: it may be a million signs. */
function endsWithDatedName(text: string): boolean {
  const parts = signsAtEnd(text, (sign) => !NOT_BEHIND_COLONS.test(sign)).split(':');
  const hasEnd = parts.at(-1) !== '';
  const before = hasEnd ? parts.slice(0, -1) : parts.slice(0, -2);
  return before.some((part) => DATE_AND_DOMAIN.test(signsAtEnd(part, (sign) => OF_DOMAINS.test(sign))));
}

function signsAtEnd(text: string, isOne: (sign: string) => boolean): string {
  let start = text.length;
  while (start > 0 && isOne(text.charAt(start - 1))) start--;
  return text.slice(start);
}
