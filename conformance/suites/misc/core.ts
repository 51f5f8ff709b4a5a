import { pluralOf } from '@ashlar/apis';
import {
  apiVersionOf,
  compareApiVersions,
  parseApiVersion,
  parseResourceArgument,
  sortApiVersions,
} from '@ashlar/core';
import type { Suite } from '../../suite.ts';
import { type CaseRunner, runOracles } from '../../text-core/run-oracles.ts';

const checks: Readonly<Record<string, CaseRunner>> = {
  'version-compare': {
    inputs: ['a', 'b'],
    answer: ({ a, b }) => ({ compare: compareApiVersions(a, b) }),
  },
  'version-sort': {
    inputs: ['versions'],
    answer: ({ versions }) => ({ sorted: sortApiVersions(versions) }),
  },
  plural: {
    inputs: ['kind'],
    answer: ({ kind }) => ({ plural: pluralOf(kind), singular: kind.toLowerCase() }),
  },
  'group-version': {
    inputs: ['text'],
    answer: ({ text }) => {
      const parsed = parseApiVersion(text);
      const { group, version } = parsed ?? { group: '', version: '' };
      const answer = { group, version, print: apiVersionOf({ group, version }) };
      return parsed ? answer : { ...answer, error: `unexpected GroupVersion string: ${text}` };
    },
  },
  'resource-argument': {
    inputs: ['text'],
    answer: ({ text }) => {
      const { groupResource, versioned } = parseResourceArgument(text);
      return {
        ...groupResource,
        withVersion: versioned && [versioned.group, versioned.version, versioned.resource],
      };
    },
  },
};

/** Versions, plurals and the names of groups and resources. */
export const suite: Suite = {
  name: 'oracles/misc',
  run: (dataDirectory) => runOracles(dataDirectory, 'misc', checks),
};
