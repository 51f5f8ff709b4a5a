/** A value that is made once for each generation of its source, which grows with each change, when it is first asked for. */
export class PerGeneration<T> {
  readonly #generation: () => number;
  readonly #make: () => T;
  #made: { readonly of: number; readonly value: T } | undefined;

  constructor(generation: () => number, make: () => T) {
    this.#generation = generation;
    this.#make = make;
  }

  get(): T {
    const of = this.#generation();
    if (this.#made?.of !== of) this.#made = { of, value: this.#make() };
    return this.#made.value;
  }
}
