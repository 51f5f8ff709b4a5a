import { vi } from 'vitest';

/** Waits until what loops bring about is there: as long as a test may take, however busy the machine is. */
export function eventually(expectation: () => Promise<void>): Promise<void> {
  return vi.waitFor(expectation, { timeout: 110_000, interval: 10 });
}
