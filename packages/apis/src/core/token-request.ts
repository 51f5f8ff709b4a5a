import type { ServiceAccountClaims, ServiceAccountTokenIssuer } from '@ashlar/authn';
import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  goQuote,
  groupName,
  ownMember,
  parseApiVersion,
  requireNameParameter,
  StatusError,
  timestampText,
  type Vocabulary,
} from '@ashlar/core';
import {
  type ActionEnvironment,
  type ActionObjects,
  type ActionSubresource,
  objectOf,
  type RequestContext,
  withCanonicalMetadata,
  withoutSystemMetadata,
} from '@ashlar/registry';
import { kindSchema } from '../types/kind-schema.ts';
import { atomic, int64, optional, printed, string, time, type } from '../types/schema-fields.ts';
import { part, textOf, texts, withDefault } from '../workloads/shape-fields.ts';

/** Options of issuing service account tokens. */
export interface TokenRequestOptions {
  readonly issuer: ServiceAccountTokenIssuer;
  /** Default audiences of tokens: those of the server. */
  readonly apiAudiences: readonly string[];
  /** Maximum validity of a token, in seconds; longer requests are shortened. */
  readonly maxExpirationSeconds?: number;
  /** Whether automatically mounted tokens are valid for a year, and their use after an hour is recorded; default true. */
  readonly extendsMounted?: boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

interface BoundReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface TokenRequestSpec {
  readonly audiences?: readonly string[] | null;
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: BoundReference | null;
}

interface TokenRequest extends ApiObject {
  readonly spec?: TokenRequestSpec;
}

const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;
const ORDINARY_SECONDS = 3_600;
/** Expiration of automatically mounted tokens; they are extended, and late use is recorded. */
const PROJECTED_SECONDS = 3_607;
const EXTENDED_SECONDS = 365 * 24 * 3_600;

const schema = kindSchema(
  'api.authentication.v1.TokenRequest',
  'Asks for a token of a service account.',
  {
    spec: printed(
      part(
        2,
        type(
          'api.authentication.v1.TokenRequestSpec',
          {
            audiences: printed(texts(1, atomic)),
            expirationSeconds: withDefault(optional(int64(4)), ORDINARY_SECONDS),
            boundObjectRef: {
              ...optional(
                part(
                  3,
                  type('api.authentication.v1.BoundObjectReference', {
                    kind: string(1),
                    apiVersion: string(2),
                    name: string(3),
                    uid: textOf(4, 'apimachinery.pkg.types.UID'),
                  }),
                ),
              ),
              alwaysPrinted: true,
            },
          },
          { required: ['audiences'] },
        ),
      ),
    ),
    status: printed(
      part(
        3,
        type(
          'api.authentication.v1.TokenRequestStatus',
          { token: printed(string(1)), expirationTimestamp: time(2) },
          { required: ['token', 'expirationTimestamp'] },
        ),
      ),
    ),
  },
  { required: ['spec'] },
);

/** The `token` subresource of service accounts: issues tokens (semantics/access#service-accounts). */
export function tokenRequest(vocabulary: Vocabulary, options: TokenRequestOptions): ActionSubresource {
  const group = groupName(vocabulary, 'authentication.');
  return {
    name: 'token',
    group,
    version: 'v1',
    kind: 'TokenRequest',
    schema,
    complete: withExpiration,
    prepare: (context, name, submitted, environment) =>
      new TokenExchange(context, environment, group, options).prepare(name, submitted),
    create: (context, name, prepared, environment) =>
      new TokenExchange(context, environment, group, options).answer(name, prepared),
  };
}

function withExpiration(request: TokenRequest): TokenRequest {
  const { expirationSeconds = ORDINARY_SECONDS } = request.spec ?? {};
  return { ...request, spec: { ...request.spec, expirationSeconds } };
}

class TokenExchange {
  readonly #context: RequestContext;
  readonly #environment: ActionEnvironment;
  readonly #group: string;
  readonly #options: TokenRequestOptions;

  constructor(
    context: RequestContext,
    environment: ActionEnvironment,
    group: string,
    options: TokenRequestOptions,
  ) {
    this.#context = context;
    this.#environment = environment;
    this.#group = group;
    this.#options = options;
  }

  /** Returns a request with all that it leaves to the server, which validating admission sees. @throws StatusError 404, 422 */
  async prepare(name: string, request: TokenRequest): Promise<TokenRequest> {
    const { namespace } = this.#context;
    await this.#read(this.#environment.related('', 'namespaces'), namespace);
    const { metadata, spec = {} } = request;
    if (metadata.name && metadata.name !== name) {
      const text = 'must match the service account name if specified';
      this.#refuse(name, [FieldErrors.invalid('metadata.name', metadata.name, text)]);
    }
    await this.#read(this.#environment.parent, name);
    const { boundObjectRef = null, expirationSeconds = ORDINARY_SECONDS } = spec;
    this.#refuse('', expirationErrors(expirationSeconds));
    const asked = spec.audiences ?? [];
    const audiences = asked.length > 0 ? asked : this.#options.apiAudiences;
    const creationTimestamp = timestampText(this.#issuedAt() * 1_000);
    return {
      ...withCanonicalMetadata(withoutSystemMetadata(request, namespace), { name, creationTimestamp }),
      spec: { audiences, expirationSeconds, boundObjectRef },
    };
  }

  /** @throws StatusError 400, 404, 409 */
  async answer(name: string, request: TokenRequest): Promise<ApiObject> {
    const { namespace } = this.#context;
    const account = await this.#read(this.#environment.parent, name);
    const { boundObjectRef, audiences: asked, expirationSeconds = ORDINARY_SECONDS } = request.spec ?? {};
    const audiences = asked ?? [];
    const bound = boundObjectRef ? await this.#bound(name, boundObjectRef) : {};
    const seconds = this.#shortened(expirationSeconds);
    const issuedAt = this.#issuedAt();
    const { extendsMounted = true, apiAudiences } = this.#options;
    const isForServer = audiences.every((audience) => apiAudiences.includes(audience));
    const isMounted = seconds === PROJECTED_SECONDS && bound.pod !== undefined && isForServer;
    const isExtended = extendsMounted && isMounted;
    const token = await this.#options.issuer.issue({
      namespace,
      serviceAccount: { name, uid: account.metadata.uid ?? '' },
      audiences,
      issuedAt,
      expiresAt: issuedAt + (isExtended ? EXTENDED_SECONDS : seconds),
      ...(isExtended && { warnAfter: issuedAt + seconds }),
      ...bound,
    });
    return {
      ...request,
      spec: { audiences, expirationSeconds: seconds, boundObjectRef: boundObjectRef ?? null },
      status: { token, expirationTimestamp: timestampText((issuedAt + seconds) * 1_000) },
    } as ApiObject;
  }

  /** In seconds since 1970. */
  readonly #issuedAt = (): number => Math.floor(this.#options.now() / 1_000);

  #refuse(name: string, errors: readonly FieldError[]): void {
    if (errors.length > 0) throw StatusError.invalid(this.#group, 'TokenRequest', name, errors);
  }

  #shortened(requested: number): number {
    const { maxExpirationSeconds: longest } = this.#options;
    if (longest === undefined || requested <= longest) return requested;
    this.#context.warn(`requested expiration of ${requested} seconds shortened to ${longest} seconds`);
    return longest;
  }

  async #bound(account: string, reference: BoundReference): Promise<BoundClaims> {
    const { apiVersion = '', kind = '', name = '' } = reference;
    // a version that cannot be read counts as none, and any version of a group is as good as another
    const type = parseApiVersion(apiVersion) ?? { group: '', version: '' };
    const plural = type.group === '' ? ownMember(BINDABLE, kind) : undefined;
    if (plural === undefined) {
      const text = `${type.group}/${type.version}, Kind=${kind}`;
      throw StatusError.badRequest(`cannot bind token to object of type ${text}`);
    }
    const object = await this.#read(this.#environment.related('', plural), requireNameParameter(name));
    if (kind === 'Pod') requireAccount(object, account);
    const uid = object.metadata.uid ?? '';
    if (reference.uid && reference.uid !== uid) {
      const text = `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
      throw StatusError.conflict({ group: '', resource: kind }, name, text);
    }
    const bound = { name, uid };
    if (kind === 'Secret') return { secret: bound };
    if (kind === 'Node') return { node: bound };
    return { pod: bound, ...(await this.#nodeOf(object)) };
  }

  /** The node of a pod; only its name if it does not exist. */
  async #nodeOf({ spec }: ApiObject): Promise<BoundClaims> {
    const { nodeName = '' } = (spec ?? {}) as { readonly nodeName?: string };
    if (nodeName === '') return {};
    try {
      const { metadata } = await this.#read(this.#environment.related('', 'nodes'), nodeName);
      return { node: { name: nodeName, ...(metadata.uid && { uid: metadata.uid }) } };
    } catch (error) {
      if (!StatusError.is(error, 'NotFound')) throw error;
      return { node: { name: nodeName } };
    }
  }

  async #read(objects: ActionObjects | undefined, name: string): Promise<ApiObject> {
    const { storage } = objects ?? {};
    if (!storage?.get) throw StatusError.badRequest(`${name} is of a kind that this server does not serve`);
    return objectOf(await storage.get(this.#context, { name }));
  }
}

type BoundClaims = Pick<ServiceAccountClaims, 'pod' | 'node' | 'secret'>;

const BINDABLE: Readonly<Record<string, string>> = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' };

function expirationErrors(seconds: number): readonly FieldError[] {
  const wrong = (text: string): readonly FieldError[] => [
    FieldErrors.invalid('spec.expirationSeconds', seconds, text),
  ];
  if (seconds < SHORTEST_SECONDS) return wrong('may not specify a duration less than 10 minutes');
  if (seconds > LONGEST_SECONDS) return wrong('may not specify a duration larger than 2^32 seconds');
  return [];
}

function requireAccount({ spec }: ApiObject, account: string): void {
  const { serviceAccountName = '' } = (spec ?? {}) as { readonly serviceAccountName?: string };
  if (serviceAccountName === account) return;
  throw StatusError.badRequest(
    `cannot bind token for serviceaccount ${goQuote(account)} to pod running with different serviceaccount name.`,
  );
}
