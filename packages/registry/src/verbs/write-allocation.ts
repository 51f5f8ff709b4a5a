import { type ApiObject, StatusError } from '@ashlar/core';
import type { Allocation, ObjectAllocator } from '../definition/object-allocator.ts';
import type { RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** Returns what a write is given; undefined for the types that are given nothing. */
export function allocationOf(
  { allocator }: StoredResource,
  { dryRun }: RequestContext,
): WriteAllocation | undefined {
  return allocator && new WriteAllocation(allocator, { dryRun });
}

/** Runs the steps of a write for a type whose objects are given something, and keeps or gives back what was taken. */
export class WriteAllocation {
  readonly #allocator: ObjectAllocator;
  readonly #options: { readonly dryRun: boolean };
  #pending: Allocation | undefined;

  constructor(allocator: ObjectAllocator, options: { readonly dryRun: boolean }) {
    this.#allocator = allocator;
    this.#options = options;
  }

  /** Completes an object with what it is given; what an earlier attempt took is given back, also if this one is refused. */
  async plan<T>(
    object: ApiObject,
    stored: ApiObject | undefined,
    complete: (allocated: ApiObject) => Promise<T>,
  ): Promise<T> {
    await this.revert();
    const allocation = await this.#allocator.begin(object, stored, this.#options);
    this.#pending = allocation;
    try {
      return await complete(allocation.object);
    } catch (error) {
      await this.revert();
      throw error;
    }
  }

  /** Stores the planned object. A write whose outcome is unknown keeps what was taken for it. */
  async store<T>(write: () => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await write();
    } catch (error) {
      if (StatusError.is(error) && error.code < 500) await this.revert();
      throw error;
    }
    const stored = this.#pending;
    this.#pending = undefined;
    await stored?.commit();
    return result;
  }

  async revert(): Promise<void> {
    const refused = this.#pending;
    this.#pending = undefined;
    await refused?.revert();
  }
}
