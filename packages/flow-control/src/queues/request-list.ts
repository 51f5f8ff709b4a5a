/** A member of a list, which it leaves without a search. */
export interface Listed<T> {
  previous: T | undefined;
  next: T | undefined;
}

/** Requests in order of arrival. Each is in one list at most. */
export class RequestList<T extends Listed<T>> {
  first: T | undefined;
  #last: T | undefined;
  length = 0;

  add(request: T): void {
    request.previous = this.#last;
    request.next = undefined;
    if (this.#last) this.#last.next = request;
    else this.first = request;
    this.#last = request;
    this.length++;
  }

  /** Removes a request that is in the list. */
  remove(request: T): void {
    const { previous, next } = request;
    if (previous) previous.next = next;
    else this.first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    request.previous = undefined;
    request.next = undefined;
    this.length--;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let request = this.first; request; request = request.next) yield request;
  }
}
