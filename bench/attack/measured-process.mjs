// Loaded into a server before its own code (`node --import`): measures it from inside, and reports over the
// channel to its parent. The message `begin` starts a measurement, `end` requests its result.
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** Often enough to detect blocks, seldom enough to cost nothing. */
const TICK_MILLISECONDS = 2;
/** How long the collector's other threads may work on after a collection. */
const SWEPT_MILLISECONDS = 100;

if (isMainThread && process.send) measure();

function measure() {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const buffer = Buffer.alloc(128);
  const schedule = openSync('/proc/thread-self/schedstat', 'r');
  let longestTurn = 0;
  let before = 0;
  let begun = process.cpuUsage();
  let residentAtFirst = 0;
  let queuedAtFirst = 0;
  let begunAt = 0;

  /** Processor time of the serving thread, in milliseconds: independent of a busy machine. */
  const threadTimes = () => buffer.toString('latin1', 0, readSync(schedule, buffer, 0, 128, 0)).split(' ');
  const threadMilliseconds = () => Number(threadTimes()[0]) / 1e6;
  /** How long the thread was runnable, but others ran. */
  const queuedMilliseconds = () => Number(threadTimes()[1]) / 1e6;
  const tick = () => {
    const now = threadMilliseconds();
    longestTurn = Math.max(longestTurn, now - before);
    before = now;
  };
  const kilobytes = (name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0);

  const markMemory = () => {
    // 5 makes the kernel reset the maximum resident size
    writeFileSync('/proc/self/clear_refs', '5');
    residentAtFirst = kilobytes('VmRSS');
  };
  const count = () => {
    delays.reset();
    before = threadMilliseconds();
    longestTurn = 0;
    queuedAtFirst = queuedMilliseconds();
    begunAt = performance.now();
    begun = process.cpuUsage();
  };

  const commands = {
    async begin() {
      globalThis.gc?.();
      markMemory();
      // other threads sweep what was collected, which no request has caused, and return memory that is needed again at once
      await setTimeout(SWEPT_MILLISECONDS);
      count();
      return {};
    },
    restart() {
      markMemory();
      count();
      return {};
    },
    end() {
      tick();
      const { user, system } = process.cpuUsage(begun);
      return {
        cpuMilliseconds: (user + system) / 1000,
        longestTurn,
        queuedShare: (queuedMilliseconds() - queuedAtFirst) / (performance.now() - begunAt),
        longestDelay: delays.max / 1e6,
        grownMegabytes: Math.max(0, kilobytes('VmHWM') - residentAtFirst) / 1024,
        residentMegabytes: kilobytes('VmRSS') / 1024,
      };
    },
    collect() {
      globalThis.gc?.();
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      return { keptMegabytes: (heapUsed + external) / 2 ** 20 };
    },
  };

  delays.enable();
  setInterval(tick, TICK_MILLISECONDS).unref();
  process.on('message', async ({ id, command }) => process.send({ id, ...(await commands[command]()) }));
  process.channel?.unref();
  process.on('exit', () => closeSync(schedule));
}
