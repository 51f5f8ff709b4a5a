import { createInformer, createWorkQueue, type Informer, type ResourceClient } from '@ashlar/client';
import { type ApiObject, groupName, type JsonValue, jsonEqual, printErrors } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOf } from '../loop/controller.ts';
import { unlessOvertaken } from '../loop/unless-overtaken.ts';

interface Definition extends ApiObject {
  readonly spec: {
    readonly group: string;
    readonly versions?: readonly { readonly name: string; readonly served: boolean }[] | null;
  };
}

interface ApiService extends ApiObject {
  readonly spec: JsonValue;
}

/** Priorities of the groups and versions of custom resources; versions are ordered by their names (semantics/discovery#aggregation). */
const GROUP_PRIORITY = 1000;
const VERSION_PRIORITY = 100;

/** // until everything is loaded, missing definitions might still appear */
export function createApiServiceController(options: ControllerOptions): Controller {
  return controllerOf(() => new ApiServiceRegistration(options));
}

class ApiServiceRegistration {
  readonly #services: ResourceClient<ApiService>;
  readonly #definitions: Informer<Definition>;
  readonly #apiServices: Informer<ApiService>;
  readonly #queue: ReturnType<typeof createWorkQueue<string>>;
  readonly #marker: string;
  readonly #ended: Promise<void>;

  constructor({ client, ambient, onError = printErrors('controller of API services') }: ControllerOptions) {
    const { vocabulary } = ambient;
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
    const consider = (definition: Definition): void => {
      for (const name of namesOf(definition)) this.#queue.add(name);
    };
    this.#definitions.addHandler({
      added: consider,
      updated: (definition, previous) => [previous, definition].forEach(consider),
      deleted: consider,
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
    await unlessOvertaken(() => this.#write(name, this.#apiServices.get('', name), this.#desiredSpec(name)));
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

  /** Returns the desired API service of that name; undefined if no definition has the version. */
  #desiredSpec(name: string): JsonValue | undefined {
    for (const definition of this.#definitions.list()) {
      const { group, versions } = definition.spec;
      const version = versions?.find((each) => each.served && serviceName(each.name, group) === name);
      if (version)
        return {
          group,
          version: version.name,
          groupPriorityMinimum: GROUP_PRIORITY,
          versionPriority: VERSION_PRIORITY,
        };
    }
    return undefined;
  }
}

const serviceName = (version: string, group: string): string => `${version}.${group}`;

const namesOf = ({ spec }: Definition): readonly string[] =>
  (spec.versions ?? []).map(({ name }) => serviceName(name, spec.group));
