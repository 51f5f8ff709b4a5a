import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type JsonValue, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { keepEarlyRequests } from './early-requests.ts';
import { RecordedSymbols } from './recorded-symbols.ts';
import type { CaseResult } from './suite.ts';

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

/** The module that replays scenarios. */
export interface Replay {
  readonly Client: new (options: {
    readonly server: string;
    readonly token: string;
    readonly ca?: string;
  }) => object;
  play(run: {
    client: object;
    scenario: Scenario;
    player: Player;
    visit(step: PlayedStep, seen: unknown): void;
  }): Promise<void>;
  grade(step: PlayedStep, seen: unknown): { exact: boolean; diff: readonly string[] };
  toOrch(text: string): string;
}

/** Reads the scenarios of files, in the names of a vocabulary. */
export function readScenarios(
  { toOrch }: Replay,
  paths: readonly string[],
  vocabulary: Vocabulary,
): readonly { readonly id: string; readonly scenario: Scenario }[] {
  return paths.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const scenarios = JSON.parse(vocabulary === orchVocabulary ? toOrch(text) : text) as Scenario[];
    return scenarios.map((scenario) => ({
      id: `${vocabulary.name}: ${basename(path)}: ${scenario.name}`,
      scenario,
    }));
  });
}

/** Plays a scenario and returns the result of each of its steps. */
export async function playScenario(
  replay: Replay,
  id: string,
  run: { readonly client: object; readonly scenario: Scenario; readonly player: Player },
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  const symbols = new RecordedSymbols();
  const visit = (step: PlayedStep, seen: unknown): void => {
    const renamed = symbols.rename(step.expect as JsonValue | undefined, JSON.parse(JSON.stringify(seen)));
    const { exact, diff } = replay.grade(step, renamed);
    const ofStep = `${id}: ${step.id ?? results.length + 1}`;
    if (exact) results.push({ id: ofStep, outcome: 'passed' });
    else results.push({ id: ofStep, outcome: 'failed', input: step, expected: diff, actual: seen });
  };
  await replay.play({ ...run, player: keepEarlyRequests(run.player), visit });
  return results;
}
