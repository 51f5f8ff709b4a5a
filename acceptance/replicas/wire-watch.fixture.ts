import { setTimeout as sleep } from 'node:timers/promises';
import { type Door, MAPS, versionOf, type WireEvent } from './replica.fixture.ts';

/**
 * A watcher as a careful client is one: where its connection ends it goes on behind the last event that came whole, at the
 * next server in turn.
 */
export class WireWatch {
  readonly events: WireEvent[] = [];
  /** What a server said in an event of the type ERROR; the watch has ended then. */
  failure: WireEvent['object'] | undefined;
  /** How many connections there were. */
  connections: number = 0;
  readonly #doors: () => readonly Door[];
  readonly #closing: AbortController = new AbortController();
  readonly #done: Promise<void>;
  #version: string;

  /** @param doors of the servers, asked before each connection */
  constructor(doors: () => readonly Door[], version: string) {
    this.#doors = doors;
    this.#version = version;
    this.#done = this.#run();
  }

  /** What was heard, as `ADDED a@12`. */
  get heard(): string[] {
    return this.events.map(({ type, object }) => `${type} ${object.metadata.name}@${versionOf(object)}`);
  }

  /** Resolves when an event of that version or a later one has come, or the watch has failed. */
  async reaches(version: number): Promise<void> {
    while (Number(this.#version) < version && !this.failure) await sleep(5);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted && !this.failure) {
      try {
        await this.#listen(signal);
      } catch {
        // the next connection tells more
      }
      await sleep(5);
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const doors = this.#doors();
    const { url, transport, headers = {} } = doors[this.connections++ % doors.length] as Door;
    const query = `watch=1&resourceVersion=${this.#version}`;
    const response = await transport.request(`${url}${MAPS}?${query}`, { method: 'GET', headers, signal });
    if (response.status !== 200) return void (await response.body());
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.stream()) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as WireEvent);
    }
  }

  #take(event: WireEvent): void {
    if (event.type === 'ERROR') {
      this.failure = event.object;
      return;
    }
    this.events.push(event);
    this.#version = event.object.metadata.resourceVersion;
  }
}
