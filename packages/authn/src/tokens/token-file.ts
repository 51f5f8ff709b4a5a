import type { UserInfo } from '@ashlar/core';
import { parseSeparatedValues } from '../request/separated-values.ts';

/** A token and whom it stands for. */
export interface StaticToken {
  readonly token: string;
  readonly user: UserInfo;
}

/** What a token file says. */
export interface TokenFile {
  /** Each token once: of equal ones the last. */
  readonly tokens: readonly StaticToken[];
  /** What was passed over, with its line; for the log. No token is named. */
  readonly warnings: readonly string[];
}

/**
 * Reads a token file: comma-separated `token,user,uid[,"group1,group2"]` (semantics/access#authentication). Further columns are not read.
 *
 * @throws SeparatedValuesError where the text is no such one, with the line
 * @throws Error where a record has fewer than three columns, with the line
 * @example
 * parseTokenFile('s3cret,anna,u-1,"builders,testers"').tokens[0]?.user.groups; // ['builders', 'testers']
 */
export function parseTokenFile(text: string): TokenFile {
  const tokens = new Map<string, StaticToken>();
  const warnings: string[] = [];
  for (const { line, fields } of parseSeparatedValues(text)) {
    const [token, name, uid, groups] = fields;
    if (token === undefined || name === undefined || uid === undefined)
      throw tooFewColumns(line, fields.length);
    if (token === '') {
      warnings.push(`line ${line}: the token is empty, the line is passed over`);
      continue;
    }
    if (tokens.has(token)) warnings.push(`line ${line}: the token stands in a line before, this one holds`);
    tokens.set(token, { token, user: { name, ...(uid && { uid }), groups: groups?.split(',') ?? [] } });
  }
  return { tokens: [...tokens.values()], warnings };
}

function tooFewColumns(line: number, found: number): Error {
  return new Error(
    `line ${line}: a token needs at least 3 columns (token, user name, user uid), found ${found}`,
  );
}
