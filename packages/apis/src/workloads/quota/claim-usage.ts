import {
  type ApiObject,
  groupName,
  parseQuantity,
  type Quantity,
  quantityOf,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceList } from '../pods/container-types.ts';
import type { QuotaUsage } from './resource-usage.ts';

interface CountedClaim extends ApiObject {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly resources?: { readonly requests?: ResourceList };
  };
  readonly status?: { readonly allocatedResources?: ResourceList };
}

const COUNT = 'persistentvolumeclaims';
const STORAGE = 'requests.storage';

/** Claims: their number and storage, in all and by storage class. */
export function claimUsage(vocabulary: Vocabulary): QuotaUsage {
  const byClass = `.storageclass.${groupName(vocabulary, 'storage.')}/`;
  const betaClass = `volume.beta.${vocabulary.labelDomain}/storage-class`;
  return {
    handles: ({ operation, subresource }) =>
      subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
    isCounted: (name) =>
      [COUNT, `count/${COUNT}`, STORAGE].includes(name) ||
      name.endsWith(byClass + COUNT) ||
      name.endsWith(byClass + STORAGE),
    of(object) {
      const { metadata, spec } = object as CountedClaim;
      const one = quantityOf(1n);
      const used = new Map([
        [COUNT, one],
        [`count/${COUNT}`, one],
      ]);
      const name = metadata.annotations?.[betaClass] ?? spec?.storageClassName;
      if (name) used.set(name + byClass + COUNT, one);
      const storage = storageOf(object as CountedClaim);
      if (!storage) return used;
      used.set(STORAGE, storage);
      if (name) used.set(name + byClass + STORAGE, storage);
      return used;
    },
  };
}

/** What is requested, or more that was allocated, in whole bytes. */
function storageOf({ spec, status }: CountedClaim): Quantity | undefined {
  const requested = roundedUp(spec?.resources?.requests?.storage);
  const allocated = roundedUp(status?.allocatedResources?.storage);
  return requested && allocated && allocated.compare(requested) > 0 ? allocated : requested;
}

const roundedUp = (text: string | undefined): Quantity | undefined =>
  text === undefined ? undefined : parseQuantity(text).roundUp(0).quantity;
