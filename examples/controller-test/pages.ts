import { defineResource, type ObjectOf } from '@ashlar/apis';
import { z } from 'zod';

/** A page. The controller renders it into a ConfigMap and updates the status. */
export const pages = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Page',
  spec: z.object({ title: z.string().min(1), body: z.string().default('') }),
  status: z.object({ renderedGeneration: z.int() }),
  columns: [
    { name: 'Title', cell: ({ spec }) => spec.title },
    { name: 'Rendered', type: 'boolean', cell: (page) => isRendered(page) },
  ],
});

export type Page = ObjectOf<typeof pages>;

/** Whether the status is up to date with the spec. */
export const isRendered = ({ metadata, status }: Pick<Page, 'metadata' | 'status'>): boolean =>
  status !== undefined && status.renderedGeneration === metadata.generation;
