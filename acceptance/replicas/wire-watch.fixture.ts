import { setTimeout as sleep } from 'node:timers/promises';
import { MAPS, type ServerAddress, versionOf, type WireEvent } from './replica.fixture.ts';

/**
 * A careful client: when its connection ends it resumes after the last complete event, at the next server in
 * turn.
 */
export class WireWatch {
  readonly events: WireEvent[] = [];
  /** The message of an ERROR event, which ended the watch. */
  failure: WireEvent['object'] | undefined;
  /** Number of connections. */
  connections: number = 0;
  readonly #servers: () => readonly ServerAddress[];
  readonly #closing: AbortController = new AbortController();
  readonly #done: Promise<void>;
  #version: string;

  /** @param servers returns the servers, before each connection */
  constructor(servers: () => readonly ServerAddress[], version: string) {
    this.#servers = servers;
    this.#version = version;
    this.#done = this.#run();
  }

  /** Received events, as `ADDED a@12`. */
  get received(): string[] {
    return this.events.map(({ type, object }) => `${type} ${object.metadata.name}@${versionOf(object)}`);
  }

  /** Resolves when an event of that version or a later one has been received, or the watch has failed. */
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
        // the next connection continues
      }
      await sleep(5);
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const servers = this.#servers();
    const { url, transport, headers = {} } = servers[this.connections++ % servers.length] as ServerAddress;
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
