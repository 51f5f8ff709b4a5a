/** Questions that were asked, and which differ. */
export class Tally {
  readonly #kinds: Map<string, { count: number; first: string }> = new Map();
  #asked = 0;
  #different = 0;

  get different(): number {
    return this.#different;
  }

  /** @param difference undefined if the responses are equal */
  count(about: string, difference: string | undefined): void {
    this.countAll(about, difference === undefined ? [] : [difference]);
  }

  /** Counts one question with all differences of its responses. */
  countAll(about: string, differences: Iterable<string>): void {
    this.#asked++;
    const all = [...differences];
    if (all.length === 0) return;
    this.#different++;
    const known = this.#kinds.get(about);
    if (known) known.count++;
    else
      this.#kinds.set(about, {
        count: 1,
        first: `${all.length} differences: ${all.slice(0, 12).join('\n  ')}`,
      });
  }

  print(most: number): void {
    const kinds = [...this.#kinds].sort(([, a], [, b]) => b.count - a.count);
    for (const [about, { count, first }] of kinds.slice(0, most))
      console.log(`${count} ${about}\n  ${first}`);
    console.log(`${this.#asked} questions, ${this.#different} differ (${kinds.length} kinds)`);
  }
}
