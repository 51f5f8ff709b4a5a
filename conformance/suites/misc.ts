import type { Suite } from '../suite.ts';
import { suite as cel } from './misc/cel.ts';
import { suite as columns } from './misc/columns.ts';
import { suite as core } from './misc/core.ts';

/** What belongs to no larger area: versions and names, columns, policies. */
export const suite: Suite = {
  name: 'oracles/misc',
  async *run(dataDirectory) {
    for (const part of [cel, columns, core]) yield* part.run(dataDirectory);
  },
};
