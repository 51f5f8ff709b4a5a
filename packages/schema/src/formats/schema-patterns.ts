import type { Schema, Steps } from '@ashlar/core';
import { type CompilePattern, type Pattern, patternOf } from './pattern.ts';

/** Parts of a schema that are visited between two pauses. */
const STRIDE = 256;

/** The patterns of a schema. Each is compiled once, however many parts and checks have it. */
export class SchemaPatterns {
  readonly #schema: Schema;
  readonly #compile: CompilePattern;
  readonly #compiled: Map<string, Pattern> = new Map();
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
  *compileSteps(): Steps<void> {
    if (this.#areCompiled) return;
    let visited = 0;
    for (const { pattern } of withParts(this.#schema)) {
      if (++visited % STRIDE === 0) yield;
      if (!pattern || this.#compiled.has(pattern)) continue;
      yield;
      patternOf(pattern, this.compile);
      yield;
    }
    this.#areCompiled = true;
  }
}

/** A schema and all schemas inside of it. */
function* withParts(schema: Schema): Generator<Schema, void, undefined> {
  const waiting = [schema];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (const part of partsOf(next)) waiting.push(part);
  }
}

/** The schemas that values of a schema, or parts of them, are checked against. */
function* partsOf(schema: Schema): Generator<Schema, void, undefined> {
  const { items, additionalProperties, properties = {}, not } = schema;
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  if (items) yield items;
  if (not) yield not;
  if (typeof additionalProperties === 'object') yield additionalProperties;
  yield* allOf;
  yield* anyOf;
  yield* oneOf;
  for (const name in properties) yield properties[name] as Schema;
}
