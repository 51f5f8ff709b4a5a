import { authorizerValue, type Bindings, requestResourceValue, Suspension, type Value } from '@ashlar/cel';
import type { ApiObject, Authorizer, JsonObject, Vocabulary } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import { type ReviewedObjects, reviewRequest } from '../webhooks/admission-review.ts';

/** What the variables of expressions are read from, besides the request. */
export interface BindingsEnvironment {
  readonly vocabulary: Vocabulary;
  readonly authorizer: Authorizer;
  /** Reads the namespace of the request, for `namespaceObject`; undefined if it has none. */
  namespace(): Promise<ApiObject | undefined>;
}

/** What expressions read of one request in one version. Each part is made when it is first read. */
export class RequestValues {
  readonly request: AdmissionRequest;
  readonly objects: ReviewedObjects;
  readonly #environment: BindingsEnvironment;
  #review: JsonObject | undefined;
  #namespace: Value | undefined;
  #authorizer: Value | undefined;
  #requestResource: Value | undefined;

  constructor(request: AdmissionRequest, objects: ReviewedObjects, environment: BindingsEnvironment) {
    this.request = request;
    this.objects = objects;
    this.#environment = environment;
  }

  /** The request as reviews show it, without uid. */
  get review(): JsonObject {
    this.#review ??= reviewRequest(this.request, this.objects, this.#environment.vocabulary);
    return this.#review;
  }

  /** Null without a namespace. @throws Suspension until it has been read */
  get namespaceObject(): Value {
    if (this.#namespace !== undefined) return this.#namespace;
    throw new Suspension(
      this.#environment.namespace().then((namespace) => {
        this.#namespace = namespace ? namespaceValue(namespace) : null;
      }),
    );
  }

  get authorizer(): Value {
    const { vocabulary, authorizer } = this.#environment;
    this.#authorizer ??= authorizerValue(vocabulary, authorizer, this.request.user);
    return this.#authorizer;
  }

  get requestResource(): Value {
    const { resource, subresource, namespace, name, user } = this.request;
    const { vocabulary, authorizer } = this.#environment;
    this.#requestResource ??= requestResourceValue(vocabulary, authorizer, user, {
      ...{ apiGroup: resource.group, resource: resource.resource, subresource, namespace, name },
    });
    return this.#requestResource;
  }
}

/** The parts of a namespace that expressions may read. */
function namespaceValue({ metadata, ...object }: ApiObject): Value {
  const { spec, status } = object as { readonly spec?: Value; readonly status?: Value };
  const { uid, managedFields: _, ...rest } = metadata;
  const shown = { ...rest, ...(uid !== undefined && { uid, UID: uid }) };
  return { metadata: shown, ...(spec && { spec }), ...(status && { status }) } as unknown as Value;
}

/** The variables of one expression: those of the request, and what the policy adds. */
export class RequestBindings {
  readonly #values: RequestValues;
  /** The parameters; null if there are none. */
  readonly params: Value;
  readonly variables: Value | undefined;
  readonly #mayAuthorize: boolean;

  private constructor(
    values: RequestValues,
    params: Value,
    variables: Value | undefined,
    mayAuthorize: boolean,
  ) {
    this.#values = values;
    this.params = params;
    this.variables = variables;
    this.#mayAuthorize = mayAuthorize;
  }

  /** @param mayAuthorize whether expressions may use the authorizer: those of messages may not */
  static of(values: RequestValues, params: Value, variables?: Value, mayAuthorize: boolean = true): Bindings {
    return new RequestBindings(values, params, variables, mayAuthorize) as unknown as Bindings;
  }

  get object(): unknown {
    return this.#values.objects.object ?? null;
  }
  get oldObject(): unknown {
    return this.#values.objects.oldObject ?? null;
  }
  get request(): JsonObject {
    return this.#values.review;
  }
  get namespaceObject(): Value {
    return this.#values.namespaceObject;
  }
  get authorizer(): Value | undefined {
    return this.#mayAuthorize ? this.#values.authorizer : undefined;
  }
  get 'authorizer.requestResource'(): Value | undefined {
    return this.#mayAuthorize ? this.#values.requestResource : undefined;
  }
}
