import { type Client, createInformer, createWorkQueue, keyOf, parseKey } from '@ashlar/client';
import { type Ambient, ownerReferenceTo, StatusError } from '@ashlar/core';
import { orders as definition, type Order } from './orders.ts';

/** Gives each order a parcel, a ConfigMap that goes with it, until it is disposed. */
export function createOrderController(client: Client, ambient: Pick<Ambient, 'clock'>): AsyncDisposable {
  const orders = client.resource(definition);
  const parcels = client.resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' });
  const queue = createWorkQueue({ ambient });
  const informer = createInformer(orders);
  const consider = (order: Order): void => queue.add(keyOf(order));
  informer.addHandler({ added: consider, updated: consider });

  async function pack(order: Order): Promise<string> {
    const { namespace = '', name = '' } = order.metadata;
    const parcel = `parcel-${name}`;
    const ownerReferences = [ownerReferenceTo(order, { controller: true })];
    const data = Object.fromEntries(order.spec.items.map(({ sku, count }) => [sku, String(count)]));
    await parcels
      .namespace(namespace)
      .apply({ metadata: { name: parcel, ownerReferences }, data }, { fieldManager: 'shop', force: true });
    return parcel;
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = parseKey(key);
    const order = informer.get(namespace, name);
    if (!order || order.status || order.metadata.deletionTimestamp) return;
    const parcel = await pack(order);
    await orders.namespace(namespace).status.update({ ...order, status: { phase: 'Packed', parcel } });
  }

  const ended = queue.run((key) =>
    reconcile(key).catch((error: unknown) => {
      // the order is gone, or was written meanwhile: then the informer adds it again
      if (!StatusError.is(error, 'NotFound') && !StatusError.is(error, 'Conflict')) throw error;
    }),
  );
  return {
    async [Symbol.asyncDispose]() {
      queue.close();
      await Promise.all([informer.close(), ended]);
    },
  };
}
