import { orchVocabulary, type Vocabulary, vocabularies } from '@ashlar/core';
import type { Flag } from './flags.ts';

/** `--vocabulary`, in the group of a command's help. */
export const vocabularyFlag = (group: string): Flag<Vocabulary> => ({
  group,
  value: Object.keys(vocabularies).join('|'),
  meaning: `names on the wire (default ${orchVocabulary.name})`,
  parse(argument) {
    const found = Object.hasOwn(vocabularies, argument) ? vocabularies[argument] : undefined;
    if (!found)
      throw new Error(
        `unknown vocabulary ${argument}; known vocabularies are ${Object.keys(vocabularies).join(', ')}`,
      );
    return found;
  },
});
