import { type ApiObject, andThen, type MaybePromise } from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRounds } from './admission-request.ts';
import { explainedDenial, refusedBy } from './explain-denial.ts';
import type { StepWatch } from './step-watch.ts';

/** Calls mutating plugins in order, all of them once more if one requests it, and the last ones once after that. */
export function admitInRounds(
  plugins: readonly AdmissionPlugin[],
  last: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  watch: StepWatch | undefined,
): MaybePromise<ApiObject | undefined> {
  const rounds = new Rounds();
  const admitted = andThen(admitAll(plugins, request, rounds, watch), (object) => {
    if (!rounds.isRequested) return object;
    rounds.round = 1;
    return admitAll(plugins, withObject(request, object), rounds, watch);
  });
  return andThen(admitted, (object) => admitAll(last, withObject(request, object), rounds, watch));
}

const withObject = (request: AdmissionRequest, object: ApiObject | undefined): AdmissionRequest =>
  object === request.object ? request : { ...request, object };

/** Most plugins answer at once: nothing is waited for then. The rest of the chain follows one that does not. */
function admitAll(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  rounds: AdmissionRounds,
  watch: StepWatch | undefined,
  first = 0,
  changed: ApiObject | undefined = request.object,
): MaybePromise<ApiObject | undefined> {
  let object = changed;
  for (let index = first; index < plugins.length; index++) {
    const plugin = plugins[index] as AdmissionPlugin;
    const current = withObject(request, object);
    if (!plugin.handles(current)) continue;
    const response = admitted(plugin, current, rounds, watch);
    if (response instanceof Promise) {
      const before = object;
      return observed(plugin, request, watch, response).then((after) =>
        admitAll(plugins, request, rounds, watch, index + 1, after ?? before),
      );
    }
    watch?.pluginDone(plugin, false);
    object = response ?? object;
  }
  return object;
}

/** Calls validating plugins in order. */
export function validateAll(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  watch: StepWatch | undefined,
  first = 0,
): MaybePromise<void> {
  for (let index = first; index < plugins.length; index++) {
    const plugin = plugins[index] as AdmissionPlugin;
    if (!plugin.handles(request)) continue;
    const response = validated(plugin, request, watch);
    if (response instanceof Promise)
      return observed(plugin, request, watch, response).then(() =>
        validateAll(plugins, request, watch, index + 1),
      );
    watch?.pluginDone(plugin, false);
  }
}

/** @throws what the plugin throws, with its name */
function admitted(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  rounds: AdmissionRounds,
  watch: StepWatch | undefined,
): MaybePromise<ApiObject | undefined> {
  try {
    return plugin.admit?.(request, rounds);
  } catch (error) {
    throw failed(plugin, request, watch, error);
  }
}

/** @throws what the plugin throws, with its name */
function validated(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  watch: StepWatch | undefined,
): MaybePromise<void> {
  try {
    return plugin.validate?.(request);
  } catch (error) {
    throw failed(plugin, request, watch, error);
  }
}

/** Measures a plugin that others wait for, and names it in its errors. */
function observed<T>(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  watch: StepWatch | undefined,
  response: Promise<T>,
): Promise<T> {
  return response.then(
    (result) => {
      watch?.pluginDone(plugin, false);
      return result;
    },
    (error: unknown) => {
      throw failed(plugin, request, watch, error);
    },
  );
}

function failed(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  watch: StepWatch | undefined,
  error: unknown,
): unknown {
  watch?.pluginDone(plugin, true);
  return namingPlugin(plugin, request, error);
}

const namingPlugin = ({ name }: AdmissionPlugin, request: AdmissionRequest, error: unknown): unknown =>
  explainedDenial(request, error, () => [refusedBy('AdmissionPlugin', name)]);

class Rounds implements AdmissionRounds {
  round: 0 | 1 = 0;
  isRequested = false;
  #memory: Map<AdmissionPlugin, unknown> | undefined;

  again(): void {
    this.isRequested = true;
  }

  remember(plugin: AdmissionPlugin, value: unknown): void {
    this.#memory ??= new Map();
    this.#memory.set(plugin, value);
  }

  remembered(plugin: AdmissionPlugin): unknown {
    return this.#memory?.get(plugin);
  }
}
