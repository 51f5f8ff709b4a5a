import { NotAvailableError } from './address-pool.ts';
import type { AllocationRecord } from './allocation-record.ts';
import type { Bitmap } from './bitmap.ts';
import type { PortRange } from './service-ranges.ts';

/** Takes ports for one object. */
export interface PortTaker {
  /** @throws NotAvailableError */
  take(port: number): void;
  /** @throws NotAvailableError */
  takeAny(): number;
}

/** The node ports of a cluster. */
export class PortPool {
  readonly #range: PortRange;
  readonly #record: AllocationRecord;

  constructor(range: PortRange, record: AllocationRecord) {
    this.#range = range;
    this.#record = record;
  }

  /**
   * Takes the ports that `decide` asks for, all or none of them, and returns its result with them. A dry run refuses ports that are taken.
   * @throws what `decide` throws
   */
  async take<T>(
    decide: (ports: PortTaker) => T,
    dryRun: boolean,
  ): Promise<{ readonly result: T; readonly taken: readonly number[] }> {
    if (dryRun)
      return { result: decide(new ImaginaryTaker(this.#range, await this.#record.read())), taken: [] };
    return this.#record.change((given) => {
      const taker = new RecordedTaker(this.#range, this.#record, given);
      return { result: decide(taker), taken: taker.taken };
    });
  }

  /** Takes ports back; those that are not given away, or of another range, are ignored. */
  async release(ports: readonly number[]): Promise<void> {
    const indexes = ports.map((port) => port - this.#range.first).filter((index) => isIn(this.#range, index));
    if (indexes.length === 0) return;
    await this.#record.change((given) => {
      for (const index of indexes) given.delete(index);
    });
  }
}

const isIn = ({ size }: PortRange, index: number): boolean => index >= 0 && index < size;

const taken = (): NotAvailableError => new NotAvailableError('provided port is already allocated');

class RecordedTaker implements PortTaker {
  readonly taken: number[] = [];
  readonly #range: PortRange;
  readonly #record: AllocationRecord;
  readonly #given: Bitmap;

  constructor(range: PortRange, record: AllocationRecord, given: Bitmap) {
    this.#range = range;
    this.#record = record;
    this.#given = given;
  }

  take(port: number): void {
    const index = port - this.#range.first;
    if (!isIn(this.#range, index)) {
      throw new NotAvailableError(
        `provided port is not in the valid range. The range of valid ports is ${this.#range.text}`,
      );
    }
    if (this.#given.has(index)) throw taken();
    this.#given.add(index);
    this.taken.push(port);
  }

  takeAny(): number {
    const index = this.#record.free(this.#given);
    if (index === undefined) throw new NotAvailableError('range is full');
    const port = this.#range.first + index;
    this.#given.add(index);
    this.taken.push(port);
    return port;
  }
}

/** The port before the first one that a dry run makes up. */
const BEFORE_IMAGINED = 32_768;

/** Takes nothing: ports that nobody asks for are made up, and a port outside of the range is not noticed. */
class ImaginaryTaker implements PortTaker {
  readonly #range: PortRange;
  readonly #given: Bitmap;
  readonly #taken: number[] = [];

  constructor(range: PortRange, given: Bitmap) {
    this.#range = range;
    this.#given = given;
  }

  take(port: number): void {
    const index = port - this.#range.first;
    if ((isIn(this.#range, index) && this.#given.has(index)) || this.#taken.includes(port)) throw taken();
    this.#taken.push(port);
  }

  takeAny(): number {
    const port = (this.#taken.length === 0 ? BEFORE_IMAGINED : Math.max(...this.#taken)) + 1;
    this.#taken.push(port);
    return port;
  }
}
