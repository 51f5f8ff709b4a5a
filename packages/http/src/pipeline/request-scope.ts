import type { ServedMediaType } from '@ashlar/codec';
import type { ServerRequest, UserInfo } from '@ashlar/core';
import type { RequestInfo } from '../request/request-info.ts';
import { WarningRecorder } from './warning-recorder.ts';

/** One request on its way through the server: what is known of it, and what will be said beside its answer. */
export class RequestScope {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  readonly auditId: string;
  user: UserInfo = NOBODY;
  /** What the resource is served in, once that is known: its failures may be told in it. */
  types: readonly ServedMediaType[] | undefined;
  /** Whether its body is large, so that others should have their turn while it is worked on. */
  isLarge: boolean = false;
  /** Gives the place among the requests under way back; undefined where it has none. */
  leave: (() => void) | undefined;
  /** Whether it has been answered because its deadline is over: nothing more is begun for it. */
  isGivenUp = false;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  #warnings: WarningRecorder | undefined;
  #annotations: Map<string, string> | undefined;

  constructor(request: ServerRequest, info: RequestInfo, auditId: string, now: () => number) {
    this.request = request;
    this.info = info;
    this.auditId = auditId;
    this.now = now;
  }

  /** Ends what is held for the request, since its deadline is over. */
  giveUp(): void {
    this.isGivenUp = true;
    this.leave?.();
  }

  /** Adds a Warning header; a text is told once. */
  readonly warn = (text: string): void => {
    this.#warnings ??= new WarningRecorder();
    this.#warnings.add(text);
  };

  /** Values of the Warning headers. */
  get warnings(): readonly string[] {
    return this.#warnings?.headers ?? [];
  }

  /** Audit annotations. */
  get annotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? NO_ANNOTATIONS;
  }

  /** Adds one; the first value of a key stays. */
  readonly annotate = (key: string, value: string): void => {
    this.#annotations ??= new Map();
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  };
}

const NO_ANNOTATIONS: ReadonlyMap<string, string> = new Map();
const NOBODY: UserInfo = { name: '', groups: [] };
