import { join } from 'node:path';
import type { Suite } from '../suite.ts';
import { costCases } from './cel/costs.ts';
import { kubernetesCases } from './cel/kubernetes.ts';
import { specificationCases } from './cel/specification.ts';

export const suite: Suite = {
  name: 'cel',
  async *run(dataDirectory) {
    const folder = join(dataDirectory, 'cel');
    yield* specificationCases(folder);
    yield* kubernetesCases(folder);
    yield* costCases(folder);
  },
};
