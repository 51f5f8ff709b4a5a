import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Attack, SizedAttack, Target } from '../../attack.ts';
import { DEFINITIONS, definitionOf } from '../../bodies.ts';
import { isServed } from '../../custom-types.ts';
import { createMany } from '../../repeated.ts';
import { authorityOf, startBeside } from '../../served-beside.ts';

const ITEMS = 40;

interface Review {
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly object[];
  };
}

/** What a webhook makes of objects. */
type Convert = (object: object) => object;

/** A webhook that converts, until the attacks have ended. @returns its part of a definition */
async function webhookOf(target: Target, convert: Convert): Promise<object> {
  const server = await startBeside(target, async (incoming, outgoing) => {
    const { request } = (await json(incoming)) as Review;
    const convertedObjects = request.objects.map((object) => ({
      ...convert(object),
      apiVersion: request.desiredAPIVersion,
    }));
    const response = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(
      JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response }),
    );
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  const clientConfig = { url: `https://localhost:${port}/`, caBundle: authorityOf(target) };
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
}

const pathOf = (plural: string, version: string): string =>
  `/apis/attack.example.com/${version}/namespaces/tenant/${plural}`;

/** Defines a kind of two versions, and waits until both are served. */
async function define(target: Target, plural: string, convert: Convert | undefined): Promise<void> {
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const definition = definitionOf(plural, schema) as { spec: { versions: readonly object[] } };
  const versions = definition.spec.versions.flatMap((version) => [
    version,
    { ...version, name: 'v2', storage: false },
  ]);
  const conversion = convert ? await webhookOf(target, convert) : { strategy: 'None' };
  await createMany(target, DEFINITIONS, [
    { ...definition, spec: { ...definition.spec, versions, conversion } },
  ]);
  await isServed(target, pathOf(plural, 'v2'));
}

/** Objects of a kind, each with some kilobytes, which are labelled by the sizes to which they belong. */
function objectsOf(plural: string, n: number): readonly object[] {
  return Array.from({ length: 4 * n }, (_, i) => ({
    apiVersion: 'attack.example.com/v1',
    kind: plural.charAt(0).toUpperCase() + plural.slice(1),
    metadata: {
      name: `a${i}`,
      labels: Object.fromEntries(
        [n, 2 * n, 4 * n].filter((size) => i < size).map((size) => [`of-${size}`, '']),
      ),
    },
    spec: { items: Array.from({ length: ITEMS }, (_each, j) => ({ a: j, b: 'x'.repeat(40) })) },
  }));
}

/** A list of n objects in another version than theirs. */
function converted(
  plural: string,
  sends: string,
  n: number,
  convert: Convert | undefined,
  more: Partial<SizedAttack> = {},
): SizedAttack {
  return {
    ...{ name: `a list of ${plural}`, sends, n, caller: 'tenant' },
    async prepare(target) {
      await define(target, plural, convert).catch((error) => {
        if (!String(error).includes(': 409')) throw error;
      });
      await createMany(target, pathOf(plural, 'v1'), objectsOf(plural, n)).catch((error) => {
        if (!String(error).includes(': 409')) throw error;
      });
    },
    request: (size) => ({ path: `${pathOf(plural, 'v2')}?labelSelector=of-${size}` }),
    bounds: { cpuMilliseconds: 500 },
    ...more,
  };
}

/** Lists of custom objects that have to be converted: about a megabyte of a thousand objects. */
export const attacks: readonly Attack[] = [
  converted('renamed', 'a list of objects that differ by their version only', 100, undefined),
  converted('reviewed', 'a list of objects that a webhook converts', 100, (object) => object),
  converted('enlarged', 'a list of objects that a webhook enlarges', 50, (object) => ({
    ...object,
    more: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, `${i}`])),
  })),
  converted('relabelled', 'a list of objects to which a webhook adds labels', 50, (object) => ({
    ...object,
    metadata: {
      ...(object as { metadata: object }).metadata,
      labels: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, `${i}`])),
    },
  })),
];
