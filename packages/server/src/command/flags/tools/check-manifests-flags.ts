import type { Vocabulary } from '@ashlar/core';
import { parseRelease, releaseText } from '@ashlar/lifecycle';
import { text, toggle } from '../flag-kinds.ts';
import type { FlagTableOf } from '../flags.ts';
import { vocabularyFlag } from '../vocabulary-flag.ts';
import { type FindingFormat, outputFlag } from './output-flag.ts';

const GROUP = 'Checking manifests';

/** Flags of `ashlar check-manifests`. */
export interface CheckManifestsFlags {
  readonly target?: string;
  readonly fix?: boolean;
  readonly live?: string;
  readonly output?: FindingFormat;
  readonly vocabulary?: Vocabulary;
}

/** The release in question by default: the one whose behavior the server has. */
export const DEFAULT_TARGET = '1.32';

/** The flags of `ashlar check-manifests`. */
export const checkManifestsFlags: FlagTableOf<CheckManifestsFlags> = {
  target: {
    group: GROUP,
    value: 'RELEASE',
    meaning: `the release that is to serve the manifests (default ${DEFAULT_TARGET})`,
    parse(argument) {
      const release = parseRelease(argument);
      if (!release) throw new Error(`${JSON.stringify(argument)} is no release such as ${DEFAULT_TARGET}`);
      return releaseText(release);
    },
  },
  fix: toggle(GROUP, 'migrate the manifests in their files, or from standard input to standard output'),
  live: text(
    GROUP,
    'KUBECONFIG',
    'check the objects of a cluster instead of files: what was applied last, records of ownership, and releases of Helm',
  ),
  output: outputFlag(GROUP),
  vocabulary: {
    ...vocabularyFlag(GROUP),
    meaning: 'names of groups (default: those of which a manifest or the others have the domain)',
  },
};
