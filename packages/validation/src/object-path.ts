/**
 * A step into a value: the name of a property or key, the index of an item, or null for a part of `allOf`,
 * which stays in place.
 */
export type Step = string | number | null;

/** The path from the root of an object to the current place; printed only for errors. */
export class ObjectPath {
  readonly steps: Step[] = [];
  readonly #isKey: boolean[] = [];
  readonly #start: string;

  /** @param start the path to the root, if that is not a complete object */
  constructor(start = '') {
    this.#start = start;
  }

  /** Appends a step; `isKey` means that a name is the key of a map, which is printed in brackets. */
  push(step: Step, isKey = false): void {
    this.steps.push(step);
    this.#isKey.push(isKey);
  }

  /** Removes the last step. */
  pop(): void {
    this.steps.pop();
    this.#isKey.pop();
  }

  /** The path in errors: `spec.list[0].map[key]`, empty for the root. */
  text(): string {
    let text = this.#start;
    for (let i = 0; i < this.steps.length; i++) {
      const step = this.steps[i] as Step;
      if (step === null) continue;
      if (typeof step === 'number' || this.#isKey[i]) text += `[${step}]`;
      else text += text === '' ? step : `.${step}`;
    }
    return text;
  }
}
