import { vi } from 'vitest';

/** Waits for the result of controllers: as long as a test may take, however busy the machine is. */
export function eventually(expectation: () => Promise<void>): Promise<void> {
  return vi.waitFor(expectation, { timeout: 110_000, interval: 10 });
}
