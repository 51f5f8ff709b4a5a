import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AuditPolicyError, readAuditPolicy } from '@ashlar/audit';
import { DecodeError, yamlSerializer } from '@ashlar/codec';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { type AuditConfiguration, auditConfigurations, startAudited } from '../audited-server.ts';
import { playScenario, type Replay, readScenarios } from '../played-scenarios.ts';
import type { Player } from '../player.ts';
import type { CaseResult, Suite } from '../suite.ts';

type Open = (options: {
  readonly log?: string;
  readonly receiver?: number;
  readonly quiet?: number;
}) => Promise<Player>;

interface Modules {
  readonly data: string;
  readonly replay: Replay;
  readonly open: Open;
}

/** Which events a server writes and posts about requests, in both vocabularies, and which policies it refuses. */
export const suite: Suite = {
  name: 'audit',
  async *run(data) {
    const module = async (...path: string[]) => import(pathToFileURL(join(data, ...path)).href);
    const replay = (await module('trace', 'replay.mjs')) as Replay;
    const { open } = (await module('audit', 'run.mjs')) as { open: Open };
    for (const vocabulary of [kubernetesVocabulary, orchVocabulary]) {
      // most of the time is spent waiting until nothing more comes
      const played = auditConfigurations.map((configuration) =>
        playConfiguration({ data, replay, open }, configuration, vocabulary),
      );
      for (const results of await Promise.all(played)) yield* results;
      yield* invalidPolicies({ data, replay }, vocabulary);
    }
  },
};

async function playConfiguration(
  { data, replay, open }: Modules,
  configuration: AuditConfiguration,
  vocabulary: Vocabulary,
): Promise<readonly CaseResult[]> {
  const folder = join(data, 'audit');
  const policy = policyText({ data, replay }, configuration.policy, vocabulary);
  await using audited = await startAudited(configuration, policy, vocabulary);
  const player = await open(audited.player);
  const client = new replay.Client({ server: audited.url, token: 'admin-token' });
  const results: CaseResult[] = [];
  try {
    const paths = configuration.fixtures.map((name) => join(folder, 'fixtures', name));
    for (const { id, scenario } of readScenarios(replay, paths, vocabulary))
      for (const result of await playScenario(replay, id, { client, scenario, player }))
        results.push(skipped(result.id) ?? result);
  } finally {
    await player.close();
  }
  return results;
}

/** What this server answers otherwise than the reference, whether that is recorded or not. */
const DIFFERENCES: readonly (readonly [RegExp, string])[] = [
  [
    /watches: events: watch that fails before it starts$/,
    'a watch from a version that is no number is answered with 422 (docs/semantics/status.md)',
  ],
  [/events: a token, whose rule is another$/, 'answers to token requests have no managed fields'],
];

function skipped(id: string): CaseResult | undefined {
  const reason = DIFFERENCES.find(([pattern]) => pattern.test(id))?.[1];
  return reason === undefined ? undefined : { id, outcome: 'skipped', reason };
}

function policyText(
  { data, replay }: Pick<Modules, 'data' | 'replay'>,
  file: string,
  vocabulary: Vocabulary,
): string {
  const text = readFileSync(join(data, 'audit', file), 'utf8');
  return vocabulary === orchVocabulary ? replay.toOrch(text) : text;
}

interface InvalidPolicy {
  readonly name: string;
  readonly policy: string;
  readonly says: readonly string[];
}

function* invalidPolicies(
  modules: Pick<Modules, 'data' | 'replay'>,
  vocabulary: Vocabulary,
): Iterable<CaseResult> {
  const cases = JSON.parse(policyText(modules, 'invalid.json', vocabulary)) as InvalidPolicy[];
  for (const { name, policy, says } of cases) {
    const id = `${vocabulary.name}: invalid.json: ${name}`;
    const said = refusalOf(policy, vocabulary);
    const isSaid = says.every((text) => said?.includes(text));
    if (said !== undefined && isSaid) yield { id, outcome: 'passed' };
    else yield { id, outcome: 'failed', input: policy, expected: says, actual: said };
  }
}

/** Undefined if the policy is accepted. */
function refusalOf(policy: string, vocabulary: Vocabulary): string | undefined {
  try {
    readAuditPolicy(yamlSerializer.decode(new TextEncoder().encode(policy)).value, vocabulary);
    return undefined;
  } catch (error) {
    if (AuditPolicyError.is(error) || DecodeError.is(error)) return error.message;
    throw error;
  }
}
