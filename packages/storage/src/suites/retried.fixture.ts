import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_MILLISECONDS = 60_000;

/** Calls until a call succeeds: a database that was just restarted may have no connection left. @throws the last error after a minute */
export async function retried<T>(call: () => T | Promise<T>): Promise<T> {
  for (const end = Date.now() + LONGEST_MILLISECONDS; ; await pause(50)) {
    try {
      return await call();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
