import type { Client } from '@ashlar/client';
import type { Ambient } from '@ashlar/core';

/** Options of every controller. */
export interface ControllerOptions {
  readonly client: Client;
  readonly ambient: Ambient;
  /** Called with errors, which are retried. By default they are printed. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A loop that runs from `start` until it is closed; it cannot be restarted. */
export interface Controller extends AsyncDisposable {
  start(): void;
  /** Ends the loop; running work is awaited. */
  close(): Promise<void>;
}

/** A running loop. */
export interface RunningLoop {
  close(): Promise<void>;
}

/** Returns the controller of a loop. @param startLoop starts the loop; called at most once */
export function controllerOfLoop(startLoop: () => RunningLoop): Controller {
  let running: RunningLoop | undefined;
  let closed = false;
  const close = async (): Promise<void> => {
    closed = true;
    await running?.close();
  };
  return {
    start() {
      if (!closed) running ??= startLoop();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
