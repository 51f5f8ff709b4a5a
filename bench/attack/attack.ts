import type { HostileRequest, RawAnswer } from './raw-request.ts';

/** Which server is attacked: one with tokens, roles and strangers let in, or the one of the README without access control. */
export type ServerKind = 'guarded' | 'quick-start';

/** Who may attack, beside strangers: anybody with a token, who may write in a namespace, and who may define kinds. */
export type Caller = 'stranger' | 'user' | 'tenant' | 'operator';

/** What is attacked, and the ways to reach it. */
export interface Target {
  readonly kind: ServerKind;
  readonly port: number;
  readonly pid: number;
  /** Folder in which the server was started. */
  readonly folder: string;
  /** Header line with the credentials of a caller; empty for a stranger. */
  credentials(caller: Caller): string;
  /** Sends bytes as they are and reads the answer, or what comes until the connection ends. */
  send(request: HostileRequest): Promise<RawAnswer>;
  /** What the server has used since `begin`. */
  readonly measure: Measure;
  /** What it has written to its error output. */
  log(): string;
  /** Sends it a signal; resolves with its exit code, or undefined after `milliseconds`. */
  end(signal: NodeJS.Signals, milliseconds: number): Promise<number | null | undefined>;
}

interface Measure {
  begin(): Promise<void>;
  end(): Promise<Usage>;
  /** What the heap holds after a collection, in megabytes. */
  kept(): Promise<number>;
}

/** What an attack took from the server. Times are in milliseconds of processor time, except for `longestDelay`. */
export interface Usage {
  readonly cpuMilliseconds: number;
  /** The longest time that the serving thread worked without turning to its timers. */
  readonly longestTurn: number;
  /** For how much of the time the serving thread waited for a processor that somebody else had. */
  readonly queuedShare: number;
  /** The same by the clock on the wall, as `monitorEventLoopDelay` tells it. */
  readonly longestDelay: number;
  /** Highest resident size above that at the beginning. */
  readonly grownMegabytes: number;
  readonly residentMegabytes: number;
}

/** What an attack may take. */
export interface Bounds {
  /** Of one request of the largest size. */
  readonly cpuMilliseconds: number;
  readonly longestTurn: number;
  readonly grownMegabytes: number;
  /** How many times the cost may grow when the size doubles. */
  readonly growth: number;
}

/** An input that is sent in sizes n, 2n and 4n, and by twenty connections at once. */
export interface SizedAttack {
  readonly name: string;
  /** What it sends, in words. */
  readonly sends: string;
  readonly server?: ServerKind;
  readonly caller?: Caller;
  /** The smallest size. */
  readonly n: number;
  /** Made ready before; what it needs must be there. */
  prepare?(target: Target): Promise<void>;
  request(n: number, target: Target): HostileRequest;
  /** Statuses that are right for it; 0 for a connection that was closed without an answer. Default: any but 5xx. */
  readonly statuses?: readonly number[];
  readonly bounds?: Partial<Bounds>;
  /** Whether twenty at once are tried. Default: where one costs little. */
  readonly crowd?: boolean;
}

/** A sequence of its own. */
export interface Scenario {
  readonly name: string;
  readonly sends: string;
  readonly server?: ServerKind;
  /** Flags of the server beside the usual ones. */
  readonly flags?: readonly string[];
  /** Whether the server has ended, or is unusable, afterwards. */
  readonly ruins?: boolean;
  /** @returns what is wrong, each a sentence; none where the server held */
  run(target: Target): Promise<readonly string[]>;
  readonly bounds?: Partial<Bounds>;
}

export type Attack = SizedAttack | Scenario;

export function isScenario(attack: Attack): attack is Scenario {
  return 'run' in attack;
}
