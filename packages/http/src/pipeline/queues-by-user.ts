/** Maximum length of a name by which users are told apart. */
const MAXIMUM_NAME = 500;

/** What waits, by user: the first of each user in turn, however many one of them has. */
export class QueuesByUser<T> {
  /** The queues that are not empty; that of the user who is next comes first. */
  readonly #queues = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  push(user: string, waiting: T): void {
    const name = user.slice(0, MAXIMUM_NAME);
    const queue = this.#queues.get(name);
    if (queue) queue.push(waiting);
    else this.#queues.set(name, [waiting]);
  }

  /** Returns the next one, which goes on waiting; undefined if none waits. */
  peek(): T | undefined {
    for (const queue of this.#queues.values()) return queue[0];
    return undefined;
  }

  /** Takes the next one; other users are next. */
  take(): T | undefined {
    for (const [user, queue] of this.#queues) {
      const next = queue.shift();
      this.#queues.delete(user);
      if (queue.length > 0) this.#queues.set(user, queue);
      return next;
    }
    return undefined;
  }
}
