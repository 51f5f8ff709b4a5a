import { encodeUtf8 } from '@ashlar/codec';
import { type Clock, errorMessage, gatheredBytes, type ServerResponse, sleepInRequest } from '@ashlar/core';
import type { Compress } from '../encoding/compressed-response.ts';
import { textResponse } from '../pipeline/error-response.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { encodeProfile } from './encode-profile.ts';
import { changesBetween, type Profile, type Profiler, type Recording } from './profile.ts';
import { profileText } from './profile-text.ts';
import { profilesPage } from './profiles-page.ts';

/** What profiles are made with. */
export interface ProfilingOptions {
  readonly profiler: Profiler;
  readonly clock: Clock;
  /** By default profiles are not compressed. */
  readonly compress?: Compress;
}

/** The path of all profiles. */
const PROFILES_PATH = '/debug/pprof/';

/** Handles `/debug/pprof/` and what is below, for any method (semantics/discovery#profiles). Undefined for other paths. */
export function createProfileHandler(
  options: ProfilingOptions,
): (scope: RequestScope) => ServerResponse | Promise<ServerResponse> | undefined {
  return (scope) => {
    const { path } = scope.info;
    if (path === '/debug/pprof') return redirected(scope.request.method);
    if (!path.startsWith(PROFILES_PATH)) return undefined;
    return new ProfileRequest(options, scope).respond(path.slice(PROFILES_PATH.length));
  };
}

function redirected(method: string): ServerResponse {
  const isRead = method === 'GET' || method === 'HEAD';
  return {
    status: 302,
    headers: { ...(isRead && { 'content-type': 'text/html; charset=utf-8' }), location: PROFILES_PATH },
    body: method === 'GET' ? encodeUtf8(`<a href="${PROFILES_PATH}">Found</a>.\n\n`) : undefined,
  };
}

const TEXT = 'text/plain; charset=utf-8';

const headersOf = (type: string): Readonly<Record<string, string>> => ({
  'content-type': type,
  'x-content-type-options': 'nosniff',
});

const failed = (status: number, text: string): ServerResponse =>
  textResponse(status, `${text}\n`, { 'x-go-pprof': '1' });

/** Locks of a program of one thread: there are none. */
const WITHOUT_LOCKS: Profile = {
  values: [
    { type: 'contentions', unit: 'count' },
    { type: 'delay', unit: 'nanoseconds' },
  ],
  samples: [],
};

/** Reads a profile as it is now. */
type ProfileReader = (profiler: Profiler, collects: boolean) => Profile | Promise<Profile>;

const READERS: ReadonlyMap<string, ProfileReader> = new Map<string, ProfileReader>([
  ['allocs', (profiler, collects) => profiler.memory(collects)],
  ['block', () => WITHOUT_LOCKS],
  ['goroutine', (profiler) => profiler.activities()],
  ['heap', (profiler, collects) => profiler.memory(collects)],
  ['mutex', () => WITHOUT_LOCKS],
]);

/** Longer recordings end after a day. */
const MAXIMUM_SECONDS = 86_400;

class ProfileRequest {
  readonly #options: ProfilingOptions;
  readonly #scope: RequestScope;
  readonly #started: number;

  constructor(options: ProfilingOptions, scope: RequestScope) {
    this.#options = options;
    this.#scope = scope;
    this.#started = options.clock.now();
  }

  respond(name: string): ServerResponse | Promise<ServerResponse> {
    const { profiler } = this.#options;
    switch (name) {
      case '':
        return {
          status: 200,
          headers: headersOf('text/html; charset=utf-8'),
          body: encodeUtf8(profilesPage()),
        };
      case 'profile':
        return this.#timed(() => profiler.recordTime(), this.#seconds || 30, {
          file: 'profile',
          failure: 'Could not enable CPU profiling',
        });
      case 'trace':
        return this.#trace();
      case 'symbol':
        // profiles name their functions: there are no addresses to look up
        return { status: 200, headers: headersOf(TEXT), body: encodeUtf8('num_symbols: 0\n') };
      case 'threadcreate':
        return failed(
          501,
          'the profile threadcreate is not available: threads of this program are not recorded',
        );
      default:
        return this.#named(name);
    }
  }

  #named(name: string): ServerResponse | Promise<ServerResponse> {
    const reader = READERS.get(name);
    if (!reader) return failed(404, 'Unknown profile');
    const isText = Number.parseInt(this.#value('debug'), 10) > 0;
    const collects = Number.parseInt(this.#value('gc'), 10) > 0;
    const read = () => reader(this.#options.profiler, collects);
    if (this.#value('seconds') === '') return this.#snapshot(name, read, isText);
    if (this.#seconds === 0) return failed(400, 'invalid value for "seconds" - must be a positive integer');
    if (isText) return failed(400, 'seconds and debug params are incompatible');
    return this.#timed(() => this.#recordChanges(name, read), this.#seconds, {
      file: `${name}-delta`,
      failure: 'Could not record the profile',
    });
  }

  #recordChanges(name: string, read: () => Profile | Promise<Profile>): Promise<Recording<Profile>> {
    const { profiler } = this.#options;
    if (name === 'heap' || name === 'allocs') return profiler.recordAllocations(name === 'allocs');
    return recordChanges(read);
  }

  async #snapshot(
    name: string,
    read: () => Profile | Promise<Profile>,
    isText: boolean,
  ): Promise<ServerResponse> {
    const profile = await read();
    if (!isText) return this.#file(name, await this.#packed(profile));
    return { status: 200, headers: headersOf(TEXT), body: encodeUtf8(profileText(name, profile)) };
  }

  async #timed(
    record: () => Promise<Recording<Profile>>,
    seconds: number,
    { file, failure }: { readonly file: string; readonly failure: string },
  ): Promise<ServerResponse> {
    const profile = await this.#recorded(record, seconds, failure);
    return 'status' in profile ? profile : this.#file(file, await this.#packed(profile));
  }

  async #trace(): Promise<ServerResponse> {
    const { profiler } = this.#options;
    const seconds = Number.parseFloat(this.#value('seconds'));
    const record = (): Promise<Recording<Uint8Array>> => profiler.recordTrace();
    const trace = await this.#recorded(record, seconds > 0 ? seconds : 1, 'Could not enable tracing');
    return 'status' in trace ? trace : this.#file('trace', trace);
  }

  async #recorded<T extends object>(
    record: () => Promise<Recording<T>>,
    seconds: number,
    failure: string,
  ): Promise<T | ServerResponse> {
    let recording: Recording<T>;
    try {
      recording = await record();
    } catch (error) {
      return failed(500, `${failure}: ${errorMessage(error)}`);
    }
    try {
      const milliseconds = Math.min(seconds, MAXIMUM_SECONDS) * 1000;
      await sleepInRequest(this.#options.clock, milliseconds, this.#scope.request.signal);
    } catch {
      // whoever asked has left; the recording ends all the same
    }
    return recording.stop();
  }

  /** Encodes a profile, and compresses it as readers expect. */
  async #packed(profile: Profile): Promise<Uint8Array> {
    const { clock, compress } = this.#options;
    const durationMilliseconds = clock.now() - this.#started;
    const bytes = encodeProfile(profile, { startMilliseconds: this.#started, durationMilliseconds });
    return compress ? gatheredBytes(compress([bytes])) : bytes;
  }

  #file(name: string, bytes: Uint8Array): ServerResponse {
    const headers = {
      ...headersOf('application/octet-stream'),
      'content-disposition': `attachment; filename="${name}"`,
    };
    return { status: 200, headers, body: bytes };
  }

  /** The whole seconds that were asked for; 0 if there are none. */
  get #seconds(): number {
    const text = this.#value('seconds');
    return /^\+?\d{1,9}$/.test(text) ? Number(text) : 0;
  }

  #value(name: string): string {
    return this.#scope.info.query.get(name) ?? '';
  }
}

async function recordChanges(read: () => Profile | Promise<Profile>): Promise<Recording<Profile>> {
  const before = await read();
  return { stop: async () => changesBetween(before, await read()) };
}
