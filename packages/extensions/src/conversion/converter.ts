import type { ServiceResolver } from '@ashlar/admission';
import { type Ambient, type ApiObject, type MaybePromise, runInSlices, type Transport } from '@ashlar/core';
import type { ObjectConverter } from '@ashlar/registry';
import { type CustomResourceDefinition, versionsOf } from '../definitions/custom-resource-definition.ts';
import type { ConversionMetrics } from './conversion-metrics.ts';
import { acceptConvertedSteps, converterError, converterName } from './converted-objects.ts';
import { createWebhookConverter } from './webhook-converter.ts';

/**
 * Converts objects of a type to another version, in the same order. The result may differ from the input in
 * everything but name, namespace, uid and kind; of the metadata in labels and annotations only.
 */
export type ConvertObjects = (
  definition: CustomResourceDefinition,
  objects: readonly ApiObject[],
  apiVersion: string,
) => MaybePromise<readonly ApiObject[]>;

export interface ConverterOptions {
  readonly ambient: Ambient;
  /** Calls webhooks; without it requests that need one fail. */
  readonly transport?: Transport | undefined;
  /** Where services are reached; default: at their DNS names. */
  readonly resolveService?: ServiceResolver | undefined;
  /** Converts in this process, instead of the webhooks of definitions. */
  readonly convert?: ConvertObjects | undefined;
  /** Counts what webhooks convert. */
  readonly metrics?: ConversionMetrics | undefined;
}

/**
 * Returns the converter of a definition (semantics/lifecycle#conversion); undefined if its versions differ in
 * their name only.
 */
export function createConverter(
  definition: CustomResourceDefinition,
  options: ConverterOptions,
): ObjectConverter | undefined {
  const { ambient, transport, resolveService, convert, metrics } = options;
  if (definition.spec.conversion?.strategy !== 'Webhook' || versionsOf(definition).length < 2)
    return undefined;
  return convert
    ? inProcess(definition, convert, ambient)
    : createWebhookConverter(definition, { ambient, transport, resolveService, metrics });
}

function inProcess(
  definition: CustomResourceDefinition,
  convert: ConvertObjects,
  ambient: Ambient,
): ObjectConverter {
  return {
    async convert(objects, apiVersion) {
      const [first] = objects;
      if (!first) return [];
      const name = converterName('conversion', first);
      try {
        const converted = await convert(definition, objects, apiVersion);
        return await runInSlices(acceptConvertedSteps(name, objects, converted, apiVersion), ambient);
      } catch (error) {
        throw converterError(name, error);
      }
    },
  };
}
