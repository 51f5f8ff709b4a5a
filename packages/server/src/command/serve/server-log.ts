import type { Clock, Handler } from '@ashlar/core';
import { type LoggedRequest, withRequestLog } from '@ashlar/http';
import { type LogFlags, VERBOSITY_OF_REQUESTS } from '../flags/log-flags.ts';

/** What the lines of text of the command begin with; lines of JSON do not need it. */
const PREFIX = 'ashlar: ';
/** Targets of requests may be as long as headers. */
const LONGEST_TARGET = 1_000;

/** The log of a server. */
export class ServerLog {
  readonly #isJson: boolean;
  readonly #logsRequests: boolean;
  readonly #clock: Clock;
  readonly #write: (text: string) => void;

  /** @param write called with whole lines */
  constructor(flags: LogFlags, clock: Clock, write: (text: string) => void) {
    this.#isJson = flags['logging-format'] === 'json';
    this.#logsRequests = (flags.v ?? 0) >= VERBOSITY_OF_REQUESTS;
    this.#clock = clock;
    this.#write = write;
  }

  /** Logs a sentence, which begins with the name of the command and ends with a new line. */
  readonly report = (text: string): void => {
    if (!this.#isJson) this.#write(text);
    else this.#writeJson(0, text.trimEnd().replace(PREFIX, ''));
  };

  /** Returns a handler that logs its requests, if the flags say so. */
  watched(handler: Handler): Handler {
    if (!this.#logsRequests) return handler;
    return withRequestLog(handler, this.#clock, (request) => this.#logRequest(request));
  }

  #logRequest(request: LoggedRequest): void {
    const fields = fieldsOf(request);
    if (this.#isJson) this.#writeJson(VERBOSITY_OF_REQUESTS, 'HTTP', fields);
    else {
      const written = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      this.#write(`${PREFIX}"HTTP" ${written.join(' ')}\n`);
    }
  }

  #writeJson(verbosity: number, message: string, fields: LogFields = {}): void {
    const line = { ts: this.#clock.now() / 1000, v: verbosity, msg: message, ...fields };
    this.#write(`${JSON.stringify(line)}\n`);
  }
}

type LogFields = Readonly<Record<string, string | number | undefined>>;

function fieldsOf(request: LoggedRequest): LogFields {
  const { method, url, milliseconds, userAgent, auditId, remoteAddress, status } = request;
  return {
    verb: method,
    URI: url.length > LONGEST_TARGET ? `${url.slice(0, LONGEST_TARGET)}…` : url,
    latency: `${milliseconds.toFixed(3)}ms`,
    userAgent,
    'audit-ID': auditId,
    ...(remoteAddress !== undefined && { srcIP: remoteAddress }),
    resp: status,
  };
}
