import { defineResource, type ObjectOf } from '@ashlar/apis';
import { z } from 'zod';

/** What a customer wants. The controller packs it, and says so in the status. */
export const orders = defineResource({
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Order',
  spec: z.object({
    customer: z.email(),
    items: z
      .array(z.object({ sku: z.string().regex(/^[A-Z]{3}-\d+$/), count: z.int().min(1).default(1) }))
      .min(1),
    delivery: z.discriminatedUnion('by', [
      z.object({ by: z.literal('post'), address: z.string().min(1) }),
      z.object({ by: z.literal('pickup'), shop: z.enum(['north', 'south']) }),
    ]),
    note: z.string().trim().max(200).optional(),
  }),
  status: z.object({ phase: z.enum(['Packed']), parcel: z.string() }),
  columns: [
    { name: 'Customer', cell: ({ spec }) => spec.customer },
    {
      name: 'Items',
      type: 'integer',
      cell: ({ spec }) => spec.items.reduce((sum, { count }) => sum + count, 0),
    },
    { name: 'Phase', cell: ({ status }) => status?.phase ?? '' },
    { name: 'Age', type: 'date', cell: ({ metadata }) => metadata.creationTimestamp ?? '' },
  ],
});

export type Order = ObjectOf<typeof orders>;
