import type { Steps } from '@ashlar/core';

/** Tasks between pauses, less one. */
const STRIDE = 127;

/**
 * Tasks that add further tasks, as the check of a schema adds those of its parts. They run in the order in which recursion would
 * reach them after the task that adds them, but with pauses, and at any depth.
 */
export class TaskStack {
  readonly #tasks: (() => void)[] = [];
  #isPauseDue = false;

  add(task: () => void): void {
    this.#tasks.push(task);
  }

  /** Adds work that pauses by itself. */
  addSteps(steps: Steps<void>): void {
    this.add(() => {
      if (steps.next().done) return;
      this.addSteps(steps);
      this.pauseNext();
    });
  }

  /** Pauses after the current task, which may have taken long. */
  pauseNext(): void {
    this.#isPauseDue = true;
  }

  /** Carries out all tasks, and those that they add. */
  *runSteps(): Steps<void> {
    reverseFrom(this.#tasks, 0);
    let count = 0;
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) {
      const first = this.#tasks.length;
      task();
      reverseFrom(this.#tasks, first);
      if ((count++ & STRIDE) !== STRIDE && !this.#isPauseDue) continue;
      this.#isPauseDue = false;
      yield;
    }
  }
}

function reverseFrom<T>(list: T[], first: number): void {
  for (let i = first, j = list.length - 1; i < j; i++, j--) {
    const moved = list[i] as T;
    list[i] = list[j] as T;
    list[j] = moved;
  }
}
