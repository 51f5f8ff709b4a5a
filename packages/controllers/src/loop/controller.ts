import type { Client } from '@ashlar/client';
import type { Ambient } from '@ashlar/core';

/** Options of every controller. */
export interface ControllerOptions {
  readonly client: Client;
  readonly ambient: Ambient;
  /** Told of failures; they are followed by another attempt. */
  readonly onError?: (error: unknown) => void;
}

/** A loop that runs from `start` until it is closed; once closed it does not start again. */
export interface Controller extends AsyncDisposable {
  start(): void;
  /** Ends the loop; what is under way is waited for. */
  close(): Promise<void>;
}

/** A loop that is running. */
export interface RunningLoop {
  close(): Promise<void>;
}

/** Returns the controller of a loop. @param startLoop starts the loop; called at most once */
export function controllerOf(startLoop: () => RunningLoop): Controller {
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
