// Time in which this process runs. Whoever stops it for a while, such as a measurement of something else on the
// same machine, stops the attacked server too: such times are nobody's fault.

/** Longer gaps between two looks at the clock mean that the process was stopped: otherwise it looks every 20 ms. */
const GAP_MILLISECONDS = 250;
const HEARTBEAT_MILLISECONDS = 20;

let last = performance.now();
let stopped = 0;

setInterval(awakeNow, HEARTBEAT_MILLISECONDS).unref();

/** As `performance.now()`, but it stands still while the process is stopped. */
export function awakeNow(): number {
  const now = performance.now();
  if (now - last > GAP_MILLISECONDS) stopped += now - last;
  last = now;
  return now - stopped;
}

/** As `setTimeout`, in that time. @returns a function that cancels it */
export function whenAwakeFor(milliseconds: number, action: () => void): () => void {
  const end = awakeNow() + milliseconds;
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    timer = setTimeout(() => {
      const more = end - awakeNow();
      if (more > 0) wait(more);
      else action();
    }, left);
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}
