import { actualValueText, type UserInfo } from '@ashlar/core';
import { parseSeparatedValues } from '../request/separated-values.ts';

/** A token and its user. */
export interface StaticToken {
  readonly token: string;
  readonly user: UserInfo;
}

/** A parsed token file. */
export interface TokenFile {
  /** Unique tokens: of equal ones the last. */
  readonly tokens: readonly StaticToken[];
  /** Warnings with line numbers, for the log; they contain no token. */
  readonly warnings: readonly string[];
}

/**
 * Parses a token file: comma-separated `token,user,uid[,"group1,group2"]` (semantics/access#authentication).
 * Further columns are ignored.
 *
 * @throws SeparatedValuesError for a syntax error, with the line
 * @throws Error if a record has fewer than three columns, with the line
 * @example
 * parseTokenFile('s3cret,anna,u-1,"builders,testers"').tokens[0]?.user.groups; // ['builders', 'testers']
 */
export function parseTokenFile(text: string): TokenFile {
  if (typeof text !== 'string')
    throw new TypeError(`parseTokenFile takes the text of a file, not ${actualValueText(text)}`);
  const tokens = new Map<string, StaticToken>();
  const warnings: string[] = [];
  for (const { line, fields } of parseSeparatedValues(text)) {
    const [token, name, uid, groups] = fields;
    if (token === undefined || name === undefined || uid === undefined)
      throw tooFewColumns(line, fields.length);
    if (token === '') {
      warnings.push(`line ${line}: the token is empty, the line is skipped`);
      continue;
    }
    if (tokens.has(token)) warnings.push(`line ${line}: the token is a duplicate, the last one is used`);
    tokens.set(token, { token, user: { name, ...(uid && { uid }), groups: groups?.split(',') ?? [] } });
  }
  return { tokens: [...tokens.values()], warnings };
}

function tooFewColumns(line: number, found: number): Error {
  return new Error(
    `line ${line}: a token needs at least 3 columns (token, user name, user uid), found ${found}`,
  );
}
