import { type Ambient, pause, type UserInfo } from '@ashlar/core';
import type { RequestInfo } from '../request/request-info.ts';
import { RequestRounds } from './request-rounds.ts';

/** Maximum duration of work that other callers do not notice, in milliseconds. */
const SHORT_MILLISECONDS = 2;
/** Maximum duration that one request counts. */
const LONGEST_MILLISECONDS = 50;
/**
 * From this average on requests are costly, in milliseconds. A process that has just begun, or collects garbage, takes much longer now and
 * then for requests that are cheap: those must not wait.
 */
const COSTLY_MILLISECONDS = 4;
/** For so many milliseconds the processor time is not read again: reading it costs up to a tenth of a small write. */
const READING_MILLISECONDS = 1;
/** Share of the newest request in the average. */
const NEWEST = 1 / 16;
/** How much of an average is forgotten in a second. */
const FORGOTTEN_PER_SECOND = 2;
/** Below this average short requests are not counted. */
const FORGOTTEN = 0.5;
/**
 * Maximum number of requests of one turn that are remembered until its end: a caller in the same process may make any number of them
 * without a turn of the event loop between.
 */
const MAXIMUM_REQUESTS = 64;
/** From this duration of a turn on, in milliseconds, the kinds of requests that shared it are suspected. */
const SUSPICIOUS_MILLISECONDS = 10;
/** Maximum number of averages, and of suspected kinds; beyond it the oldest is forgotten. */
const MAXIMUM_COSTS = 1_000;

/** What is known of a request when work for it begins. */
interface TrackedRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

/** The current turn of the event loop. */
interface Turn {
  /** The first ones that began in it: they stand for all. */
  readonly requests: TrackedRequest[];
  /** Those of them whose bodies have arrived, which may continue alone. */
  readonly separable: TrackedRequest[];
  /** The number of all. */
  count: number;
  readonly start: number;
  /** Whether its processor time matters. */
  readonly seemsLong: boolean;
}

/** How long requests of one kind take on average, and when that was last changed. */
interface Cost {
  readonly milliseconds: number;
  readonly at: number;
}

/**
 * Measures the requests of each user, verb and resource. Those that take long on average wait for their turn, one by one, as slices of large
 * requests do: a crowd of small requests, each of which takes long, would otherwise leave no time for others.
 *
 * Requests that share a turn share its time. If that was long, nobody knows whose it was: each kind of those whose bodies have arrived continues
 * alone until one of it has been short. Others are not parted: a watch must not begin behind a write that followed it.
 */
export class CostlyRequests {
  readonly #ambient: Ambient;
  readonly #rounds: RequestRounds;
  readonly #costs = new Map<string, Cost>();
  /** How many requests of each kind wait for their turn. */
  readonly #waiting = new Map<string, number>();
  /** Kinds of requests that shared a long turn. */
  readonly #suspected = new Set<string>();
  #turn: Turn | undefined;
  /** The processor time that was last read, and when. */
  #processor = { milliseconds: 0, at: Number.NEGATIVE_INFINITY };

  constructor(ambient: Ambient) {
    this.#ambient = ambient;
    this.#rounds = new RequestRounds(ambient);
  }

  /**
   * Begins work for a request, which is measured until the end of the turn of the event loop.
   * @returns a promise that the work must wait for if such requests are costly, or earlier ones of its kind still wait
   */
  begin(request: TrackedRequest): Promise<void> | undefined {
    return this.#begin(request, false);
  }

  /** The same for a request whose body has arrived: it also waits for its round. */
  beginWithBody(request: TrackedRequest): Promise<void> | undefined {
    const { name } = request.user;
    const isSuspected = this.#suspected.size > 0 && this.#suspected.has(keyOf(request));
    const round = isSuspected ? this.#rounds.alone(name) : this.#rounds.begin(name);
    return round ? this.#beginInRound(request, round) : this.#begin(request, true);
  }

  #begin(request: TrackedRequest, isSeparable: boolean): Promise<void> | undefined {
    if (this.#costs.size === 0 && this.#waiting.size === 0) {
      this.#measure(request, 0, isSeparable);
      return undefined;
    }
    const key = keyOf(request);
    const average = this.#average(key);
    if (average >= COSTLY_MILLISECONDS || this.#waiting.has(key)) return this.#beginNextTurn(request, key);
    this.#measure(request, average, isSeparable);
    return undefined;
  }

  async #beginInRound(request: TrackedRequest, round: Promise<void>): Promise<void> {
    await round;
    const turn = this.#begin(request, true);
    if (turn) await turn;
  }

  async #beginNextTurn(request: TrackedRequest, key: string): Promise<void> {
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    await pause(this.#ambient);
    const left = (this.#waiting.get(key) as number) - 1;
    if (left > 0) this.#waiting.set(key, left);
    else this.#waiting.delete(key);
    this.#measure(request, COSTLY_MILLISECONDS, false);
  }

  /** Requests that begin in one turn share what it takes. */
  #measure(request: TrackedRequest, average: number, isSeparable: boolean): void {
    this.#turn ??= this.#beginTurn(average);
    const turn = this.#turn;
    if (!turn) return;
    turn.count++;
    if (turn.requests.length >= MAXIMUM_REQUESTS) return;
    turn.requests.push(request);
    if (isSeparable) turn.separable.push(request);
  }

  #beginTurn(average: number): Turn | undefined {
    const { clock, turns } = this.#ambient;
    if (!turns) return undefined;
    const start = clock.monotonic();
    const seemsLong = average > SHORT_MILLISECONDS;
    if (seemsLong && start - this.#processor.at > READING_MILLISECONDS) this.#readProcessor(start);
    turns.atEndOfTurn(() => this.#endTurn());
    return { requests: [], separable: [], count: 0, start, seemsLong };
  }

  #readProcessor(now: number): number {
    const milliseconds = this.#ambient.turns?.processorTime?.() ?? now;
    this.#processor = { milliseconds, at: now };
    return milliseconds;
  }

  #endTurn(): void {
    const turn = this.#turn as Turn;
    this.#turn = undefined;
    const total = this.#timeOf(turn);
    const milliseconds = total / turn.count;
    const isSuspicious = turn.count > 1 && total > SUSPICIOUS_MILLISECONDS && this.#rounds.canSeparate;
    if (turn.count === 1 && milliseconds <= SHORT_MILLISECONDS)
      this.#clear(turn.requests[0] as TrackedRequest);
    if (milliseconds <= SHORT_MILLISECONDS && this.#costs.size === 0 && !isSuspicious) return;
    for (const request of turn.requests)
      if (isSuspicious && turn.separable.includes(request)) this.#suspect(keyOf(request));
      else this.#count(request, milliseconds);
  }

  #suspect(key: string): void {
    this.#suspected.add(key);
    if (this.#suspected.size > MAXIMUM_COSTS)
      this.#suspected.delete(this.#suspected.keys().next().value as string);
  }

  #clear(request: TrackedRequest): void {
    if (this.#suspected.size > 0) this.#suspected.delete(keyOf(request));
  }

  /** Milliseconds of a turn until now. Others may have had the processor meanwhile, and other threads use processor time, too. */
  #timeOf({ start, count, seemsLong }: Turn): number {
    const now = this.#ambient.clock.monotonic();
    const elapsed = now - start;
    if (!seemsLong || elapsed <= SHORT_MILLISECONDS * count) return elapsed;
    const before = this.#processor.milliseconds;
    return Math.min(elapsed, this.#readProcessor(now) - before);
  }

  /** Short requests count only beside long ones of their kind. */
  #count(request: TrackedRequest, milliseconds: number): void {
    const key = keyOf(request);
    const average = this.#average(key);
    // the newest is the last one
    this.#costs.delete(key);
    if (milliseconds <= SHORT_MILLISECONDS && average < FORGOTTEN) return;
    const next = average + (Math.min(milliseconds, LONGEST_MILLISECONDS) - average) * NEWEST;
    this.#costs.set(key, { milliseconds: next, at: this.#ambient.clock.monotonic() });
    if (this.#costs.size > MAXIMUM_COSTS) this.#costs.delete(this.#costs.keys().next().value as string);
  }

  #average(key: string): number {
    const cost = this.#costs.get(key);
    if (!cost) return 0;
    const forgotten = ((this.#ambient.clock.monotonic() - cost.at) * FORGOTTEN_PER_SECOND) / 1000;
    return Math.max(0, cost.milliseconds - forgotten);
  }
}

/** Maximum length of a key: names that callers choose are as long as they like. */
const MAXIMUM_KEY = 500;

function keyOf({ user, info: { verb, apiGroup, resource, subresource } }: TrackedRequest): string {
  return `${verb} ${apiGroup}/${resource}/${subresource} ${user.name}`.slice(0, MAXIMUM_KEY);
}
