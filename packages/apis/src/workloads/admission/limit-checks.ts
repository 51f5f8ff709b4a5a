import { type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';

/** The most comparisons for one object: its containers, the resources of an item and the items of a namespace multiply. */
const MOST_CHECKS = 50_000;
/** The most amounts that defaults add to a pod: as many as an object may have when it is sent. */
const MOST_DEFAULTS = 10_000;
const BETWEEN_PAUSES = 1024;

/** Counts how often an object is compared with the limits of its namespace, and what it gets from them. */
export class LimitChecks {
  readonly #request: AdmissionRequest;
  #checks = 0;
  #defaults = 0;

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  /** @returns whether a pause is due. @throws StatusError 403 for too many comparisons */
  add(): boolean {
    this.#checks++;
    if (this.#checks > MOST_CHECKS) throw this.#refusal(`need more than ${MOST_CHECKS} comparisons`);
    return this.#checks % BETWEEN_PAUSES === 0;
  }

  /** Counts an amount that is set. @throws StatusError 403 for too many */
  addDefault(): void {
    this.#defaults++;
    if (this.#defaults > MOST_DEFAULTS) throw this.#refusal(`would set more than ${MOST_DEFAULTS} amounts`);
  }

  #refusal(what: string): Error {
    return forbiddenByAdmission(this.#request, `the limit ranges of its namespace ${what}`);
  }
}
