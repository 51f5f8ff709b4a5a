import { NotAvailableError } from './address-pool.ts';
import type { AllocationRecord } from './allocation-record.ts';
import type { Bitmap } from './bitmap.ts';
import type { PortRange } from './service-ranges.ts';

/** Allocates ports for one object. */
export interface PortAllocator {
  /** @throws NotAvailableError */
  allocate(port: number): void;
  /** @throws NotAvailableError */
  allocateAny(): number;
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
   * Allocates the ports that `decide` requests, all or none of them, and returns its result with them. A dry run only refuses ports that are
   * allocated.
   * @throws what `decide` throws
   */
  async allocate<T>(
    decide: (ports: PortAllocator) => T,
    dryRun: boolean,
  ): Promise<{ readonly result: T; readonly allocated: readonly number[] }> {
    if (dryRun)
      return {
        result: decide(new DryRunPortAllocator(this.#range, await this.#record.read())),
        allocated: [],
      };
    return this.#record.change((allocated) => {
      const allocator = new RecordedPortAllocator(this.#range, this.#record, allocated);
      return { result: decide(allocator), allocated: allocator.allocated };
    });
  }

  /** Releases ports; those that are not allocated, or of another range, are ignored. */
  async release(ports: readonly number[]): Promise<void> {
    const indexes = ports.map((port) => port - this.#range.first).filter((index) => isIn(this.#range, index));
    if (indexes.length === 0) return;
    await this.#record.change((allocated) => {
      for (const index of indexes) allocated.delete(index);
    });
  }
}

const isIn = ({ size }: PortRange, index: number): boolean => index >= 0 && index < size;

const alreadyAllocated = (): NotAvailableError => new NotAvailableError('provided port is already allocated');

class RecordedPortAllocator implements PortAllocator {
  readonly allocated: number[] = [];
  readonly #range: PortRange;
  readonly #record: AllocationRecord;
  readonly #bitmap: Bitmap;

  constructor(range: PortRange, record: AllocationRecord, bitmap: Bitmap) {
    this.#range = range;
    this.#record = record;
    this.#bitmap = bitmap;
  }

  allocate(port: number): void {
    const index = port - this.#range.first;
    if (!isIn(this.#range, index)) {
      throw new NotAvailableError(
        `provided port is not in the valid range. The range of valid ports is ${this.#range.text}`,
      );
    }
    if (this.#bitmap.has(index)) throw alreadyAllocated();
    this.#bitmap.add(index);
    this.allocated.push(port);
  }

  allocateAny(): number {
    const index = this.#record.free(this.#bitmap);
    if (index === undefined) throw new NotAvailableError('range is full');
    const port = this.#range.first + index;
    this.#bitmap.add(index);
    this.allocated.push(port);
    return port;
  }
}

/** The port before the first one that a dry run returns. */
const BEFORE_FIRST_DRY_RUN_PORT = 32_768;

/** Allocates nothing: any port is one above the range, and a port outside of the range is not noticed. */
class DryRunPortAllocator implements PortAllocator {
  readonly #range: PortRange;
  readonly #bitmap: Bitmap;
  readonly #allocated: Set<number> = new Set();
  #highest: number | undefined;

  constructor(range: PortRange, bitmap: Bitmap) {
    this.#range = range;
    this.#bitmap = bitmap;
  }

  allocate(port: number): void {
    const index = port - this.#range.first;
    if ((isIn(this.#range, index) && this.#bitmap.has(index)) || this.#allocated.has(port))
      throw alreadyAllocated();
    this.#add(port);
  }

  allocateAny(): number {
    const port = (this.#highest ?? BEFORE_FIRST_DRY_RUN_PORT) + 1;
    this.#add(port);
    return port;
  }

  #add(port: number): void {
    this.#allocated.add(port);
    this.#highest = Math.max(this.#highest ?? port, port);
  }
}
