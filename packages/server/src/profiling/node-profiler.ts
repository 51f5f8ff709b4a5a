import type { Profile, Profiler, Recording } from '@ashlar/http';
import { allocationProfile } from './allocation-profile.ts';
import { InspectorSession } from './inspector-session.ts';
import { activityProfile, memoryProfile } from './process-profiles.ts';
import { timeProfile } from './time-profile.ts';
import { TimeRecorder } from './time-recorder.ts';
import { TraceRecord } from './trace-record.ts';

/** Bytes of which one is sampled. */
const ALLOCATION_BYTES = 131_072;
/** Events that a trace has. Those of each promise would be so many that each delivery of them takes half a second. */
const TRACED = ['v8', 'node.perf', 'node.environment'];

/** Creates a profiler of this process, by Node's inspector. Nothing is measured until a profile is requested. */
export function createNodeProfiler(): Profiler {
  return new NodeProfiler();
}

class NodeProfiler implements Profiler {
  readonly #time = new TimeRecorder();
  #recordsTime = false;
  #recordsTrace = false;

  async recordTime(): Promise<Recording<Profile>> {
    if (this.#recordsTime) throw new Error('cpu profiling already in use');
    this.#recordsTime = true;
    return recordingOf(
      () => this.#time.start(),
      async () => timeProfile(await this.#time.stop()),
      () => {
        this.#recordsTime = false;
      },
    );
  }

  async recordAllocations(released: boolean): Promise<Recording<Profile>> {
    const session = new InspectorSession();
    const options = {
      samplingInterval: ALLOCATION_BYTES,
      includeObjectsCollectedByMajorGC: released,
      includeObjectsCollectedByMinorGC: released,
    };
    return recordingOf(
      () => session.post('HeapProfiler.startSampling', options),
      async () => allocationProfile((await session.post('HeapProfiler.stopSampling')).profile, released),
      () => session.close(),
    );
  }

  async recordTrace(): Promise<Recording<Uint8Array>> {
    if (this.#recordsTrace) throw new Error('tracing is already enabled');
    this.#recordsTrace = true;
    const session = new InspectorSession();
    const record = new TraceRecord();
    let ending: Promise<unknown> | undefined;
    const end = (): Promise<unknown> => {
      ending ??= session.post('NodeTracing.stop');
      return ending;
    };
    const complete = session.collectTrace((events) => {
      record.add(events);
      // a failure is that of whoever stops the recording
      if (record.isFull) end().catch(() => {});
    });
    return recordingOf(
      () => session.post('NodeTracing.start', { traceConfig: { includedCategories: TRACED } }),
      async () => {
        await end();
        await complete;
        return record.document();
      },
      () => {
        this.#recordsTrace = false;
        session.close();
      },
    );
  }

  async memory(collects: boolean): Promise<Profile> {
    if (collects) await collectGarbage();
    return memoryProfile();
  }

  activities(): Profile {
    return activityProfile();
  }
}

/** Starts a recording; its resources are released when it is stopped, and when either fails. */
async function recordingOf<T>(
  start: () => Promise<unknown>,
  stop: () => Promise<T>,
  release: () => void,
): Promise<Recording<T>> {
  try {
    await start();
  } catch (error) {
    release();
    throw error;
  }
  return { stop: () => stop().finally(release) };
}

async function collectGarbage(): Promise<void> {
  const session = new InspectorSession();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.close();
  }
}
