/** What waits, by owner, such as a user or a connection: the first of each in turn, however many one of them has. */
export class RotatingQueues<Owner, T> {
  /** The queues that are not empty; that of the owner who is next comes first. */
  readonly #queues: Map<Owner, T[]> = new Map();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  push(owner: Owner, waiting: T): void {
    const queue = this.#queues.get(owner);
    if (queue) queue.push(waiting);
    else this.#queues.set(owner, [waiting]);
  }

  /** Returns the next one, which goes on waiting; undefined if none waits. */
  peek(): T | undefined {
    for (const queue of this.#queues.values()) return queue[0];
    return undefined;
  }

  /** Takes the next one; other owners are next. */
  take(): T | undefined {
    for (const [owner, queue] of this.#queues) {
      const next = queue.shift();
      this.#queues.delete(owner);
      if (queue.length > 0) this.#queues.set(owner, queue);
      return next;
    }
    return undefined;
  }
}
