import type { HealthCheck } from '@ashlar/http';

/** Names of the checks in release 1.32: of how callers are known, and of the service by which servers are found. */
const NAMES = ['start-cluster-authentication-info-controller', 'bootstrap-controller'];

/** Whether a server has been made known to the programs of its cluster, which happens once it is ready. */
export class Advertising {
  #isFinished = false;
  /** They fail until it is. */
  readonly checks: readonly HealthCheck[] = NAMES.map((name) => ({
    name: `poststarthook/${name}`,
    isStartup: true,
    check: () => {
      if (!this.#isFinished) throw new Error('not finished');
    },
  }));

  finish(): void {
    this.#isFinished = true;
  }
}
