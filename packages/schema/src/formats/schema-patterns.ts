import { type Schema, SharedSteps, type Steps } from '@ashlar/core';
import { withParts } from '../structural/schema-parts.ts';
import { type CompilePattern, type Pattern, patternOf } from './pattern.ts';

/** The patterns of a schema. Each is compiled once, however many parts and checks have it. */
export class SchemaPatterns {
  readonly #schema: Schema;
  readonly #compile: CompilePattern;
  readonly #compiled: Map<string, Pattern> = new Map();
  readonly #compiling: SharedSteps<void> = new SharedSteps(() => this.#compileEach());
  #areCompiled = false;

  constructor(schema: Schema, compile: CompilePattern) {
    this.#schema = schema;
    this.#compile = compile;
  }

  /** Whether `compileSteps` has nothing left to do. */
  get areCompiled(): boolean {
    return this.#areCompiled;
  }

  /** Compiles a pattern unless it is compiled already. */
  readonly compile: CompilePattern = (source) => {
    const compiled = this.#compiled.get(source) ?? this.#compile(source);
    this.#compiled.set(source, compiled);
    return compiled;
  };

  /**
   * Compiles all patterns, with a pause before and after each: many that are small enough each take long together.
   * @throws TypeError that names an invalid pattern
   */
  compileSteps(): Steps<void> {
    return this.#compiling.steps();
  }

  *#compileEach(): Steps<void> {
    for (const part of withParts(this.#schema)) {
      if (!part) yield;
      const pattern = part?.pattern;
      if (!pattern || this.#compiled.has(pattern)) continue;
      yield;
      patternOf(pattern, this.compile);
      yield;
    }
    this.#areCompiled = true;
  }
}
