/** Depth, or number of arrays and objects, after which it is worth a look whether a value contains itself. */
export const SUSPICIOUS = 100_000;

/** Looks once, when a value turns out to be deep. */
export class CycleGuard {
  readonly #root: unknown;
  #hasLooked = false;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** @throws TypeError for a value that contains itself */
  enter(depth: number): void {
    if (depth < SUSPICIOUS || this.#hasLooked) return;
    this.#hasLooked = true;
    refuseCycles(this.#root);
  }
}

/**
 * Looks for a value that contains itself, without which writing it would never end.
 * @throws TypeError
 */
export function refuseCycles(root: unknown): void {
  const open = new Set<object>();
  const done = new Set<object>();
  const frames: { readonly container: object; readonly members: readonly unknown[]; next: number }[] = [];
  const enter = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || done.has(value)) return;
    if (open.has(value)) throw new TypeError('a value that contains itself cannot be encoded');
    open.add(value);
    frames.push({ container: value, members: Object.values(value), next: 0 });
  };
  enter(root);
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (frame.next < frame.members.length) enter(frame.members[frame.next++]);
    else {
      frames.pop();
      open.delete(frame.container);
      done.add(frame.container);
    }
  }
}
