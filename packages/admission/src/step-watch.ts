import type { AdmissionMetrics, AdmissionStep } from './admission-metrics.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';

/** Measures one half of the chain for a request, and the plugins in it. */
export class StepWatch {
  readonly #step: AdmissionStep;
  readonly #operation: string;
  readonly #metrics: AdmissionMetrics;
  readonly #start: number;
  /** End of the plugin before: the clock is read once between two. */
  #last: number;
  #isRejected = false;

  constructor(step: AdmissionStep, { operation }: AdmissionRequest, metrics: AdmissionMetrics) {
    this.#step = step;
    this.#operation = operation;
    this.#metrics = metrics;
    this.#start = metrics.now();
    this.#last = this.#start;
  }

  pluginDone({ name }: AdmissionPlugin, isRejected: boolean): void {
    this.#isRejected ||= isRejected;
    this.#last = this.#metrics.pluginDone(name, this.#step, this.#operation, isRejected, this.#last);
  }

  stepDone(): void {
    this.#metrics.stepDone(this.#step, this.#operation, this.#isRejected, this.#start);
  }
}
