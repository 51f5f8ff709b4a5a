import type { BrowserOptions } from '@ashlar/http';
import { compileLinearPattern } from '@ashlar/schema';
import { LISTENER } from './flag-groups.ts';
import { list } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** Flags of what browsers are told. */
export interface BrowserFlags {
  readonly 'cors-allowed-origins'?: readonly string[];
  readonly 'strict-transport-security-directives'?: readonly string[];
}

export const browserFlags: FlagTableOf<BrowserFlags> = {
  'cors-allowed-origins': checked(
    list(
      LISTENER,
      'LIST',
      'regular expressions of the origins of web pages that may send requests and read the responses, such as //app\\.example\\.org(:|$)',
    ),
    checkOriginPattern,
  ),
  'strict-transport-security-directives': checked(
    list(
      LISTENER,
      'LIST',
      'directives of the header Strict-Transport-Security, such as max-age=31536000,includeSubDomains; without them it is not sent',
    ),
    checkTransportDirective,
  ),
};

/** Returns the options of the handler that the flags set. */
export function browserOptionsOf(flags: BrowserFlags): BrowserOptions {
  const patterns = flags['cors-allowed-origins']?.map(compileLinearPattern);
  const directives = flags['strict-transport-security-directives'];
  return {
    ...(patterns && { allowsOrigin: (origin) => patterns.some((pattern) => pattern.test(origin)) }),
    ...(directives && { strictTransportSecurity: directives.join('; ') }),
  };
}

/** A list each of whose values is checked. */
function checked(flag: Flag<readonly string[]>, check: (value: string) => void): Flag<readonly string[]> {
  return {
    ...flag,
    parse(argument) {
      const values = flag.parse(argument);
      for (const value of values) check(value);
      return values;
    },
  };
}

/** A pattern that matches only a part of the host would allow the pages of others (CVE-2022-1996). */
function checkOriginPattern(pattern: string): void {
  compileLinearPattern(pattern);
  const isBegun = pattern.includes('^') || pattern.includes('//');
  if (!isBegun || !(pattern.includes('$') || pattern.includes(':')))
    throw new Error(
      `${JSON.stringify(pattern)} must match the start and the end of the host: begin it with ^ or //, and end it with $ or (:|$)`,
    );
}

function checkTransportDirective(directive: string): void {
  const [name, value, ...rest] = directive.split('=');
  const isMaximumAge = name === 'max-age' && value !== undefined && rest.length === 0;
  if (directive !== 'includeSubDomains' && directive !== 'preload' && !isMaximumAge)
    throw new Error(`${JSON.stringify(directive)} is neither max-age=SECONDS, includeSubDomains nor preload`);
}
