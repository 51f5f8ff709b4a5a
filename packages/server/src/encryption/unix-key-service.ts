import type { Clock } from '@ashlar/core';
import {
  createKeyServiceClient,
  type KeyService,
  KeyServiceError,
  type KmsProvider,
} from '@ashlar/encryption';
import type { SocketCalls } from '@ashlar/storage-etcd';

/** A key service behind a Unix socket; disposed with the server. */
export interface UnixKeyService extends KeyService {
  [Symbol.dispose](): void;
}

/** Connects to the plugin of a `kms` provider, when it is first called. Calls fail with a {@link KeyServiceError}. */
export function connectUnixKeyService({ endpoint, timeout }: KmsProvider, clock: Clock): UnixKeyService {
  const milliseconds = Math.max(1, Number(timeout / 1_000_000n));
  const path = socketPath(endpoint);
  let calls: SocketCalls | undefined;
  const service = createKeyServiceClient(async (method, request) => {
    // loaded when it is needed, because it needs gRPC
    const { grpcStatusOf, SocketCalls } = await import('@ashlar/storage-etcd');
    calls ??= new SocketCalls({ path, clock, milliseconds });
    try {
      return await calls.call(method, request);
    } catch (error) {
      const status = grpcStatusOf(error);
      throw new KeyServiceError(
        `rpc error: code = ${status} desc = ${(error as Error).message}`,
        status,
        error,
      );
    }
  });
  return { ...service, [Symbol.dispose]: () => calls?.[Symbol.dispose]() };
}

/** `unix:///run/kms.sock`, or `unix:///@name` for an abstract socket. */
function socketPath(endpoint: string): string {
  const { pathname } = new URL(endpoint);
  const path = decodeURIComponent(pathname);
  return path.startsWith('/@') ? `\0${path.slice(2)}` : path;
}
