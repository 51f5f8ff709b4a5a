import type { Vocabulary } from '@ashlar/core';

/** The program that a server is in a cluster. It manages the fields that the server itself writes. */
export const serverProgram = ({ namespacePrefix }: Vocabulary): string => `${namespacePrefix}-apiserver`;

/** The program that runs controllers in a cluster, and manages the fields that they write. */
export const controllerProgram = ({ namespacePrefix }: Vocabulary): string =>
  `${namespacePrefix}-controller-manager`;
