import {
  defineMessage,
  identifier,
  integer,
  type MessageType,
  message,
  messages,
  text,
} from '../messages/protobuf-message.ts';
import { systemClock } from '../store/system-clock.ts';
import { EtcdConnection } from './etcd-connection.ts';
import type { EtcdMethod } from './etcd-methods.ts';

/** Calls a method of one member, without authentication. */
export async function callMember<Q, A>(url: string, method: EtcdMethod<Q, A>, request: Q): Promise<A> {
  const connection = await EtcdConnection.open(url, {
    clock: systemClock,
    tls: undefined,
    connectMilliseconds: 5000,
    keepAliveMilliseconds: 10_000,
    pingIntervalMilliseconds: 5000,
    pingTimeoutMilliseconds: 3000,
  });
  const options = { path: method.path, limit: 1 << 20, token: undefined, milliseconds: 5000, urgent: true };
  try {
    return method.response.decode(await connection.unary(options, method.request.encode(request)));
  } finally {
    connection.destroy();
  }
}

const nothing: MessageType<object> = defineMessage<object>('Nothing', {});

function method<Q, A>(path: string, request: MessageType<Q>, response: MessageType<A>): EtcdMethod<Q, A> {
  return { path: `/etcdserverpb.${path}`, request, response, repeatable: false };
}

interface Leadership {
  readonly header?: { readonly member: bigint };
  readonly leader: bigint;
}

/** The id of a member, and of its leader. */
export const leadershipMethod: EtcdMethod<object, Leadership> = method(
  'Maintenance/Status',
  nothing,
  defineMessage<Leadership>('StatusResponse', {
    header: message(
      1,
      defineMessage<{ readonly member: bigint }>('ResponseHeader', { member: identifier(2) }),
    ),
    leader: identifier(4),
  }),
);

interface Leases {
  readonly leases: readonly { readonly id: bigint }[];
}

/** All leases. */
export const leasesMethod: EtcdMethod<object, Leases> = method(
  'Lease/LeaseLeases',
  nothing,
  defineMessage<Leases>('LeaseLeasesResponse', {
    leases: messages(2, defineMessage<{ readonly id: bigint }>('LeaseStatus', { id: identifier(1) })),
  }),
);

interface Named {
  readonly name: string;
  readonly second?: string;
}

const named: MessageType<Named> = defineMessage<Named>('Named', { name: text(1), second: text(2) });

export const userAddMethod: EtcdMethod<Named, object> = method('Auth/UserAdd', named, nothing);
export const roleAddMethod: EtcdMethod<Named, object> = method('Auth/RoleAdd', named, nothing);
export const userGrantRoleMethod: EtcdMethod<Named, object> = method('Auth/UserGrantRole', named, nothing);
export const authEnableMethod: EtcdMethod<object, object> = method('Auth/AuthEnable', nothing, nothing);

interface Grant {
  readonly name: string;
  readonly permission: { readonly type: number; readonly key: string; readonly rangeEnd: string };
}

/** Type 2 allows reads and writes. */
export const roleGrantMethod: EtcdMethod<Grant, object> = method(
  'Auth/RoleGrantPermission',
  defineMessage<Grant>('AuthRoleGrantPermissionRequest', {
    name: text(1),
    permission: message(
      2,
      defineMessage<Grant['permission']>('Permission', { type: integer(1), key: text(2), rangeEnd: text(3) }),
    ),
  }),
  nothing,
);
