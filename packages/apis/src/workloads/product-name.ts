import type { Vocabulary } from '@ashlar/core';

/** The name of a vocabulary as messages begin with it: `Kubernetes`. */
export const productName = ({ name }: Vocabulary): string => name.charAt(0).toUpperCase() + name.slice(1);
