import type { ApiObject } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { z } from 'zod';
import { defineResource } from './define-resource.ts';
import type { NewObjectOf, ObjectOf } from './typed-resource.ts';

/** Whether two types are equal. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const certain = <T extends true>(): T | undefined => undefined;

const widgets = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ size: z.int().default(1), color: z.enum(['red', 'blue']).optional() }),
  status: z.object({ ready: z.boolean() }),
  columns: [
    { name: 'Size', cell: ({ spec }) => spec.size },
    // @ts-expect-error the status may be absent
    { name: 'Ready', cell: ({ status }) => status.ready },
    // @ts-expect-error the spec has no such field
    { name: 'Weight', cell: ({ spec }) => spec.weight },
  ],
  validate: (object, stored) => {
    certain<Same<typeof object.spec.size, number>>();
    certain<Same<typeof stored, ObjectOf<typeof widgets> | undefined>>();
    return [];
  },
});

type Widget = ObjectOf<typeof widgets>;
type NewWidget = NewObjectOf<typeof widgets>;

certain<Same<Widget['spec'], { size: number; color?: 'red' | 'blue' | undefined }>>();
certain<Same<NonNullable<Widget['status']>, { ready: boolean }>>();
certain<Same<Widget['metadata'], ApiObject['metadata']>>();
certain<Widget extends ApiObject ? true : false>();

/** Members with defaults are optional in submitted objects, not in stored ones. */
const submitted: NewWidget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a' },
  spec: {},
};
// @ts-expect-error the size is missing
const read: Widget = submitted;
// @ts-expect-error no such color
const green: NewWidget['spec'] = { color: 'green' };

/** Definitions of all types are assignable to the general one. */
const definitions: readonly ResourceDefinition[] = [widgets];

const plain = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Plain',
  spec: z.object({ text: z.string() }),
});
certain<Same<ObjectOf<typeof plain>['spec'], { text: string }>>();

void [definitions, green, read];
