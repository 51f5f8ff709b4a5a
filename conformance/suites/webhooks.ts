import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { startServerUnderTest } from '../server-under-test.ts';
import type { CaseResult, Suite } from '../suite.ts';

interface Step {
  readonly id?: string;
  readonly expect: unknown;
}
interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}
interface StandIn {
  close(): Promise<void>;
}
interface Replay {
  readonly Client: new (options: { server: string; token: string }) => object;
  play(run: {
    client: object;
    scenario: Scenario;
    player: StandIn;
    visit(step: Step, seen: unknown): void;
  }): Promise<void>;
  grade(step: Step, seen: unknown): { exact: boolean; diff: readonly string[] };
  toOrch(text: string): string;
}

/** Files of the folder `trace` with scenarios about webhooks and their configurations. */
const TRACES: readonly string[] = ['admission-invalid.json', 'admission-webhooks.json'];

/** What webhooks are asked and what comes of their answers, in both vocabularies: the player is the webhook. */
export const suite: Suite = {
  name: 'webhooks',
  async *run(data) {
    const module = async (name: string) => import(pathToFileURL(join(data, 'trace', name)).href);
    const replay = (await module('replay.mjs')) as Replay;
    const { standIn } = (await module('stand-in.mjs')) as { standIn(): Promise<StandIn> };
    for (const vocabulary of [kubernetesVocabulary, orchVocabulary]) {
      const player = await standIn();
      try {
        yield* runVocabulary(replay, player, data, vocabulary);
      } finally {
        await player.close();
      }
    }
  },
};

async function* runVocabulary(
  replay: Replay,
  player: StandIn,
  data: string,
  vocabulary: Vocabulary,
): AsyncIterable<CaseResult> {
  await using server = await startServerUnderTest(vocabulary);
  const client = new replay.Client({ server: server.url, token: 'admin-token' });
  for (const { file, scenario } of scenariosOf(replay, data, vocabulary)) {
    const id = `${vocabulary.name}: ${file}: ${scenario.name}`;
    if (!/webhook|conversion/.test(scenario.name)) {
      yield { id, outcome: 'skipped', reason: 'policies are played by the suite trace' };
      continue;
    }
    const results: CaseResult[] = [];
    const visit = (step: Step, seen: unknown): void => {
      const { exact, diff } = replay.grade(step, JSON.parse(JSON.stringify(seen)));
      const ofStep = `${id}: ${step.id ?? results.length + 1}`;
      if (exact) results.push({ id: ofStep, outcome: 'passed' });
      else results.push({ id: ofStep, outcome: 'failed', input: step, expected: diff, actual: seen });
    };
    await replay.play({ client, scenario, player, visit });
    yield* results;
  }
}

function scenariosOf(
  { toOrch }: Replay,
  data: string,
  vocabulary: Vocabulary,
): readonly { readonly file: string; readonly scenario: Scenario }[] {
  const folder = join(data, 'webhooks', 'fixtures');
  const own = readdirSync(folder).sort();
  const files = [
    ...own.map((file) => join(folder, file)),
    ...TRACES.map((file) => join(data, 'trace', 'fixtures', file)),
  ];
  return files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const scenarios = JSON.parse(vocabulary === orchVocabulary ? toOrch(text) : text) as Scenario[];
    return scenarios.map((scenario) => ({ file: path.slice(path.lastIndexOf('/') + 1), scenario }));
  });
}
