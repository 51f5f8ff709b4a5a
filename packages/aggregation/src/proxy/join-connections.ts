import type { ByteConnection, Clock } from '@ashlar/core';

/** How long one side may stay open after the other has been closed. */
const LAST_MILLISECONDS = 10_000;

/**
 * Carries the bytes of each connection to the other, as fast as that takes them, until both are closed. When one ends, the other is ended,
 * too; when one breaks, the other is reset.
 */
export function joinConnections(a: ByteConnection, b: ByteConnection, clock: Clock): void {
  const reset = (): void => {
    a.destroy();
    b.destroy();
  };
  endAfter(a, b, clock);
  endAfter(b, a, clock);
  carry(a, b).catch(reset);
  carry(b, a).catch(reset);
}

async function carry(from: ByteConnection, to: ByteConnection): Promise<void> {
  for await (const bytes of from.receive()) await to.send(bytes);
  to.end();
}

/** A connection whose other side is closed can only send what is buffered. */
function endAfter(closed: ByteConnection, other: ByteConnection, clock: Clock): void {
  let isOver = false;
  let timer: { clear(): void } | undefined;
  other.onClose(() => {
    isOver = true;
    timer?.clear();
  });
  closed.onClose(() => {
    if (isOver) return;
    other.end();
    timer = clock.setTimer(LAST_MILLISECONDS, () => other.destroy());
  });
}
