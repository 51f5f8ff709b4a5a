import { type AggregatedRole, aggregationSteps, type PolicyRule } from '@ashlar/authz';
import {
  createInformer,
  createWorkQueue,
  type Informer,
  type ResourceClient,
  type WorkQueue,
} from '@ashlar/client';
import { type Ambient, groupName, printErrors, runInSlices } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { unlessOvertaken } from '../loop/unless-overtaken.ts';

/**
 * Aggregates the rules of selected roles into roles with an aggregation rule (semantics/access#rbac).
 * @example
 * const controller = createRoleAggregationController({ client, ambient });
 * controller.start();
 */
export function createRoleAggregationController(options: ControllerOptions): Controller {
  return controllerOfLoop(() => new RoleAggregation(options));
}

/** Field manager of aggregated rules. */
const MANAGER = 'clusterrole-aggregation-controller';

/** In the queue, the task of finding what changed roles concern; no role has this name. */
const EVERY_ROLE = '';

class RoleAggregation {
  readonly #roles: ResourceClient<AggregatedRole>;
  readonly #informer: Informer<AggregatedRole>;
  readonly #queue: WorkQueue;
  readonly #ended: Promise<void>;
  readonly #ambient: Ambient;

  constructor({
    client,
    ambient,
    onError = printErrors('controller of role aggregation'),
  }: ControllerOptions) {
    this.#roles = client.resource({
      group: groupName(ambient.vocabulary, 'rbac.authorization.'),
      version: 'v1',
      resource: 'clusterroles',
      kind: 'ClusterRole',
    });
    this.#ambient = ambient;
    this.#queue = createWorkQueue<string>({ ambient });
    this.#informer = createInformer(this.#roles, { onError });
    const changed = (): void => this.#queue.add(EVERY_ROLE);
    this.#informer.addHandler({ added: changed, updated: changed, deleted: changed });
    this.#ended = this.#queue.run((name) => this.#work(name), { workers: 1, onError });
  }

  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all([this.#informer.close(), this.#ended]);
  }

  /** Any role may be aggregated by any other with an aggregation rule. Once for all changes that come together. */
  #considerAll(): void {
    for (const { metadata, aggregationRule } of this.#informer.list())
      if (aggregationRule) this.#queue.add(metadata.name ?? '');
  }

  async #work(name: string): Promise<undefined> {
    if (name === EVERY_ROLE) return void this.#considerAll();
    const role = this.#informer.get('', name);
    const rules = role && (await runInSlices(aggregationSteps(role, this.#informer.list()), this.#ambient));
    if (rules) await unlessOvertaken(() => this.#apply(role, rules));
    return undefined;
  }

  /** Without aggregated rules the field is not applied: rules of others remain. */
  #apply(
    { apiVersion, kind, metadata }: AggregatedRole,
    rules: readonly PolicyRule[],
  ): Promise<AggregatedRole> {
    const { name = '' } = metadata;
    const configuration = { apiVersion, kind, metadata: { name }, ...(rules.length > 0 && { rules }) };
    return this.#roles.apply(configuration, { fieldManager: MANAGER, force: true });
  }
}
