import type { Client } from '@ashlar/client';
import { type Ambient, type OwnerReference, timestampText } from '@ashlar/core';
import type { Ownership } from './ownership.ts';

const COMPONENT = 'garbage-collector-controller';
/** Events about cluster-scoped objects are stored here. */
const DEFAULT_NAMESPACE = 'default';

/** Records a warning that the owner of an object exists in another namespace only, so that the object cannot belong to it. */
export async function recordInvalidOwner(
  client: Client,
  { clock }: Pick<Ambient, 'clock'>,
  { apiVersion, kind, namespace, name, uid }: Ownership,
  owner: OwnerReference,
): Promise<void> {
  const now = clock.now();
  const time = timestampText(now);
  const owned = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  const events = client.resource({ group: '', version: 'v1', resource: 'events', kind: 'Event' });
  await events.namespace(namespace || DEFAULT_NAMESPACE).create({
    metadata: { name: `${name}.${(BigInt(now) * 1_000_000n).toString(16)}` },
    involvedObject: { kind, namespace, name, uid, apiVersion },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${owned} does not exist in namespace ${JSON.stringify(namespace)}`,
    source: { component: COMPONENT },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Warning',
    eventTime: null,
    reportingComponent: COMPONENT,
    reportingInstance: '',
  });
}
