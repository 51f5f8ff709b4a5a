import { type Ambient, type ApiObject, apiVersionOf, type JsonValue, type Steps } from '@ashlar/core';
import {
  compileKindFieldType,
  FieldManager,
  type FieldPath,
  fieldPath,
  fromScaleManagedFieldsSteps,
  type ReplicasPaths,
  toScaleManagedFields,
} from '@ashlar/field-manager';
import { type ResourceDefinition, viewsOf } from '../definition/resource-definition.ts';
import type { ViewSubresource } from '../definition/subresource-kinds.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';

/**
 * Tracks the owners of the replicas through the scale of an object: there they own `spec.replicas`, whatever its path is in the
 * object (semantics/apply#reset-fields).
 */
export class ScaleOwnership {
  readonly #apiVersion: string;
  readonly #view: ViewSubresource;
  readonly #paths: ReplicasPaths;
  readonly #manager: FieldManager;

  constructor(
    definition: ResourceDefinition,
    version: string,
    view: ViewSubresource,
    { clock, vocabulary }: Pick<Ambient, 'clock' | 'vocabulary'>,
  ) {
    const type = compileKindFieldType(view.schema);
    const viewVersion = apiVersionOf(view);
    this.#apiVersion = apiVersionOf({ group: definition.group, version });
    this.#view = view;
    this.#paths = replicasPaths(definition, view.name);
    this.#manager = new FieldManager({
      kind: { group: view.group, version: view.version, kind: view.kind },
      subresource: view.name,
      versions: {
        typeOf: (apiVersion) => (apiVersion === viewVersion ? type : undefined),
        convert: (object) => object,
      },
      clock,
      vocabulary,
    });
  }

  /** Returns a changed object with its managed fields. */
  *updateSteps(live: ApiObject, next: ApiObject, manager: string): Steps<ApiObject> {
    const options = { manager, isSmall: true };
    const written = yield* this.#manager.updateSteps(this.#show(live), this.#show(next), options);
    return yield* this.settleSteps(live, next, written);
  }

  /**
   * Returns the scale with an applied configuration merged, not yet defaulted.
   * @throws StatusError 400, 409
   */
  applySteps(
    live: ApiObject,
    configuration: JsonValue,
    options: { readonly manager: string; readonly force: boolean },
  ): Steps<ApiObject> {
    return this.#manager.applySteps(this.#show(live), configuration, { ...options, isSmall: true });
  }

  /** Returns a changed object whose replicas have the owners that a scale has. */
  *settleSteps(live: ApiObject, next: ApiObject, { metadata }: ApiObject): Steps<ApiObject> {
    const managedFields = yield* fromScaleManagedFieldsSteps(
      live.metadata.managedFields,
      metadata.managedFields,
      this.#apiVersion,
      this.#paths,
    );
    return withCanonicalMetadata(next, { managedFields });
  }

  #show(object: ApiObject): ApiObject {
    const shown = (this.#view.viewForUpdate ?? this.#view.view)(object);
    const managedFields = toScaleManagedFields(object.metadata.managedFields, this.#paths);
    return withCanonicalMetadata(shown, { managedFields });
  }
}

/** The paths of the replicas by version; null for a version without this view. */
function replicasPaths(definition: ResourceDefinition, viewName: string): ReplicasPaths {
  return Object.fromEntries(
    definition.versions.map((version): [string, FieldPath | null] => {
      const found = viewsOf(definition, version).find(({ name }) => name === viewName);
      const path = found?.replicasPath ? fieldPath(...found.replicasPath) : null;
      return [apiVersionOf({ group: definition.group, version: version.name }), path];
    }),
  );
}
