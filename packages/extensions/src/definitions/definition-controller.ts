import { readCertificates } from '@ashlar/admission';
import {
  type Ambient,
  type ApiObject,
  errorMessage,
  everyField,
  everyLabel,
  StatusError,
  timestampText,
  type UserInfo,
} from '@ashlar/core';
import {
  objectOf,
  type RequestContext,
  type ResourceStorage,
  type ResultObject,
  withCanonicalMetadata,
} from '@ashlar/registry';
import { approvalVerdict } from './api-approval.ts';
import { hasCondition, isTrue, type Verdict, withCondition } from './conditions.ts';
import { type CustomResourceDefinition, storageVersionOf } from './custom-resource-definition.ts';
import { cleanupFinalizer } from './definition-resource.ts';
import { deleteInstances } from './deleted-instances.ts';
import { FollowedDefinitions } from './known-definitions.ts';
import { hasItsNames, withAcceptedNames } from './naming.ts';
import {
  afterFailure,
  atBeginning,
  COMPLETED,
  NEVER_ESTABLISHED,
  OVERLAPPING,
  whileObjectsRemain,
} from './terminating.ts';

/** The controller that maintains the status of definitions. */
export interface DefinitionController extends AsyncDisposable {
  start(): void;
  close(): Promise<void>;
}

export interface DefinitionControllerOptions {
  /** The verbs of definitions. */
  readonly definitions: ResourceStorage;
  /** The verbs of the type that a definition describes, whether it is served or not; undefined if its objects are not the definition's. */
  instancesOf(definition: CustomResourceDefinition): ResourceStorage | undefined;
  readonly ambient: Ambient;
  /** User of the controller's writes. */
  readonly user: UserInfo;
  /** Called with errors; the definition is retried. */
  readonly onError?: (error: unknown) => void;
}

/** Field manager of the controller's writes, without the prefix of system names. */
const MANAGER = 'apiserver';
/** How long to wait for objects with finalizers. */
const AGAIN_MILLISECONDS = 500;
const RETRY_MILLISECONDS = 1_000;

/**
 * Accepts the names of definitions, establishes them, and removes their finalizer when all objects of the type are deleted (semantics/lifecycle#definition-conditions).
 * Several servers may run one over the same store: each write is based on the stored object.
 *
 * @example
 * const controller = createDefinitionController({ definitions, instancesOf, ambient, user });
 * controller.start();
 */
export function createDefinitionController(options: DefinitionControllerOptions): DefinitionController {
  const controller = new Controller(options);
  const close = (): Promise<void> => controller.close();
  return { start: () => controller.start(), close, [Symbol.asyncDispose]: close };
}

class Controller {
  readonly #options: DefinitionControllerOptions;
  readonly #context: RequestContext;
  readonly #followed: FollowedDefinitions = new FollowedDefinitions();
  readonly #waiting: Set<string> = new Set();
  readonly #timers: Set<{ clear(): void }> = new Set();
  #watch: Disposable | undefined;
  #work: Promise<void> = Promise.resolve();
  #isWorking = false;
  #state: 'new' | 'running' | 'closed' = 'new';

  constructor(options: DefinitionControllerOptions) {
    this.#options = options;
    const { namespacePrefix } = options.ambient.vocabulary;
    this.#context = contextOf(options.user, `${namespacePrefix}-${MANAGER}`);
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    void this.#follow();
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    for (const timer of this.#timers) timer.clear();
    this.#watch?.[Symbol.dispose]();
    await this.#work;
  }

  get #isOver(): boolean {
    return this.#state === 'closed';
  }

  /** Watches, starting with existing definitions. */
  async #follow(): Promise<void> {
    const { definitions } = this.#options;
    this.#followed.clear();
    try {
      const request = { labels: everyLabel, fields: everyField, allowBookmarks: false };
      const watch = await definitions.watch?.(this.#context, request, {
        event: (type, result) => this.#onEvent(type, definitionOf(result)),
        bookmark: () => {},
        error: (error) => this.#lost(error),
      });
      if (this.#isOver) watch?.[Symbol.dispose]();
      else this.#watch = watch;
    } catch (error) {
      this.#lost(error);
    }
  }

  #lost(error: unknown): void {
    if (this.#isOver) return;
    this.#watch?.[Symbol.dispose]();
    this.#options.onError?.(error);
    this.#after(RETRY_MILLISECONDS, () => void this.#follow());
  }

  #after(milliseconds: number, next: () => void): void {
    const timer = this.#options.ambient.clock.setTimer(milliseconds, () => {
      this.#timers.delete(timer);
      if (!this.#isOver) next();
    });
    this.#timers.add(timer);
  }

  #onEvent(type: 'ADDED' | 'MODIFIED' | 'DELETED', definition: CustomResourceDefinition): void {
    const name = definition.metadata.name ?? '';
    if (type !== 'DELETED') {
      const cached = this.#followed.get(name);
      // an event may be older than the last write here
      if (!cached || revisionOf(cached) <= revisionOf(definition)) this.#followed.set(name, definition);
      this.#add(name);
      return;
    }
    this.#followed.delete(name);
    this.#addOthers(name, definition);
  }

  /** Others of the group may get the released names. */
  #addOthers(name: string, { spec: { group } }: CustomResourceDefinition): void {
    for (const other of this.#followed.namelessOthersOf(group, name)) this.#add(other);
  }

  #add(name: string): void {
    this.#waiting.add(name);
    if (this.#isWorking || this.#isOver) return;
    this.#isWorking = true;
    this.#work = this.#workOff();
  }

  /** Processes one definition at a time: names are accepted in the order of creation. */
  async #workOff(): Promise<void> {
    for (;;) {
      const [name] = this.#waiting;
      if (name === undefined || this.#isOver) break;
      this.#waiting.delete(name);
      try {
        await this.#advance(name);
      } catch (error) {
        this.#options.onError?.(error);
        this.#after(RETRY_MILLISECONDS, () => this.#add(name));
      }
    }
    this.#isWorking = false;
  }

  async #advance(name: string): Promise<void> {
    const definition = this.#followed.get(name);
    if (!definition) return;
    // one that is being deleted can still change its names, and has them until it is gone
    const next = this.#named(definition);
    if (next !== definition) {
      if (await this.#write(name, (current) => this.#named(current))) this.#addOthers(name, definition);
      return;
    }
    if (isBeingDeleted(definition, this.#finalizer)) {
      await this.#remove(name, definition);
      return;
    }
    const verdict = establishment(definition);
    if (verdict && !hasCondition(definition, verdict))
      await this.#write(name, (current) => this.#established(current));
  }

  get #finalizer(): string {
    return cleanupFinalizer(this.#options.ambient.vocabulary);
  }

  get #now(): string {
    return timestampText(this.#options.ambient.clock.now());
  }

  /** Returns the definition with its accepted names and approval condition. */
  #named(definition: CustomResourceDefinition): CustomResourceDefinition {
    const { vocabulary } = this.#options.ambient;
    const named = hasItsNames(definition)
      ? definition
      : withAcceptedNames(definition, this.#followed.namesInUse(definition), this.#now);
    const approval = approvalVerdict(definition, vocabulary);
    return approval && !hasCondition(named, approval) ? withCondition(named, approval, this.#now) : named;
  }

  #established(definition: CustomResourceDefinition): CustomResourceDefinition {
    const verdict = establishment(definition);
    return verdict && !hasCondition(definition, verdict)
      ? withCondition(definition, verdict, this.#now)
      : definition;
  }

  /** Deletes all objects of the type, then removes the finalizer of the definition. */
  async #remove(name: string, definition: CustomResourceDefinition): Promise<void> {
    const report = (
      verdictOf: (current: CustomResourceDefinition) => Verdict | undefined,
    ): Promise<boolean> => this.#write(name, (current) => this.#terminating(current, verdictOf(current)));
    const finish = (verdict: Verdict): Promise<boolean> =>
      this.#write(name, (current) => {
        const last = this.#terminating(current, verdict);
        return isBeingDeleted(last, this.#finalizer) ? withoutFinalizer(last, this.#finalizer) : last;
      });
    if (!isTrue(definition, 'Established')) {
      await finish(NEVER_ESTABLISHED);
      return;
    }
    await report(atBeginning);
    const instances = this.#options.instancesOf(definition);
    if (!instances) {
      await finish(OVERLAPPING);
      return;
    }
    const remaining = await this.#deleteInstances(definition, instances).catch(async (error) => {
      await report((current) => afterFailure(current, errorMessage(error)));
      throw error;
    });
    if (remaining === 0) {
      await finish(COMPLETED);
      return;
    }
    const now = this.#options.ambient.clock.now();
    await report((current) => whileObjectsRemain(current, now));
    this.#after(AGAIN_MILLISECONDS, () => this.#add(name));
  }

  /** Number of remaining objects. */
  #deleteInstances(definition: CustomResourceDefinition, instances: ResourceStorage): Promise<number> {
    return deleteInstances(instances, { ...this.#context, version: storageVersionOf(definition) ?? '' });
  }

  #terminating(definition: CustomResourceDefinition, verdict: Verdict | undefined): CustomResourceDefinition {
    if (!verdict || !isBeingDeleted(definition, this.#finalizer) || hasCondition(definition, verdict))
      return definition;
    return withCondition(definition, verdict, this.#now);
  }

  /** Returns whether it was written; a definition that was deleted or changed meanwhile causes another event. */
  async #write(
    name: string,
    change: (current: CustomResourceDefinition) => CustomResourceDefinition,
  ): Promise<boolean> {
    let changed = false;
    const update = (current: ApiObject | undefined): ApiObject => {
      const next = change(current as CustomResourceDefinition);
      changed = next !== current;
      return next;
    };
    try {
      const request = { name, subresource: 'status', update };
      const result = await this.#options.definitions.update?.(this.#context, request);
      if (result && changed) this.#remember(name, definitionOf(result.answer));
      return changed;
    } catch (error) {
      if (StatusError.is(error, 'NotFound') || StatusError.is(error, 'Conflict')) return false;
      throw error;
    }
  }

  /** Stores a written definition before its event arrives, so that the next definition does not get the same names. */
  #remember(name: string, definition: CustomResourceDefinition): void {
    if (this.#followed.get(name)) this.#followed.set(name, definition);
  }
}

const definitionOf = (result: ResultObject): CustomResourceDefinition =>
  objectOf(result) as CustomResourceDefinition;

const revisionOf = ({ metadata }: CustomResourceDefinition): number => Number(metadata.resourceVersion ?? 0);

const isBeingDeleted = ({ metadata }: CustomResourceDefinition, finalizer: string): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);

function withoutFinalizer(definition: CustomResourceDefinition, finalizer: string): CustomResourceDefinition {
  const finalizers = (definition.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  return withCanonicalMetadata(definition, { finalizers }) as CustomResourceDefinition;
}

/** Returns whether a definition may be established; undefined if the condition does not apply. */
function establishment(definition: CustomResourceDefinition): Verdict | undefined {
  if (!isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established')) return undefined;
  const bundle = definition.spec.conversion?.webhook?.clientConfig?.caBundle ?? '';
  return bundle !== '' && readCertificates(bundle) === undefined ? BROKEN_CERTIFICATES : ESTABLISHED;
}

const established = (status: string, reason: string, message: string): Verdict => ({
  type: 'Established',
  status,
  reason,
  message,
});
const ESTABLISHED = established('True', 'InitialNamesAccepted', 'the initial names have been accepted');
const BROKEN_CERTIFICATES = established(
  'False',
  'InvalidCABundle',
  'The conversion webhook CABundle is invalid',
);

function contextOf(user: UserInfo, fieldManager: string): RequestContext {
  return {
    user,
    namespace: '',
    version: 'v1',
    dryRun: false,
    fieldManager,
    warn: () => {},
    annotate: () => {},
    authorizeCreate: async () => {},
  };
}
