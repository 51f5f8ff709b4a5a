import { delimiter, join } from 'node:path';
import type { Vocabulary } from '@ashlar/core';
import type { Environment } from './environment.ts';

/**
 * Paths of configuration files: those that the variable `KUBECONFIG` lists or else `.kube/config` in the home
 * folder, named by the vocabulary (`ORCHCONFIG`, `.orch/config`).
 */
export function configurationPaths(environment: Environment, vocabulary: Vocabulary): readonly string[] {
  const { namespacePrefix: word } = vocabulary;
  const listed = environment[`${word.toUpperCase()}CONFIG`]?.split(delimiter).filter((path) => path !== '');
  if (listed !== undefined && listed.length > 0) return [...new Set(listed)];
  const home = environment.HOME || environment.USERPROFILE;
  return home === undefined ? [] : [join(home, `.${word}`, 'config')];
}
