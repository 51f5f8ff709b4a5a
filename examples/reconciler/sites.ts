import { defineResource, type ObjectOf } from '@ashlar/apis';
import { z } from 'zod';

/** A site. The controller claims its domain, keeps its page in a ConfigMap and says in the status how it stands. */
export const sites = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  spec: z.object({ domain: z.string().regex(/^[a-z0-9.-]+$/), title: z.string().min(1) }),
  status: z.object({
    observedGeneration: z.int(),
    phase: z.enum(['Ready', 'Refused']),
    domain: z.string().optional(),
    message: z.string().optional(),
  }),
  columns: [
    { name: 'Domain', cell: ({ spec }) => spec.domain },
    { name: 'Phase', cell: ({ status }) => status?.phase ?? '' },
  ],
});

export type Site = ObjectOf<typeof sites>;

/** Held until the domain of a deleted site is released. */
export const FINALIZER = 'example.com/domain';
/** The label of a ConfigMap that names its site. */
export const SITE_LABEL = 'example.com/site';
/** Milliseconds after which a domain that another site has is asked for again. */
export const PATIENCE = 60_000;

/** What the page of a site says. */
export const pageOf = ({ title, domain }: Site['spec']): string => `<h1>${title}</h1> at ${domain}`;
