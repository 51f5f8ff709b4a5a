import type { AuditDecision, JsonPieces } from '@ashlar/audit';
import { isAtLeast } from '@ashlar/audit';
import { encodeJsonSteps } from '@ashlar/codec';
import type { ApiObject, JsonObject, ResponseBody, Status, Steps, Vocabulary } from '@ashlar/core';
import type { LoggedContents } from './event-maker.ts';
import type { SubmittedReference } from './logged-request.ts';
import { type CompleteBody, shownContent } from './shown-content.ts';
import {
  type SubmittedContent,
  submittedObject,
  submittedOptions,
  submittedPatch,
} from './submitted-content.ts';

/** The objects of a request and its response, as far as the level of its events asks for them. They are encoded when an event is written. */
export class RequestContents {
  /** What the submitted object says of the object that the request is for. */
  reference: SubmittedReference | undefined;
  /** The Status that was answered. */
  status: Status | undefined;
  /** Whether objects of responses are shown. */
  readonly keepsAnswer: boolean;
  /** Whether submitted objects are shown, and parts of them in annotations. */
  readonly keepsSubmitted: boolean;
  readonly #omitManagedFields: boolean;
  #submitted: SubmittedContent | undefined;
  #answer: CompleteBody | undefined;

  /** @param isResource requests that are not for a resource have no objects */
  constructor({ level, omitManagedFields }: AuditDecision, isResource: boolean) {
    this.keepsSubmitted = isResource && isAtLeast(level, 'Request');
    this.keepsAnswer = isResource && isAtLeast(level, 'RequestResponse');
    this.#omitManagedFields = omitManagedFields;
  }

  submitObject(object: ApiObject): void {
    const { namespace, name, uid, resourceVersion } = object.metadata ?? {};
    this.reference = {
      ...(namespace && { namespace }),
      ...(name && { name }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
    };
    if (this.keepsSubmitted) this.#submitted = submittedObject(object, this.#omitManagedFields);
  }

  submitPatch(bytes: Uint8Array, type: string): void {
    if (this.keepsSubmitted) this.#submitted = submittedPatch(bytes, type);
  }

  submitOptions(options: JsonObject, vocabulary: Vocabulary): void {
    if (this.keepsSubmitted) this.#submitted = submittedOptions(options, vocabulary);
  }

  /** @param json the response, or what it would be in JSON */
  answer(json: ResponseBody | undefined): void {
    if (typeof json !== 'function') this.#answer = json;
  }

  answerStatus(status: Status | undefined): void {
    this.status = status;
    this.#answer = undefined;
  }

  /** @param maximumBytes of what is longer no more needs to be made than shows that */
  *steps(maximumBytes: number): Steps<LoggedContents> {
    const requestObject = this.#submitted && (yield* this.#submitted());
    const responseObject = yield* this.#answeredSteps(maximumBytes);
    return { ...(requestObject && { requestObject }), ...(responseObject && { responseObject }) };
  }

  *#answeredSteps(maximumBytes: number): Steps<JsonPieces | undefined> {
    if (!this.keepsAnswer) return undefined;
    if (this.status) return [yield* encodeJsonSteps(this.status)];
    const omitManagedFields = this.#omitManagedFields;
    return this.#answer && (yield* shownContent(this.#answer, { omitManagedFields, maximumBytes }));
  }
}
