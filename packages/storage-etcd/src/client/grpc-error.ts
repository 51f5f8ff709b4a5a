/** Status codes of gRPC that etcd uses. */
export const GrpcCode = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** A failed call: an error of etcd or of the connection. */
export class GrpcError extends Error {
  override readonly name: string = 'GrpcError';
  readonly code: number;
  /** The call certainly had no effect: it never reached etcd, or was rejected unread. */
  readonly unprocessed: boolean;

  constructor(
    code: number,
    message: string,
    { unprocessed = false, cause }: { readonly unprocessed?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.unprocessed = unprocessed;
  }

  /** Whether an error has that code, and that text if given. */
  static is(error: unknown, code: number, text?: string): error is GrpcError {
    return (
      error instanceof GrpcError && error.code === code && (text === undefined || error.message === text)
    );
  }
}

/** The headers or trailers at the end of a call. */
export type StatusHeaders = Readonly<Record<string, string | readonly string[] | number | undefined>>;

/** The error in the trailers; undefined for success. */
export function errorOfTrailers(headers: StatusHeaders): GrpcError | undefined {
  const status = Number(headers['grpc-status']);
  if (status === GrpcCode.ok) return undefined;
  const text = percentDecoded(String(headers['grpc-message'] ?? ''));
  return new GrpcError(Number.isInteger(status) ? status : GrpcCode.unknown, text || `gRPC status ${status}`);
}

/** gRPC escapes all but printable ASCII as `%XX`; invalid escapes stay unchanged. */
function percentDecoded(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

/** Value of the header `grpc-timeout`: at most eight digits. */
export function timeoutText(milliseconds: number): string {
  const whole = Math.max(1, Math.ceil(milliseconds));
  return whole < 1e8 ? `${whole}m` : `${Math.min(99_999_999, Math.ceil(whole / 1000))}S`;
}
