/** What lets go of the older half of what it keeps. */
export interface BudgetHolder {
  /** What was kept before the last turn goes; what was kept since is the older half now. Whether anything is left. */
  turn(): boolean;
}

const DEFAULT_BYTES = 48 * 1024 * 1024;
/** What keeping costs beside the bytes kept. */
const OVERHEAD_BYTES = 200;

/**
 * How many bytes of encodings a server keeps (ADR 8), in two generations of half the budget each. When the younger one is full nothing
 * more is kept until an eighth of that was turned away. Then the generations turn: what was young is old, what was old and was
 * not asked for since goes.
 */
export class EncodingBudget {
  /** Bytes of a generation: keeping the parts of something longer would only drive out what is asked for again. */
  readonly generation: number;
  readonly #holders: Set<BudgetHolder> = new Set();
  #used = 0;
  #refused = 0;

  /** @param bytes of both generations together */
  constructor(bytes: number = DEFAULT_BYTES) {
    this.generation = bytes / 2;
  }

  /** Whether so many bytes may be kept that nobody keeps yet. */
  take(holder: BudgetHolder, bytes: number): boolean {
    if (this.retake(holder, bytes)) return true;
    this.#refused += bytes + OVERHEAD_BYTES;
    if (this.#refused <= this.generation / 8) return false;
    this.#turn();
    return this.retake(holder, bytes);
  }

  /** Whether there is room in the younger generation for bytes of the older one. */
  retake(holder: BudgetHolder, bytes: number): boolean {
    const cost = bytes + OVERHEAD_BYTES;
    if (this.#used + cost > this.generation) return false;
    this.#used += cost;
    this.#holders.add(holder);
    return true;
  }

  #turn(): void {
    this.#refused = 0;
    this.#used = 0;
    for (const holder of this.#holders) if (!holder.turn()) this.#holders.delete(holder);
  }
}
