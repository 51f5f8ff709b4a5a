import type { ResourceDefinition } from '@ashlar/registry';
import { builtInType } from '../../types/built-in-type.ts';
import { bindingSchema } from '../shapes/core/pod-actions.ts';
import { podBinding } from './pod-binding.ts';

/** Bindings at the path of their namespace, which do what `pods/<name>/binding` does, for schedulers that still use them. */
export function bindings(): ResourceDefinition {
  return builtInType({
    group: '',
    kind: 'Binding',
    plural: 'bindings',
    scope: 'Namespaced',
    version: { schema: bindingSchema },
    strategy: {},
    storage: {},
    createsAction: { plural: 'pods', action: podBinding.name },
  });
}
