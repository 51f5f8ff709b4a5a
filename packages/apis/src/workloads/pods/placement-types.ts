import type { LabelSelectorObject } from '@ashlar/core';

/** What is required of a label or field of a node. */
export interface NodeRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** What is required of a node together. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  readonly matchFields?: readonly NodeRequirement[];
}

/** Nodes that fit one of several terms. */
export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] | null;
}

/** Other pods, and what a node must have in common with theirs. */
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelectorObject;
  readonly namespaces?: readonly string[];
  readonly topologyKey?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/** Other pods, and how much it counts that they are there. */
export interface PreferredPods {
  readonly weight?: number;
  readonly podAffinityTerm?: PodAffinityTerm;
}

/** Nodes, and how much it counts that it is one of them. */
export interface PreferredNodes {
  readonly weight?: number;
  readonly preference?: NodeSelectorTerm;
}

/** Beside which other pods, or not beside which, a pod wants to be. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredPods[];
}

/** Where a pod wants to be. */
export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredNodes[];
  };
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

/** A taint that a pod tolerates. */
export interface Toleration {
  readonly key?: string;
  /** `Exists`, `Equal`; the latter by default. */
  readonly operator?: string;
  readonly value?: string;
  /** Empty for all effects. */
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** How pods are spread. */
export interface TopologySpreadConstraint {
  readonly maxSkew?: number;
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelectorObject;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}
