import type { FlowWork } from '@ashlar/flow-control';
import type { RequestInfo } from '../request/request-info.ts';

/** Objects that a seat is for. */
const OBJECTS_PER_SEAT = 100;
/** Collections whose size is remembered. */
const MAXIMUM_COLLECTIONS = 1_000;

/**
 * Estimates how many seats lists need: one for a hundred objects, by what was last listed of a collection
 * (semantics/requests#priority-and-fairness).
 */
export class ListEstimates {
  readonly #sizes = new Map<string, number>();

  /** @returns undefined for requests that need one seat: those for an object, and for collections that were not listed yet */
  of(info: RequestInfo): ((maximumSeats: number) => FlowWork) | undefined {
    if (!isListing(info)) return undefined;
    const size = this.#sizes.get(keyOf(info));
    if (size === undefined) return undefined;
    const limit = Number(info.query.get('limit') ?? 0);
    const objects = limit > 0 ? Math.min(limit, size) : size;
    return (maximumSeats) => ({ seats: Math.min(Math.ceil(objects / OBJECTS_PER_SEAT), maximumSeats) });
  }

  /** @param size how many objects the collection has; undefined if nothing was listed */
  note(info: RequestInfo, size: number | undefined): void {
    if (size === undefined || !isComplete(info)) return;
    const key = keyOf(info);
    // what a seat is enough for is not remembered
    if (size <= OBJECTS_PER_SEAT) this.#sizes.delete(key);
    else this.#sizes.set(key, size);
    const [oldest] = this.#sizes.keys();
    if (this.#sizes.size > MAXIMUM_COLLECTIONS && oldest !== undefined) this.#sizes.delete(oldest);
  }
}

/** Whether a request returns a collection: a list, or a watch that begins with one. */
function isListing({ verb, name, query }: RequestInfo): boolean {
  if (name !== '') return false;
  return verb === 'list' || (verb === 'watch' && query.get('sendInitialEvents') === 'true');
}

/** Whether a list tells the size of its collection: selections and later pages do not. */
function isComplete({ name, query }: RequestInfo): boolean {
  return name === '' && !['labelSelector', 'fieldSelector', 'continue'].some((option) => query.get(option));
}

const keyOf = ({ apiGroup, resource, namespace }: RequestInfo): string =>
  `${apiGroup}/${resource}/${namespace}`;
