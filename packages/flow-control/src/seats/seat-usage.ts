/** How many seats a level could have used in a period. */
export interface SeatUsage {
  readonly highest: number;
  /** Weighted by time. */
  readonly average: number;
  readonly deviation: number;
  /** An average with its deviation, which falls slowly: by half in five minutes. */
  readonly smoothed: number;
}

/** Keeps half of the smoothed demand for five minutes, at a period of ten seconds. */
const KEPT = 0.977;

/** Measures how many seats a level uses and waits for, weighted by time. */
export class SeatUsageMeter {
  #since: number;
  #seats = 0;
  #highest = 0;
  #milliseconds = 0;
  #sum = 0;
  #sumOfSquares = 0;
  #smoothed = 0;

  /** @param now milliseconds of the monotonic clock */
  constructor(now: number) {
    this.#since = now;
  }

  set(seats: number, now: number): void {
    this.#addUntil(now);
    this.#seats = seats;
    if (seats > this.#highest) this.#highest = seats;
  }

  /** Returns what was used since the last call, and begins a new period. */
  nextPeriod(now: number): SeatUsage {
    this.#addUntil(now);
    const average = this.#milliseconds > 0 ? this.#sum / this.#milliseconds : this.#seats;
    const square = this.#milliseconds > 0 ? this.#sumOfSquares / this.#milliseconds : this.#seats ** 2;
    const deviation = Math.sqrt(Math.max(0, square - average ** 2));
    const envelope = average + deviation;
    this.#smoothed = Math.max(envelope, KEPT * this.#smoothed + (1 - KEPT) * envelope);
    const usage = { highest: this.#highest, average, deviation, smoothed: this.#smoothed };
    this.#highest = this.#seats;
    this.#milliseconds = this.#sum = this.#sumOfSquares = 0;
    return usage;
  }

  #addUntil(now: number): void {
    const elapsed = now - this.#since;
    this.#since = now;
    this.#milliseconds += elapsed;
    this.#sum += elapsed * this.#seats;
    this.#sumOfSquares += elapsed * this.#seats ** 2;
  }
}
