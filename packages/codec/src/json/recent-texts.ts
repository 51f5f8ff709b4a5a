/** The last texts of objects that do not change, up to a number of characters. */
export class RecentTexts {
  readonly #maximum: number;
  /** Those that were kept first come first. */
  readonly #texts: Map<object, string> = new Map();
  #characters = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  has(object: object): boolean {
    return this.#texts.has(object);
  }

  get(object: object): string | undefined {
    return this.#texts.get(object);
  }

  /** Keeps a text instead of the earliest ones, unless it is larger than all that may be kept. */
  set(object: object, text: string): void {
    if (text.length > this.#maximum) return;
    this.#delete(object);
    this.#texts.set(object, text);
    this.#characters += text.length;
    for (const [earliest] of this.#texts) {
      if (this.#characters <= this.#maximum) break;
      this.#delete(earliest);
    }
  }

  #delete(object: object): void {
    this.#characters -= this.#texts.get(object)?.length ?? 0;
    this.#texts.delete(object);
  }
}
