import type { ConfiguredLevel, ConfiguredSchema } from './flow-objects.ts';

/** The objects that configure flow control. */
export interface FlowConfiguration {
  readonly schemas: readonly ConfiguredSchema[];
  readonly levels: readonly ConfiguredLevel[];
}

/** Adds objects that are missing by name: those without which requests could have no class. */
export function withMandatory(
  { schemas, levels }: FlowConfiguration,
  mandatory: FlowConfiguration,
): FlowConfiguration {
  return { schemas: withMissing(schemas, mandatory.schemas), levels: withMissing(levels, mandatory.levels) };
}

function withMissing<T extends ConfiguredSchema | ConfiguredLevel>(
  objects: readonly T[],
  needed: readonly T[],
): readonly T[] {
  const names = new Set(objects.map(({ metadata }) => metadata.name));
  return [...objects, ...needed.filter(({ metadata }) => !names.has(metadata.name))];
}
