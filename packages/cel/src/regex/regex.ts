import { errorMessage, isPatternTooLarge, PATTERN_TOO_LARGE } from '@ashlar/core';
import { RE2JS } from 're2js';
import { Interruption } from '../cost/interruption.ts';
import { work } from '../cost/work.ts';
import { toHostPattern } from '../values/host-pattern.ts';
import { EvaluationError } from '../values/values.ts';
import { PatternAutomaton } from './pattern-automaton.ts';
import { programOf } from './pattern-program.ts';
import { PatternSearch } from './pattern-search.ts';
import { readPattern } from './pattern-syntax.ts';
import { lengthOf, PositionGraph } from './position-graph.ts';

/** A compiled pattern: runs in time linear in the text. */
export interface Pattern {
  /** Steps that compiling it took. */
  readonly steps: number;
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
  /** The first `limit` non-overlapping matches; all of them if the limit is negative. */
  find(text: string, limit: number): string[];
}

const compiled = new Map<string, Pattern>();
/** Maximum number of cached patterns. */
const CACHE_SIZE = 256;

/** Compiles a pattern, or returns an error with RE2's message. Cached. */
export function compilePattern(source: string): Pattern | EvaluationError {
  return compiled.get(source) ?? compileNew(source);
}

/** The same for a pattern literal of an expression: counts as many steps whether it is cached or not. */
export function compileLiteral(source: string): Pattern | EvaluationError {
  const cached = compiled.get(source);
  if (cached) work(cached.steps);
  return cached ?? compileNew(source);
}

function compileNew(source: string): Pattern | EvaluationError {
  if (isPatternTooLarge(source)) return new EvaluationError(PATTERN_TOO_LARGE);
  const depth = depthOf(source);
  try {
    const pattern = toPattern(source, depth * depth * COMPILING.nesting);
    if (compiled.size >= CACHE_SIZE) compiled.clear();
    compiled.set(source, pattern);
    return pattern;
  } catch (error) {
    if (error instanceof Interruption) throw error;
    return new EvaluationError(`error parsing regexp: ${reasonOf(error)}`);
  }
}

/** The maximum number of parentheses that are open at once; escaped ones and those of character classes count too. */
function depthOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code === OPEN) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE) depth--;
  }
  return deepest;
}

const OPEN = 0x28;
const CLOSE = 0x29;

/** Converts the engine's error to that of RE2: the reason and the offending part between backquotes. */
function reasonOf(error: unknown): string {
  const text = errorMessage(error);
  return text.replace(/^error parsing regexp: /, '');
}

/** Maximum number of positions of a pattern that is compiled to an automaton. */
const MAX_POSITIONS = 500;
/** The engine of the host needs memory for every repeated character; longer texts might be too much for it. */
const MAXIMUM_HOST_LENGTH = 65_536;
/** Steps of compiling a pattern, per character, per instruction, and per group inside of a group. */
const COMPILING = { character: 2_000, instruction: 10_000, nesting: 60 };

/**
 * Compiles immediately, so that errors are reported; the search is prepared for the first text, as most
 * patterns are only checked.
 */
function toPattern(source: string, nestingSteps: number): Pattern {
  work(nestingSteps + source.length * COMPILING.character);
  const program = programOf(RE2JS.compile(source));
  const instructionSteps = program.inst.length * COMPILING.instruction;
  work(instructionSteps);
  let search: PatternSearch | undefined;
  let test: Pattern['test'] | undefined;
  const searching = (): PatternSearch => {
    search ??= new PatternSearch(program);
    return search;
  };
  return {
    steps: nestingSteps + source.length * COMPILING.character + instructionSteps,
    test: (text) => {
      test ??= toTest(source) ?? ((other) => searching().test(other));
      return test(text);
    },
    find: (text, limit) => searching().find(text, limit),
  };
}

/** A faster test, for most patterns: by the engine of the host, or by an automaton. */
function toTest(source: string): Pattern['test'] | undefined {
  const syntax = readPattern(source);
  if (!syntax) return undefined;
  const length = lengthOf(syntax.root);
  if (length > MAX_POSITIONS) return undefined;
  // Every position is compared with every other, as bit sets of that size.
  work(length * length * 80);
  const graph = new PositionGraph(syntax.root);
  const automaton = new PatternAutomaton(graph, syntax, length);
  if (!syntax.atStart || !graph.isUnambiguous) return (text) => automaton.test(text);
  const host = toHostPattern(syntax);
  return (text) => (text.length <= MAXIMUM_HOST_LENGTH ? host.test(text) : automaton.test(text));
}
