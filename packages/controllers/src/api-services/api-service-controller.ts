import {
  createInformer,
  createWorkQueue,
  type Informer,
  type ResourceClient,
  type WorkQueue,
} from '@ashlar/client';
import {
  type Ambient,
  type ApiObject,
  groupName,
  type JsonValue,
  jsonEqual,
  pause,
  printErrors,
} from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { unlessOvertaken } from '../loop/unless-overtaken.ts';
import { type Definition, DesiredServices } from './desired-services.ts';

interface ApiService extends ApiObject {
  readonly spec: JsonValue;
}

/** Names that are worked off between two pauses: one definition may have ten thousand versions. */
const STRIDE = 64;

/** Registers the versions of custom types that definitions serve as API services (semantics/discovery#aggregation). */
export function createApiServiceController(options: ControllerOptions): Controller {
  return controllerOfLoop(() => new ApiServiceRegistration(options));
}

class ApiServiceRegistration {
  readonly #services: ResourceClient<ApiService>;
  readonly #definitions: Informer<Definition>;
  readonly #apiServices: Informer<ApiService>;
  readonly #queue: WorkQueue;
  readonly #marker: string;
  readonly #ambient: Ambient;
  readonly #desired: DesiredServices = new DesiredServices();
  readonly #ended: Promise<void>;
  #worked = 0;

  constructor({ client, ambient, onError = printErrors('controller of API services') }: ControllerOptions) {
    const { vocabulary } = ambient;
    this.#ambient = ambient;
    this.#marker = `kube-aggregator.${vocabulary.labelDomain}/automanaged`;
    this.#services = client.resource({
      group: groupName(vocabulary, 'apiregistration.'),
      version: 'v1',
      resource: 'apiservices',
      kind: 'APIService',
    });
    const definitions = client.resource<Definition>({
      group: groupName(vocabulary, 'apiextensions.'),
      version: 'v1',
      resource: 'customresourcedefinitions',
      kind: 'CustomResourceDefinition',
    });
    this.#queue = createWorkQueue<string>({ ambient });
    this.#definitions = createInformer(definitions, { onError });
    this.#apiServices = createInformer(this.#services, { onError });
    const consider = (before: Definition | undefined, definition: Definition | undefined): void => {
      for (const name of this.#desired.replace(before, definition)) this.#queue.add(name);
    };
    this.#definitions.addHandler({
      added: (definition) => consider(undefined, definition),
      updated: (definition, previous) => consider(previous, definition),
      deleted: (definition) => consider(definition, undefined),
    });
    const check = ({ metadata }: ApiService): void => this.#queue.add(metadata.name ?? '');
    this.#apiServices.addHandler({ added: check, updated: check, deleted: check });
    this.#ended = this.#queue.run((name) => this.#work(name), { workers: 1, onError });
  }

  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all([this.#definitions.close(), this.#apiServices.close(), this.#ended]);
  }

  async #work(name: string): Promise<undefined> {
    // before everything is known, what is not there might be yet to come
    await Promise.all([this.#definitions.synced, this.#apiServices.synced]);
    await unlessOvertaken(() => this.#write(name, this.#apiServices.get('', name), this.#desired.get(name)));
    if (++this.#worked % STRIDE === 0) await pause(this.#ambient);
    return undefined;
  }

  async #write(name: string, service: ApiService | undefined, spec: JsonValue | undefined): Promise<void> {
    const isOurs = service?.metadata.labels?.[this.#marker] === 'true';
    if (!spec) {
      if (isOurs) await this.#services.delete(name);
    } else if (!service) {
      await this.#services.create({ metadata: { name, labels: { [this.#marker]: 'true' } }, spec });
    } else if (isOurs && !jsonEqual(service.spec, spec)) {
      await this.#services.update({ ...service, spec });
    }
  }
}
