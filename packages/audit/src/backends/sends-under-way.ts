interface Send {
  readonly ended: Promise<void>;
  readonly giveUp: (reason: Error) => void;
}

/** What sinks have begun to store and not yet stored. */
export class SendsUnderWay {
  readonly #sends: Set<Send> = new Set();
  #bytes = 0;

  /** Of the events that are under way together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Waits for a send as long as it is not given up. @throws what the send throws, and the reason of `giveUp` */
  follow(sent: Promise<void>, bytes: number): Promise<void> {
    let giveUp: Send['giveUp'] = () => {};
    const ended = new Promise<void>((resolve, reject) => {
      giveUp = reject;
      sent.then(resolve, reject);
    });
    const send = { ended, giveUp };
    const forget = (): void => {
      this.#sends.delete(send);
      this.#bytes -= bytes;
    };
    this.#sends.add(send);
    this.#bytes += bytes;
    ended.then(forget, forget);
    return ended;
  }

  /** Waits no longer for any of them. */
  giveUp(reason: Error): void {
    for (const send of this.#sends) send.giveUp(reason);
  }

  /** Fulfilled when none is under way. */
  async ended(): Promise<void> {
    while (this.#sends.size > 0) await Promise.allSettled(Array.from(this.#sends, ({ ended }) => ended));
  }
}
