import type { JsonObject, ServerRequest, ServerResponse, UserInfo } from '@ashlar/core';
import type { Query } from '../request/query.ts';

/** A request for another server, whose caller is authenticated and authorized. */
export interface ForwardedRequest {
  readonly request: ServerRequest;
  readonly user: UserInfo;
  readonly auditId: string;
  /** Decoded. */
  readonly path: string;
  readonly query: Query;
  /** Aborted when the caller disconnects, and when the time limit has passed without a response. */
  readonly signal: AbortSignal;
  /** Milliseconds that the request may take, with the body of its response; undefined for watches and the like. */
  readonly timeLimit: number | undefined;
}

/** Passes a request on, whatever the other server does: failures are answers. @throws the reason of the signal */
export type ForwardHandler = (request: ForwardedRequest) => Promise<ServerResponse>;

/** A version of a group, and its place in discovery. */
export interface RankedVersion {
  readonly group: string;
  readonly version: string;
  /** Versions of a group are sorted by it, the greatest first. */
  readonly versionPriority: number;
  /** Groups are sorted by that of their versions, the greatest first. */
  readonly groupPriority: number;
}

/** A version of a group that another server serves. */
export interface RegisteredVersion extends RankedVersion {
  /** Its resources as aggregated discovery shows them; undefined until they are known. */
  readonly resources: readonly JsonObject[] | undefined;
  /** Whether the other server was reached when it was asked last. */
  readonly isCurrent: boolean;
}

/** What another server publishes of its APIs. */
export interface PublishedApis {
  /** Its OpenAPI v2 document, and the path below which its paths belong here: `apis/example.com/v1`. */
  readonly v2?: { readonly document: JsonObject; readonly path: string };
  /** Addresses of its OpenAPI v3 documents by path, undefined until they are known. Where there are none, its v2 document is converted. */
  readonly v3?: ReadonlyMap<string, string>;
}

/** The versions that API services register for this server itself, whether it serves them or not. */
export interface OwnRegistrations {
  /** Grows with each change. */
  readonly generation: number;
  versions(): Iterable<RankedVersion>;
}

/** The APIs that other servers serve behind this one. */
export interface AggregatedApis {
  /** Grows with each change of what follows. */
  readonly generation: number;
  /** The server of a version; undefined if it is not registered. */
  handlerOf(group: string, version: string): ForwardHandler | undefined;
  /** The server of an OpenAPI v3 document; undefined if none publishes it. */
  handlerOfDocument(path: string): ForwardHandler | undefined;
  /** In the order in which versions of one group and priority are shown. */
  versions(): readonly RegisteredVersion[];
  published(): readonly PublishedApis[];
  /** Decides with `versions` which groups and versions plain discovery has, and in which order. */
  readonly own?: OwnRegistrations;
}
