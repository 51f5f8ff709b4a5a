/** Status codes of gRPC, as far as etcd gives them. */
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

/** A call that did not succeed: what etcd says, or what the way to it has done. */
export class GrpcError extends Error {
  override readonly name: string = 'GrpcError';
  readonly code: number;
  /** It is certain that nothing has come of the call: it never reached etcd, or was turned away unread. */
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

  /** Whether an error is one with that code, and that text where one is given. */
  static is(error: unknown, code: number, text?: string): error is GrpcError {
    return (
      error instanceof GrpcError && error.code === code && (text === undefined || error.message === text)
    );
  }
}

/** The headers or trailers that a call ends with. */
export type StatusHeaders = Readonly<Record<string, string | readonly string[] | number | undefined>>;

/** The error that the last headers tell of; undefined if they tell of success. */
export function errorOfTrailers(headers: StatusHeaders): GrpcError | undefined {
  const status = Number(headers['grpc-status']);
  if (status === GrpcCode.ok) return undefined;
  const text = percentDecoded(String(headers['grpc-message'] ?? ''));
  return new GrpcError(Number.isInteger(status) ? status : GrpcCode.unknown, text || `gRPC status ${status}`);
}

/** gRPC writes all but printable ASCII as `%XX`; what cannot be decoded stays as it is. */
function percentDecoded(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

/** Time for the header `grpc-timeout`: at most eight digits. */
export function timeoutText(milliseconds: number): string {
  const whole = Math.max(1, Math.ceil(milliseconds));
  return whole < 1e8 ? `${whole}m` : `${Math.min(99_999_999, Math.ceil(whole / 1000))}S`;
}
