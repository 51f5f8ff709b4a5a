import { convertChecks } from '../lifecycle/convert-checks.ts';
import { releaseChecks } from '../lifecycle/release-checks.ts';
import type { Suite } from '../suite.ts';
import { runOracles } from '../text-core/run-oracles.ts';

/** What releases serve, deprecate and remove, and how manifests of withdrawn versions are converted. */
export const suite: Suite = {
  name: 'oracles/lifecycle',
  run: (dataDirectory) => runOracles(dataDirectory, 'lifecycle', { ...releaseChecks, ...convertChecks }),
};
