import { console as inspectorConsole } from 'node:inspector';
import { InspectorSession, type TimeRecord } from './inspector-session.ts';
import { SAMPLING_MICROSECONDS } from './time-profile.ts';

/** How long V8 goes on sampling after a recording. */
const KEPT_MILLISECONDS = 60_000;
/** The title of the recordings that are nobody's. */
const KEPT = 'between recordings';

/**
 * Records where time is spent. Before its first sample V8 looks through the whole heap for functions, in one turn that takes longer the
 * more the process has stored, and it does so again once nothing is recorded any more. So it goes on for a while after each recording:
 * of those that follow each other only the first is paid for.
 */
export class TimeRecorder {
  readonly #open: () => InspectorSession;
  readonly #keptMilliseconds: number;
  #session: InspectorSession | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    open: () => InspectorSession = () => new InspectorSession(),
    keptMilliseconds: number = KEPT_MILLISECONDS,
  ) {
    this.#open = open;
    this.#keptMilliseconds = keptMilliseconds;
  }

  /** Whether V8 is sampling. */
  get isSampling(): boolean {
    return this.#session !== undefined;
  }

  /** @throws Error of the inspector */
  async start(): Promise<void> {
    clearTimeout(this.#timer);
    const isKept = this.#session !== undefined;
    try {
      this.#session ??= await this.#begin();
      await this.#session.post('Profiler.start');
    } catch (error) {
      this.#close();
      throw error;
    }
    if (isKept) inspectorConsole.profileEnd(KEPT);
  }

  /** Ends the recording that was started. @throws Error of the inspector */
  async stop(): Promise<TimeRecord> {
    if (!this.#session) throw new Error('no recording has been started');
    try {
      inspectorConsole.profile(KEPT);
      const { profile } = await this.#session.post('Profiler.stop');
      this.#timer = setTimeout(() => this.#close(), this.#keptMilliseconds).unref();
      return profile;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  async #begin(): Promise<InspectorSession> {
    const session = this.#open();
    try {
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROSECONDS });
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  #close(): void {
    this.#session?.close();
    this.#session = undefined;
  }
}
