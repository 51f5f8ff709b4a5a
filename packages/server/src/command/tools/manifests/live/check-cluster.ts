import {
  type ConnectionOptions,
  createClient,
  isExpired,
  type ResourceClient,
  type SelectionOptions,
} from '@ashlar/client';
import {
  type ApiObject,
  apiVersionOf,
  errorMessage,
  type JsonObject,
  type Vocabulary,
  vocabularies,
} from '@ashlar/core';
import { type ListedResource, listedResources } from '../../cluster/listed-resources.ts';
import { checkText } from '../check-document.ts';
import { checkRelease } from '../check-releases.ts';
import type { FileFinding } from '../finding-report.ts';
import { objectFindings } from './object-findings.ts';

/** Objects of a page where only their metadata is read; releases of Helm are large, and read whole. */
const PAGE = 500;
const RELEASE_PAGE = 20;

/** How the labels and types of releases select them, by the resource in which Helm keeps them. */
const RELEASES: readonly (readonly [string, string, SelectionOptions])[] = [
  ['secrets', 'Secret', { fieldSelector: 'type=helm.sh/release.v1' }],
  ['configmaps', 'ConfigMap', { labelSelector: 'owner=helm' }],
];

/**
 * Checks all objects of a cluster that can be listed: who wrote them in versions that a release does not serve, and what the releases of Helm
 * in it contain. Nothing is written. What cannot be read is a finding, and the others go on.
 * @param vocabulary by default the one whose domain the groups of the cluster have
 */
export async function checkCluster(
  connection: ConnectionOptions,
  target: string,
  vocabulary?: Vocabulary,
): Promise<readonly FileFinding[]> {
  const findings: FileFinding[] = [];
  const failed = (file: string, error: unknown): void => {
    findings.push({ file, severity: 'error', message: `cannot be read: ${errorMessage(error)}` });
  };
  const client = createClient(connection);
  const resources = await listedResources(client, ({ apiVersion, error }) => failed(apiVersion, error));
  const check = { target, vocabulary: vocabulary ?? vocabularyOf(resources, connection.ambient.vocabulary) };
  const metadata = createClient({
    ...connection,
    headers: { ...connection.headers, accept: partial(check) },
  });
  const seen = new Set<string>();
  for (const resource of resources) {
    const place = [resource.resource, resource.group].filter(Boolean).join('.');
    const apiVersion = apiVersionOf(resource);
    try {
      for await (const object of objectsOf(metadata.resource(resource), PAGE)) {
        const { uid = '', namespace, name } = object.metadata;
        if (uid !== '' && seen.has(uid)) continue;
        seen.add(uid);
        const file = [place, namespace, name].filter(Boolean).join('/');
        const found = objectFindings({ object, apiVersion, kind: resource.kind }, check);
        findings.push(...found.map((finding) => ({ file, ...finding })));
      }
    } catch (error) {
      failed(place, error);
    }
  }
  for (const [resource, kind, selection] of RELEASES) {
    const ofHelm = client.resource({ group: '', version: 'v1', resource });
    try {
      for await (const object of objectsOf(ofHelm, RELEASE_PAGE, selection))
        findings.push(...releaseFindings({ ...object, kind }, resource, check));
    } catch (error) {
      failed(resource, error);
    }
  }
  return findings;
}

function releaseFindings(
  object: ApiObject,
  resource: string,
  check: { readonly target: string; readonly vocabulary: Vocabulary },
): readonly FileFinding[] {
  const { namespace, name } = object.metadata;
  const { findings } = checkRelease(object as unknown as JsonObject, (text) =>
    checkText(text, { ...check, fix: false }),
  );
  return findings.map((finding) => ({
    file: [resource, namespace, name].filter(Boolean).join('/'),
    ...finding,
  }));
}

/** Every object, page by page; if the version of the pages expires meanwhile, all at once. */
async function* objectsOf(
  resource: ResourceClient,
  limit: number,
  selection: SelectionOptions = {},
): AsyncGenerator<ApiObject> {
  try {
    yield* resource.all({ ...selection, limit });
  } catch (error) {
    if (!isExpired(error)) throw error;
    yield* (await resource.list(selection)).items;
  }
}

const partial = ({ vocabulary }: { readonly vocabulary: Vocabulary }): string =>
  `application/json;as=PartialObjectMetadataList;g=meta.${vocabulary.groupDomain};v=v1,application/json`;

/** The vocabulary of which most groups of a cluster have the domain. */
function vocabularyOf(resources: readonly ListedResource[], otherwise: Vocabulary): Vocabulary {
  return (
    Object.values(vocabularies).find(({ groupDomain }) =>
      resources.some(({ group }) => group.startsWith('coordination.') && group.endsWith(`.${groupDomain}`)),
    ) ?? otherwise
  );
}
