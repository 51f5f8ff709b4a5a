import { type JsonObject, type JsonValue, jsonEqual, type Vocabulary } from '@ashlar/core';

/**
 * What follows the names of parameters that operations of v2 share: in release 1.32 a hash of each with its description. Where several
 * have a name, the kind, the action or the place stands before it. Others, and those that older clients look for in place (`dryRun`,
 * `fieldValidation`), are not shared.
 */
const SUFFIXES: Readonly<Record<string, string>> = {
  allowWatchBookmarks: 'HC2hJt-J',
  'DeleteOptions body': '2Y1dVQaQ',
  'Patch body': '78PwaGsr',
  command: 'Py3eQybp',
  'Pod container': '1GeXxFDC',
  'PodAttachOptions container': '_Q-EJ3nR',
  'PodExecOptions container': 'i5dOmRiM',
  continue: 'QfD61s0i',
  fieldManager: 'Qy4HdaTW',
  'patch fieldManager': '7c6nTn1T',
  fieldSelector: 'xIcQKXFG',
  follow: '9OIXh_2R',
  force: 'tOGGb0Yi',
  gracePeriodSeconds: '-K5HaBOS',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'QbNkfIqj',
  insecureSkipTLSVerifyBackend: 'gM00jVbe',
  labelSelector: '5Zw57w4C',
  limit: '1NfNmdNH',
  limitBytes: 'zwd1RXuc',
  namespace: 'vgWSWtn3',
  orphanDependents: 'uRB25kX5',
  'NodeProxyOptions path': 'rFDtV0x9',
  'PodProxyOptions path': 'oPbzgLUj',
  'ServiceProxyOptions path': 'QCf0eosM',
  'segment path': 'z6Ciiujn',
  ports: '91KROJmm',
  pretty: 'tJGM1-ng',
  previous: '1jxDPu3y',
  propagationPolicy: '6jk3prlO',
  resourceVersion: '5WAnf1kx',
  resourceVersionMatch: 't8XhRHeC',
  sendInitialEvents: 'rLXlEK_k',
  sinceSeconds: 'vE2NLdnP',
  'PodAttachOptions stderr': '26jJhFUR',
  'PodExecOptions stderr': 'W_1TNlWc',
  'PodAttachOptions stdin': 'sEFnN3IS',
  'PodExecOptions stdin': 'PSzNhyUC',
  'PodAttachOptions stdout': '005YMKE6',
  'PodExecOptions stdout': '-EZLRwV1',
  stream: 'l-48cgXv',
  tailLines: '9xQLWHMV',
  timeoutSeconds: 'yvYezaOC',
  timestamps: 'c17fW1w_',
  'PodAttachOptions tty': 'g7MlET_l',
  'PodExecOptions tty': 's0flW37O',
  watch: 'XNNPZGbK',
};

/** The operation whose parameters are written; one of them where they belong to a path. */
export interface ParameterContext {
  readonly action: string;
  readonly kind: string;
}

/** The parameters that the operations of a v2 document share. */
export class SharedParameters {
  readonly parameters: Record<string, JsonObject> = {};
  readonly #references: Map<string, JsonObject> = new Map();
  /** The operations of thousands of types have the same few parameters of v3. */
  readonly #converted: Map<JsonValue, JsonObject> = new Map();

  /** Converts a parameter of v3, and shares it. */
  convert(parameter: JsonValue, context: ParameterContext): JsonObject {
    let converted = this.#converted.get(parameter);
    if (!converted) {
      const { schema, ...rest } = parameter as JsonObject;
      converted = { ...(schema as JsonObject), ...rest };
      this.#converted.set(parameter, converted);
    }
    return this.share(converted, context);
  }

  /** Returns a reference to a parameter, which becomes a shared one; the parameter itself if it is not shared. */
  share(parameter: JsonObject, context: ParameterContext): JsonObject {
    const name = sharedName(parameter, context);
    if (name === undefined) return parameter;
    const existing = this.parameters[name];
    if (existing && !jsonEqual(existing, parameter)) return parameter;
    this.parameters[name] = parameter;
    return this.#referenceTo(name);
  }

  #referenceTo(name: string): JsonObject {
    const reference = this.#references.get(name) ?? { $ref: `#/parameters/${name}` };
    this.#references.set(name, reference);
    return reference;
  }
}

/** Returns the context of an operation, as its extensions tell it. */
export function contextOf(
  operation: JsonObject | undefined,
  { extensionPrefix }: Vocabulary,
): ParameterContext {
  const { kind = '' } = (operation?.[`${extensionPrefix}group-version-kind`] ?? {}) as {
    readonly kind?: string;
  };
  return { action: String(operation?.[`${extensionPrefix}action`] ?? ''), kind };
}

/** Names that have another suffix in some place. */
const SCOPED: ReadonlySet<string> = new Set(
  Object.keys(SUFFIXES).flatMap((key) => (key.includes(' ') ? [key.slice(key.indexOf(' ') + 1)] : [])),
);

function sharedName(parameter: JsonObject, { action, kind }: ParameterContext): string | undefined {
  const name = String(parameter.name);
  if (!SCOPED.has(name)) return Object.hasOwn(SUFFIXES, name) ? `${name}-${SUFFIXES[name]}` : undefined;
  const schema = parameter.schema as JsonObject | undefined;
  const ofBody = typeof schema?.$ref === 'string' ? schema.$ref.slice(schema.$ref.lastIndexOf('.') + 1) : '';
  const scopes = parameter.in === 'body' ? [ofBody] : parameter.in === 'path' ? ['segment'] : [kind, action];
  const key = [...scopes.map((scope) => `${scope} ${name}`), name].find((each) =>
    Object.hasOwn(SUFFIXES, each),
  );
  return key && `${name}-${SUFFIXES[key]}`;
}
