import { RE2JS } from 're2js';
import { EvaluationError } from './values.ts';

/** A compiled pattern: runs in time linear in the text. */
export interface Pattern {
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
  /** The first `limit` parts of the text that match, not overlapping; all of them when the limit is negative. */
  find(text: string, limit: number): string[];
}

const compiled = new Map<string, Pattern>();
/** How many patterns are kept compiled. */
const KEPT = 256;

/** Compiles a pattern, or gives an error with RE2's words. The same pattern is compiled once. */
export function compilePattern(source: string): Pattern | EvaluationError {
  const known = compiled.get(source);
  if (known) return known;
  try {
    const pattern = toPattern(RE2JS.compile(source));
    if (compiled.size >= KEPT) compiled.clear();
    compiled.set(source, pattern);
    return pattern;
  } catch (error) {
    return new EvaluationError(`error parsing regexp: ${reasonOf(error)}`);
  }
}

/** What the engine says, in the form that RE2 has for it: the reason and the offending part between backquotes. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^error parsing regexp: /, '');
}

function toPattern(regex: RE2JS): Pattern {
  return {
    test: (text) => regex.matcher(text).find(),
    find: (text, limit) => {
      const found: string[] = [];
      const matcher = regex.matcher(text);
      while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '');
      return found;
    },
  };
}
