/** Notifies watches that their resource type is no longer served, or has changed. */
export class Retirement {
  readonly #callbacks: Set<() => void> = new Set();
  #isRetired = false;

  /** Registers a callback, which is called immediately if the type is retired already; disposing unregisters it. */
  whenRetired(end: () => void): Disposable {
    if (this.#isRetired) end();
    else this.#callbacks.add(end);
    return { [Symbol.dispose]: () => void this.#callbacks.delete(end) };
  }

  retire(): void {
    this.#isRetired = true;
    const callbacks = [...this.#callbacks];
    this.#callbacks.clear();
    for (const end of callbacks) end();
  }
}
