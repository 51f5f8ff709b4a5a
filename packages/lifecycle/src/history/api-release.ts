import type { ApiObject } from '@ashlar/core';
import type { ComparedDefinition, ComparedVersion } from '../compare-definitions.ts';

/** The types that a release of a host serves, and what else users rely on. */
export interface ApiRelease {
  /** Its name, for findings: `1.4`. */
  readonly name: string;
  /** When it was published, in milliseconds since 1970; without it only releases are counted. */
  readonly published?: number;
  readonly definitions: readonly ReleasedDefinition[];
  /** Flags, behaviors, feature gates and metrics. */
  readonly elements?: readonly ReleasedElement[];
}

/** A type with what its versions say about their life. */
export interface ReleasedDefinition extends Omit<ComparedDefinition, 'versions'> {
  readonly versions: readonly ReleasedVersion[];
  /** Whether something that is not known here converts its objects, such as a webhook: what they lose cannot be found then. */
  readonly convertedElsewhere?: boolean;
}

/** A version of a type in a release. */
export interface ReleasedVersion extends ComparedVersion {
  readonly deprecated?: boolean;
  /** The version to use instead of a deprecated one. */
  readonly replacement?: string;
  /** Converts an object of this version to the stored one; by default only the name of the version differs. */
  toStorage?(object: ApiObject): ApiObject;
  /** Converts a stored object to this version. */
  fromStorage?(object: ApiObject): ApiObject;
}

/** A change that the rules of deprecation do not allow. */
export interface HistoryFinding {
  /** The rule: `1`, `2`, `3`, `4a`, `4b`, `5a`, `5b`, `5c`, `7`, `8`, `9`, `11a`, `11b`. */
  readonly rule: string;
  /** The release that breaks it. */
  readonly release: string;
  /** `widgets.example.com`, or the kind of an element */
  readonly type: string;
  /** The version of the type, or the name of the element. */
  readonly version: string;
  readonly message: string;
}

/** How mature an element is. A flag that is marked neither alpha nor beta is stable. */
export type ElementStage = 'stable' | 'beta' | 'alpha';

/** What users rely on besides the API: a flag of users or of administrators, a behavior, a feature gate, a metric. */
export type ElementKind = 'flag' | 'admin-flag' | 'behavior' | 'gate' | 'metric';

/** An element of a release. */
export interface ReleasedElement {
  readonly kind: ElementKind;
  /** `--old-flag`, `requests_total` */
  readonly name: string;
  readonly stage: ElementStage;
  /** Whether the release announces that it goes away. A stable gate does so by being stable. */
  readonly deprecated?: boolean;
  /** The name of the element of the same kind to use instead. */
  readonly replacement?: string;
}
