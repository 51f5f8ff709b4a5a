/** A test that replaces the timers of the platform must not stop the requests that it makes. */
const callSoon = setImmediate;

/** Whether a callback of `inNextTurn` runs, or promises are followed that it has resolved. */
let isRunning = false;

/** Calls in the next turn of the event loop, once what has arrived meanwhile has been read. */
export function inNextTurn(call: () => void): void {
  callSoon(() => {
    isRunning = true;
    atEndOfTurn(() => {
      isRunning = false;
    });
    call();
  });
}

/** Calls once all that runs in the current turn has run, promises included. */
export function atEndOfTurn(call: () => void): void {
  // ticks that are queued by a microtask run once the microtask queue is empty
  queueMicrotask(() => process.nextTick(call));
}

/**
 * Calls once what has arrived has been read, and what runs now has run: where that was called by `inNextTurn`, before more is read, so that a
 * response precedes the end of a client that has ended its side with its request.
 */
export function afterReads(call: () => void): void {
  if (isRunning) atEndOfTurn(call);
  else callSoon(call);
}
