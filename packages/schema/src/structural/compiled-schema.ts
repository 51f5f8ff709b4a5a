import { doneSteps, type Schema, SharedSteps, type Steps } from '@ashlar/core';
import { withParts } from './schema-parts.ts';

const NOTHING_TO_DO: Steps<void> = doneSteps(undefined);
/** Parts that are compiled between two pauses. */
const STRIDE = 256;

/** Compiles a schema. What it needs of the parts of the schema it gets from the given function. */
export type CompilePart<T> = (schema: Schema, compile: (part: Schema) => T) => T;

/** What a schema is compiled to, on first use. */
export interface Compiled<T> {
  /** Compiled at once, unless `compileSteps` has done it. */
  readonly whole: T;
  /** Whether `compileSteps` has nothing left to do. */
  readonly isCompiled: boolean;
  /** Compiles with pauses. */
  compileSteps(): Steps<void>;
}

/** Compiles a schema at once, or part by part. */
export class CompiledSchema<T> implements Compiled<T> {
  readonly #schema: Schema;
  readonly #compilePart: CompilePart<T>;
  readonly #parts: Map<Schema, T> = new Map();
  readonly #compiling: SharedSteps<void> = new SharedSteps(() => this.#compileParts());
  #result: { readonly whole: T } | undefined;

  constructor(schema: Schema, compilePart: CompilePart<T>) {
    this.#schema = schema;
    this.#compilePart = compilePart;
  }

  get isCompiled(): boolean {
    return this.#result !== undefined;
  }

  get whole(): T {
    return (this.#result ?? this.#compile()).whole;
  }

  compileSteps(): Steps<void> {
    return this.#result ? NOTHING_TO_DO : this.#compiling.steps();
  }

  /** Compiles parts before what they are parts of. */
  *#compileParts(): Steps<void> {
    const parts: Schema[] = [];
    for (const part of withParts(this.#schema)) {
      if (part) parts.push(part);
      else yield;
    }
    for (let i = parts.length - 1; i > 0 && !this.#result; i--) {
      const part = parts[i] as Schema;
      if (!this.#parts.has(part)) this.#parts.set(part, this.#part(part));
      if (i % STRIDE === 0) yield;
    }
    // that of many parts takes long itself
    if (parts.length > STRIDE) yield;
    if (!this.#result) this.#compile();
    if (parts.length > STRIDE) yield;
  }

  #compile(): { readonly whole: T } {
    this.#result = { whole: this.#compilePart(this.#schema, this.#part) };
    this.#parts.clear();
    return this.#result;
  }

  readonly #part = (part: Schema): T =>
    this.#parts.has(part) ? (this.#parts.get(part) as T) : this.#compilePart(part, this.#part);
}
