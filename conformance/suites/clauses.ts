import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from '../suite.ts';

interface Clause {
  readonly id: string;
  readonly section: string;
  /** `path/of/a.test.ts > title of the test`, from the top of the repository. */
  readonly tests: readonly string[];
}

/**
 * Whether the tests that clauses.json lists for each statement of the specification exist. Statements without
 * a test are skipped by section.
 */
export const suite: Suite = {
  name: 'clauses',
  async *run(data) {
    const clauses = JSON.parse(readFileSync(join(data, 'clauses.json'), 'utf8')) as Clause[];
    for (const { id, section, tests } of clauses) {
      const missing = tests.filter((test) => !isThere(test));
      if (tests.length === 0) yield { id, outcome: 'skipped', reason: `not mapped yet: ${id[0]} ${section}` };
      else if (missing.length === 0) yield { id, outcome: 'passed' };
      else yield { id, outcome: 'failed', input: tests, expected: 'tests that exist', actual: missing };
    }
  },
};

const texts: Map<string, string> = new Map();

function isThere(test: string): boolean {
  const [file = '', title = ''] = test.split(' > ');
  if (!texts.has(file)) texts.set(file, existsSync(file) ? readFileSync(file, 'utf8') : '');
  const text = texts.get(file) ?? '';
  return (
    title !== '' &&
    (text.includes(`'${title}'`) || text.includes(`"${title}"`) || text.includes(`\`${title}\``))
  );
}
