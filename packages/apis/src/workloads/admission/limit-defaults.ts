import { compareUtf8, ownMember, type Steps, type Vocabulary } from '@ashlar/core';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import type { Container, ResourceList } from '../pods/container-types.ts';
import type { LimitRange } from '../resources/quota-types.ts';
import type { LimitChecks } from './limit-checks.ts';

/** A pod whose containers have the amounts of a limit range that they do not say. An annotation notes them. */
export function* withDefaults(
  pod: Pod,
  range: LimitRange,
  { labelDomain }: Vocabulary,
  checks: LimitChecks,
): Steps<Pod> {
  const defaults = new Defaults(range, checks);
  if (defaults.areNone || !pod.spec) return pod;
  const { containers, initContainers } = pod.spec;
  const spec: PodSpec = { ...pod.spec };
  if (containers) Object.assign(spec, { containers: yield* defaults.complete('container', containers) });
  if (initContainers)
    Object.assign(spec, { initContainers: yield* defaults.complete('init container', initContainers) });
  if (defaults.set.length === 0) return pod;
  const annotations = {
    ...pod.metadata.annotations,
    [`${labelDomain}/limit-ranger`]: `LimitRanger plugin set: ${defaults.set.join('; ')}`,
  };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec };
}

/** The default amounts of a limit range, and which of them were set. */
class Defaults {
  /** `cpu, memory limit for container c`. */
  readonly set: string[] = [];
  readonly #checks: LimitChecks;
  readonly #amounts: Readonly<Record<'requests' | 'limits', ResourceList>>;

  constructor({ spec }: LimitRange, checks: LimitChecks) {
    const items = (spec?.limits ?? []).filter(({ type }) => type === 'Container');
    this.#checks = checks;
    this.#amounts = {
      requests: Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest)),
      limits: Object.assign({}, ...items.map((item) => item.default)),
    };
  }

  get areNone(): boolean {
    const { requests, limits } = this.#amounts;
    return Object.keys(requests).length === 0 && Object.keys(limits).length === 0;
  }

  *complete(kind: string, containers: readonly Container[]): Steps<readonly Container[]> {
    const completed: Container[] = [];
    for (const container of containers) completed.push(yield* this.#completed(kind, container));
    return completed;
  }

  *#completed(kind: string, container: Container): Steps<Container> {
    let { resources = {} } = container;
    for (const part of ['requests', 'limits'] as const) {
      const own = resources[part] ?? {};
      const missing: string[] = [];
      for (const name of Object.keys(this.#amounts[part])) {
        if (this.#checks.add()) yield;
        if (ownMember(own, name) !== undefined) continue;
        this.#checks.addDefault();
        missing.push(name);
      }
      if (missing.length === 0) continue;
      const names = missing.sort(compareUtf8).join(', ');
      this.set.push(`${names} ${part.slice(0, -1)} for ${kind} ${container.name}`);
      resources = { ...resources, [part]: { ...this.#amounts[part], ...own } };
    }
    return resources === container.resources ? container : { ...container, resources };
  }
}
