import type { Vocabulary } from '@ashlar/core';
import type { ManifestFinding } from '@ashlar/lifecycle';

/** A finding with its place in a file. */
export interface PlacedFinding {
  readonly line: number;
  /** An error is about a document that cannot be checked. */
  readonly severity: 'withdrawn' | 'deprecated' | 'error';
  readonly message: string;
  /** `Ingress "web"` */
  readonly object?: string;
  readonly details?: ManifestFinding;
  /** Whether the text was changed so that the finding is gone. */
  readonly fixed?: boolean;
  /** Why a server of the target would refuse the object even with its version changed. */
  readonly problems?: readonly string[];
}

/** Findings about a text, and the text if it is to change. */
export interface CheckedText {
  readonly findings: readonly PlacedFinding[];
  readonly text?: string;
}

export interface DocumentCheck {
  readonly target: string;
  readonly fix: boolean;
  /** Names of the groups without a domain. */
  readonly vocabulary: Vocabulary;
  /** Whether the text is the file of a kustomization. */
  readonly isKustomization?: boolean;
  /** Whether the text is a patch: it has only some fields of an object. */
  readonly isPatch?: boolean;
}
