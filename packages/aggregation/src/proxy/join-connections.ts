import type { Ambient, ByteConnection, Clock } from '@ashlar/core';
import { ForwardingPace } from './forwarding-pace.ts';

/** How long one side may stay open after the other has been closed. */
const LAST_MILLISECONDS = 10_000;

/**
 * Carries the bytes of each connection to the other, as fast as that takes them, until both are closed. When one ends, the other is ended,
 * too; when one breaks, the other is reset.
 */
export function joinConnections(
  a: ByteConnection,
  b: ByteConnection,
  ambient: Pick<Ambient, 'clock' | 'turns'>,
): void {
  const reset = (): void => {
    a.destroy();
    b.destroy();
  };
  endAfter(a, b, ambient.clock);
  endAfter(b, a, ambient.clock);
  carry(a, b, new ForwardingPace(ambient)).catch(reset);
  carry(b, a, new ForwardingPace(ambient)).catch(reset);
}

async function carry(from: ByteConnection, to: ByteConnection, pace: ForwardingPace): Promise<void> {
  for await (const bytes of from.receive()) {
    await to.send(bytes);
    const turn = pace.after(bytes);
    if (turn) await turn;
  }
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
