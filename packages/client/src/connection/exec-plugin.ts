import { groupName, type Vocabulary } from '@ashlar/core';
import { ClientConfigurationError, type ExecEntry } from '../configuration/client-configuration.ts';

/** A credential plugin that can be run. */
export interface ExecPlugin {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that are set in addition to those of the caller. */
  readonly variables: Readonly<Record<string, string>>;
  /** Version of the input and output objects: `client.authentication.orch.io/v1`. */
  readonly apiVersion: string;
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: InteractiveMode;
}

/** Whether a plugin may prompt at the standard input. */
export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

const MODES: readonly string[] = ['Never', 'IfAvailable', 'Always'] satisfies InteractiveMode[];

/**
 * The plugin that an `exec` block describes (semantics/access#client-configuration).
 * @throws ClientConfigurationError if the block is incomplete, or needs an unsupported feature
 */
export function execPluginOf(block: ExecEntry, user: string, vocabulary: Vocabulary): ExecPlugin {
  const fail = (problem: string): never => {
    throw new ClientConfigurationError(`user ${JSON.stringify(user)}: exec: ${problem}`);
  };
  const { command = fail('command is required'), args, installHint, provideClusterInfo } = block;
  const { apiVersion = fail('apiVersion is required') } = block;
  const versions = ['v1', 'v1beta1'].map((version) => `${execGroup(vocabulary)}/${version}`);
  if (!versions.includes(apiVersion))
    fail(`apiVersion is ${JSON.stringify(apiVersion)}, which is none of ${versions.join(', ')}`);
  // only the older version has a default
  const mode = block.interactiveMode ?? (apiVersion === versions[1] ? 'IfAvailable' : undefined);
  if (mode === undefined) return fail(`interactiveMode is required in ${apiVersion}`);
  if (!MODES.includes(mode))
    fail(`interactiveMode is ${JSON.stringify(mode)}, which is none of ${MODES.join(', ')}`);
  const variables = block.env.map(({ name, value = '' }, i): [string, string] => [
    name ?? fail(`env[${i}].name is required`),
    value,
  ]);
  return {
    ...{ command, args, apiVersion, installHint, provideClusterInfo },
    variables: Object.fromEntries(variables),
    interactiveMode: mode as InteractiveMode,
  };
}

/** The group of the objects that plugins read and print. */
export const execGroup = (vocabulary: Vocabulary): string => groupName(vocabulary, 'client.authentication.');
