/** A step of a scenario. */
export interface PlayedStep {
  readonly id?: string;
  readonly expect?: unknown;
  /** The path of requests that the peer got, and how many are waited for. */
  readonly received?: string;
  readonly count?: number;
  /** The only parts that are compared. */
  readonly only?: readonly string[];
}

/** A recorded exchange in which the player is a peer of the server. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly PlayedStep[];
}

/** The peer: a webhook, or a server behind ours. */
export interface Player {
  /** What it does in steps of its own kinds. */
  readonly steps: Readonly<
    Record<string, ((step: PlayedStep, scope: unknown, client: object) => Promise<unknown>) | undefined>
  >;
  /** Ends a scenario. */
  end(): Promise<void>;
  close(): Promise<void>;
}
