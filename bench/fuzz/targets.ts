import type { Target } from './target.ts';
import { bodyTargets } from './targets/bodies.ts';
import { credentialTargets } from './targets/credentials.ts';
import { expressionTargets } from './targets/expressions.ts';
import { headerTargets } from './targets/headers.ts';
import { patchTargets } from './targets/patches.ts';
import { textTargets } from './targets/texts.ts';

/** All parsers of untrusted input. */
export const targets: readonly Target[] = [
  ...bodyTargets,
  ...textTargets,
  ...headerTargets,
  ...credentialTargets,
  ...patchTargets,
  ...expressionTargets,
];
