import type { HostileRequest, RawAnswer } from './raw-request.ts';

/**
 * Configuration of the attacked server: tokens, roles and anonymous requests, or the one of the README
 * without access control.
 */
export type ServerKind = 'guarded' | 'quick-start';

/**
 * Attackers besides anonymous ones: any user with a token, a tenant who may write in a namespace, and an
 * operator who may define kinds.
 */
export type Caller = 'stranger' | 'user' | 'tenant' | 'operator';

/** The attacked server, and ways to call it. */
export interface Target {
  readonly kind: ServerKind;
  readonly port: number;
  readonly pid: number;
  /** Folder in which the server was started. */
  readonly folder: string;
  /** Header line with the credentials of a caller; empty for an anonymous one. */
  credentials(caller: Caller): string;
  /** Sends raw bytes and reads the response, or until the connection ends. */
  send(request: HostileRequest): Promise<RawAnswer>;
  /** Resources used by the server since `begin`. */
  readonly measure: Measure;
  /** Its stderr. */
  log(): string;
  /** Sends it a signal; resolves with its exit code, or undefined after `milliseconds`. */
  end(signal: NodeJS.Signals, milliseconds: number): Promise<number | null | undefined>;
}

interface Measure {
  begin(): Promise<void>;
  /** The same at once, without a collection before. */
  restart(): Promise<void>;
  end(): Promise<Usage>;
  /** Size of the heap after a collection, in megabytes. */
  heapAfterCollection(): Promise<number>;
}

/** Resources that an attack used. Times are in milliseconds of processor time, except for `longestDelay`. */
export interface Usage {
  readonly cpuMilliseconds: number;
  /** The longest time that the event loop was blocked. */
  readonly longestTurn: number;
  /** The share of time in which the serving thread waited for a processor. */
  readonly queuedShare: number;
  /** The same in real time, by `monitorEventLoopDelay`. */
  readonly longestDelay: number;
  /** Maximum resident size above that at the beginning. */
  readonly grownMegabytes: number;
  readonly residentMegabytes: number;
}

/** Limits of an attack. */
export interface Bounds {
  /** Of one request of maximum size. */
  readonly cpuMilliseconds: number;
  readonly longestTurn: number;
  readonly grownMegabytes: number;
  /** Maximum growth of the cost when the size doubles. */
  readonly growth: number;
}

/** An input that is sent in sizes n, 2n and 4n, and by twenty concurrent connections. */
export interface SizedAttack {
  readonly name: string;
  /** A description of its content. */
  readonly sends: string;
  readonly server?: ServerKind;
  readonly caller?: Caller;
  /** The smallest size. */
  readonly n: number;
  /** Prepared before; required objects are created here. */
  prepare?(target: Target): Promise<void>;
  request(n: number, target: Target): HostileRequest;
  /** Expected statuses; 0 for a connection that was closed without a response. Default: any but 5xx. */
  readonly statuses?: readonly number[];
  readonly bounds?: Partial<Bounds>;
  /** Whether to try twenty concurrent ones. Default: if one is cheap. */
  readonly crowd?: boolean;
}

/** A sequence of its own. */
export interface Scenario {
  readonly name: string;
  readonly sends: string;
  readonly server?: ServerKind;
  /** Additional flags of the server. */
  readonly flags?: readonly string[];
  /** Whether the server has ended, or is unusable, afterwards. */
  readonly ruins?: boolean;
  /** @returns violations, each a sentence; none if the server withstood */
  run(target: Target): Promise<readonly string[]>;
  readonly bounds?: Partial<Bounds>;
}

export type Attack = SizedAttack | Scenario;

export function isScenario(attack: Attack): attack is Scenario {
  return 'run' in attack;
}
