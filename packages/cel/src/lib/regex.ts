import { RE2JS } from 're2js';
import { toHostPattern } from './host-pattern.ts';
import { PatternAutomaton } from './pattern-automaton.ts';
import { readPattern } from './pattern-syntax.ts';
import { lengthOf, PositionGraph } from './position-graph.ts';
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
    const pattern = toPattern(source);
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

/** Most places where a pattern may read a character, for it to be given an automaton. */
const MAX_POSITIONS = 500;
/** The engine of the host notes a way back for every character that it repeats; longer texts might be too much for it. */
const LONGEST_FOR_HOST = 65_536;

function toPattern(source: string): Pattern {
  const regex = RE2JS.compile(source);
  return {
    test: toTest(source) ?? ((text) => regex.matcher(text).find()),
    find: (text, limit) => {
      const found: string[] = [];
      const matcher = regex.matcher(text);
      while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '');
      return found;
    },
  };
}

/** A faster test, which most patterns are plain enough for: by the engine of the host, or by an automaton. */
function toTest(source: string): Pattern['test'] | undefined {
  const syntax = readPattern(source);
  if (!syntax || lengthOf(syntax.root) > MAX_POSITIONS) return undefined;
  const graph = new PositionGraph(syntax.root);
  const automaton = new PatternAutomaton(graph, syntax);
  if (!syntax.atStart || !graph.isUnambiguous) return (text) => automaton.test(text);
  const host = toHostPattern(syntax);
  return (text) => (text.length <= LONGEST_FOR_HOST ? host.test(text) : automaton.test(text));
}
