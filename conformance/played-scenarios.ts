import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type JsonValue, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { keepEarlyRequests } from './early-requests.ts';
import type { PlayedStep, Player, Scenario } from './player.ts';
import { RecordedSymbols } from './recorded-symbols.ts';
import type { CaseResult } from './suite.ts';

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
