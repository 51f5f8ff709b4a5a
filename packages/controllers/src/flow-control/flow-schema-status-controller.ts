import {
  createInformer,
  createWorkQueue,
  type Informer,
  type ResourceClient,
  type WorkQueue,
} from '@ashlar/client';
import { type ApiObject, groupName, printErrors, timestampText } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { unlessOvertaken } from '../loop/unless-overtaken.ts';

/** Writes into the status of flow schemas whether their priority is missing (semantics/lifecycle#flow-control-objects). */
export function createFlowSchemaStatusController(options: ControllerOptions): Controller {
  return controllerOfLoop(() => new FlowSchemaStatus(options));
}

const MANAGER = 'api-priority-and-fairness-config-consumer-v1';
const TYPE = 'Dangling';

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

interface FlowSchema extends ApiObject {
  readonly spec?: { readonly priorityLevelConfiguration?: { readonly name?: string } };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

class FlowSchemaStatus {
  readonly #schemas: ResourceClient<FlowSchema>;
  readonly #schemaInformer: Informer<FlowSchema>;
  readonly #levelInformer: Informer<ApiObject>;
  readonly #queue: WorkQueue;
  readonly #now: () => string;
  readonly #ended: Promise<void>;

  constructor({ client, ambient, onError = printErrors('controller of flow schemas') }: ControllerOptions) {
    const group = groupName(ambient.vocabulary, 'flowcontrol.apiserver.');
    const type = { group, version: 'v1' };
    this.#schemas = client.resource({ ...type, resource: 'flowschemas', kind: 'FlowSchema' });
    const levels = client.resource({
      ...{ ...type, resource: 'prioritylevelconfigurations', kind: 'PriorityLevelConfiguration' },
    });
    this.#now = () => timestampText(ambient.clock.now());
    this.#queue = createWorkQueue<string>({ ambient });
    this.#schemaInformer = createInformer(this.#schemas, { onError });
    this.#levelInformer = createInformer(levels, { onError });
    const schemaChanged = (schema: FlowSchema): void => this.#consider(schema);
    const levelChanged = ({ metadata }: ApiObject): void => this.#considerSchemasOf(metadata.name);
    this.#schemaInformer.addHandler({ added: schemaChanged, updated: schemaChanged });
    this.#levelInformer.addHandler({ added: levelChanged, deleted: levelChanged });
    this.#ended = this.#queue.run((name) => this.#work(name), { workers: 1, onError });
    // rejected where the controller ends before
    this.#levelInformer.synced.then(
      () => this.#schemaInformer.list().forEach(schemaChanged),
      () => {},
    );
  }

  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all([this.#schemaInformer.close(), this.#levelInformer.close(), this.#ended]);
  }

  /** Before all priorities are known each of them would seem to be missing. */
  #consider({ metadata }: FlowSchema): void {
    if (this.#levelInformer.hasSynced) this.#queue.add(metadata.name ?? '');
  }

  #considerSchemasOf(level: string | undefined): void {
    if (!this.#levelInformer.hasSynced) return;
    for (const schema of this.#schemaInformer.list()) if (levelOf(schema) === level) this.#consider(schema);
  }

  async #work(name: string): Promise<undefined> {
    const schema = this.#schemaInformer.get('', name);
    if (!schema) return undefined;
    const condition = conditionOf(schema, this.#levelInformer.get('', levelOf(schema)) !== undefined);
    const current = schema.status?.conditions?.find(({ type }) => type === TYPE);
    const isRight = (['status', 'reason', 'message'] as const).every(
      (field) => current?.[field] === condition[field],
    );
    if (!isRight) await unlessOvertaken(() => this.#apply(schema, condition));
    return undefined;
  }

  #apply({ apiVersion, kind, metadata }: FlowSchema, condition: Condition): Promise<FlowSchema> {
    const conditions = [{ ...condition, lastTransitionTime: this.#now() }];
    const { name = '' } = metadata;
    const configuration = { apiVersion, kind, metadata: { name }, status: { conditions } };
    return this.#schemas.status.apply(configuration, { fieldManager: MANAGER, force: true });
  }
}

const levelOf = ({ spec }: FlowSchema): string => spec?.priorityLevelConfiguration?.name ?? '';

function conditionOf(schema: FlowSchema, exists: boolean): Condition {
  const text = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(levelOf(schema))}`;
  return exists
    ? { type: TYPE, status: 'False', reason: 'Found', message: `${text} and it exists` }
    : { type: TYPE, status: 'True', reason: 'NotFound', message: `${text} but there is no such object` };
}
