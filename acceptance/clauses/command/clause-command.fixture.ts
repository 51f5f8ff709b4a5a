import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Vocabulary, vocabularies } from '@ashlar/core';
import { afterAll, describe } from 'vitest';
import { ServedCommand } from './served-command.fixture.ts';

/** The command with one vocabulary. */
export interface ClauseCommand {
  readonly vocabulary: Vocabulary;
  /** A command that serves with these flags in addition to the default ones. */
  serve(...words: readonly string[]): Promise<ServedCommand>;
  /** The message with which the command rejects flags. @throws Error if it accepts them */
  refusal(...words: readonly string[]): Promise<string>;
  /** Writes a file and returns its path. */
  file(content: string): string;
}

/** Runs the tests of a section of the specification once per vocabulary. */
export function forEachVocabulary(section: string, tests: (command: ClauseCommand) => void): void {
  describe.each(Object.entries(vocabularies))(`${section}, in the words of %s`, (_name, vocabulary) => {
    const root = mkdtempSync(join(tmpdir(), 'clauses-'));
    let files = 0;
    afterAll(() => rmSync(root, { recursive: true }));
    const serve: ClauseCommand['serve'] = (...words) =>
      new ServedCommand(vocabulary.groupDomain).start([`--vocabulary=${vocabulary.name}`, ...words]);
    tests({
      vocabulary,
      serve,
      async refusal(...words) {
        let served: ServedCommand;
        try {
          served = await serve(...words);
        } catch (error) {
          return (error as Error).message;
        }
        await served[Symbol.asyncDispose]();
        throw new Error('the command serves with these flags');
      },
      file(content) {
        const path = join(root, `file-${++files}`);
        writeFileSync(path, content);
        return path;
      },
    });
  });
}
