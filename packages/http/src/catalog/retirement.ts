/** Tells who runs on a resource type, watches above all, that it is served no longer or in another way. */
export class Retirement {
  readonly #waiting: Set<() => void> = new Set();
  #isOver = false;

  /** Calls back when the time has come, at once where it has; disposing forgets it. */
  whenRetired(end: () => void): Disposable {
    if (this.#isOver) end();
    else this.#waiting.add(end);
    return { [Symbol.dispose]: () => void this.#waiting.delete(end) };
  }

  retire(): void {
    this.#isOver = true;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const end of waiting) end();
  }
}
