// Errors of the API.

export { CodedError } from './errors/coded-error.ts';
export { errorMessage, toError } from './errors/error-message.ts';
export {
  type FieldError,
  type FieldErrorReason,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorsOfSteps,
  fieldErrorText,
  MAXIMUM_FIELD_ERRORS,
  PrintedValue,
  printedBy,
  printFieldValue,
} from './errors/field-error.ts';
export { ParseError } from './errors/parse-error.ts';
export { printErrors } from './errors/print-errors.ts';
export { StatusError } from './errors/status-error.ts';
export { controllerOf, type OwnerReferenceFlags, ownerReferenceTo } from './objects/owner-reference.ts';
export {
  type Failure,
  type Status,
  type StatusCause,
  type StatusDetails,
  type StatusReason,
  successStatus,
} from './objects/status.ts';

// Objects, and the names of objects and types.

export { SharedSteps } from './contracts/shared-steps.ts';
export { sortSteps } from './contracts/sort-steps.ts';
export { doneSteps, pause, runAtOnce, runInSlices, type Steps } from './contracts/steps.ts';
export {
  groupName,
  kubernetesVocabulary,
  metaGroup,
  orchVocabulary,
  productName,
  systemNamespace,
  tokenProtocolPrefix,
  type Vocabulary,
  vocabularies,
} from './contracts/vocabulary.ts';
export { type ChangedCopy, changedCopyOf, MANY_MEMBERS, noteChangedCopy } from './json/changed-copy.ts';
export {
  deepFreeze,
  deepFreezeSteps,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from './json/json.ts';
export { jsonEqual, jsonEqualSteps } from './json/json-equal.ts';
export { hasMember, objectOf, ownMember, setMember } from './json/json-member.ts';
export { itemsByKeys } from './json/list-map-items.ts';
export {
  type ApiList,
  type ApiObject,
  type ListMeta,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  valueAt,
  type WatchEvent,
  type WatchEventType,
  withMetadata,
} from './objects/api-object.ts';
export {
  apiVersionOf,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  groupResourceText,
  groupVersionKindText,
  parseApiVersion,
  parseResourceArgument,
  type ResourceArgument,
} from './objects/group-version.ts';
export {
  deleteOptionsSchema,
  listMetaSchema,
  objectMetaSchema,
  partialObjectMetadataSchema,
  statusSchema,
  typeMetaProperties,
} from './objects/meta-schema.ts';
export type { Schema, SchemaType, SchemaUnion, ValidationRule } from './objects/schema.ts';

// Selectors.

export {
  everyField,
  type FieldReader,
  type FieldRequirement,
  type FieldSelector,
  fieldSelectorOf,
  parseFieldSelector,
} from './selectors/field-selector.ts';
export type {
  LabelOperator,
  LabelRequirement,
  Labels,
} from './selectors/label-requirement.ts';
export {
  everyLabel,
  type LabelSelector,
  labelSelectorOf,
  parseLabelSelector,
} from './selectors/label-selector.ts';
export {
  type LabelSelectorExpression,
  type LabelSelectorObject,
  labelExpressionErrors,
  labelSelectorText,
  toLabelSelector,
  toLabelSelectorSteps,
  validateExpressionsAheadSteps,
  validateLabelSelector,
} from './selectors/label-selector-object.ts';

// Values in objects.

export { joinedMessages, joinedTexts } from './errors/joined-messages.ts';
export { jsonTypeError, jsonTypeName, notAnObject } from './errors/json-type-error.ts';
export { declaredKind, declaredKindOfTextSteps, declaresKind } from './json/declared-kind.ts';
export { endOfStringSteps, parseJsonSteps } from './json/json-parse-steps.ts';
export { parseJsonPointer, unescapePointerToken, valueAtPointer } from './json/json-pointer.ts';
export { jsonSyntaxError, jsonSyntaxErrorSteps, MAXIMUM_JSON_DEPTH } from './json/json-syntax.ts';
export { isEmptyObject, knownMembers, memberNames, rememberMemberNames } from './json/member-names.ts';
export { jsonSize, jsonSizeSteps, MAXIMUM_OBJECT_BYTES, ObjectTooLargeError } from './objects/object-size.ts';
export { canonicalBase64, decodeBase64, encodeBase64 } from './text/base64.ts';
export { decodeBase64Steps } from './text/base64-steps.ts';
export { fromBase64Url, toBase64Url } from './text/base64url.ts';
export { DerTag, type DerValue, readDer } from './text/der.ts';
export { toHex } from './text/hex.ts';
export {
  isPatternTooLarge,
  MAXIMUM_PATTERN_SIZE,
  PATTERN_TOO_LARGE,
  patternSize,
  sizeAmongPatterns,
} from './text/pattern-size.ts';
export { type PemBlock, pemBlocks, readPem } from './text/pem.ts';
export { ByteGatherer, gatheredBytes } from './values/byte-gatherer.ts';
export { isDate, isDay, startOfDay } from './values/calendar.ts';
export { concatenateBytes } from './values/concatenate-bytes.ts';
export { durationText, fromJsonDuration, parseDuration } from './values/duration.ts';
export {
  ageChangesAt,
  ageStart,
  ageText,
  ageTextSince,
  humanDuration,
  shortHumanDuration,
} from './values/human-duration.ts';
export { fromJsonIntOrString, type IntOrString, integerOf, scaledInteger } from './values/int-or-string.ts';
export { parseQuantity, Quantity, quantityOf } from './values/quantity.ts';
export type { QuantityFormat } from './values/quantity-text.ts';
export {
  fromJsonMicroTime,
  fromJsonTime,
  isZeroTime,
  microTimeText,
  millisecondsOf,
  parseMicroTime,
  parseTime,
  printedTime,
  timeText,
} from './values/time.ts';
export {
  DATE_LAYOUT,
  LOCAL_TIME_LAYOUT,
  RFC3339_LAYOUT,
  readZonedTime,
  type TimeLayout,
  type Timestamp,
  type ZonedTime,
} from './values/time-layout.ts';
export { parseWordedDuration } from './values/worded-duration.ts';

// Names.

export { generateName } from './objects/generate-name.ts';
export { compareApiVersions, sortApiVersions } from './objects/version-priority.ts';
export {
  actualValueText,
  checkOptionNames,
  checkVocabulary,
  optionError,
} from './validation/check-options.ts';
export { choiceErrors, requiredChoiceErrors } from './validation/choice-errors.ts';
export {
  type FieldRule,
  validateCidr,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateIpAddress,
} from './validation/domain-names.ts';
export { requireNameParameter } from './validation/name-parameter.ts';
export {
  cIdentifierErrors,
  configMapKeyErrors,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  dns1123SubdomainWithUnderscoreErrors,
  environmentVariableNameErrors,
  httpHeaderNameErrors,
  labelValueErrors,
  type NameRule,
  pathSegmentErrors,
  pathSegmentPrefixErrors,
  percentErrors,
  portNameErrors,
  qualifiedNameErrors,
  wildcardDns1123SubdomainErrors,
} from './validation/names.ts';
export {
  type ObjectNameRule,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validatePathSegment,
} from './validation/object-name.ts';
export {
  ipAddressText,
  maskedIpAddress,
  parseCidr,
  parseIpAddress,
  unmappedIpAddress,
} from './values/ip-address.ts';
export {
  parseStrictAddress,
  parseStrictPrefix,
  type StrictAddress,
  type StrictPrefix,
  strictAddressText,
} from './values/strict-address.ts';

// Metadata.

export { ErrorsAhead } from './validation/errors-ahead.ts';
export { FIELD_MANAGER_LIMIT_BYTES, validateFieldManager } from './validation/field-manager-name.ts';
export {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  validateFinalizers,
  validateQualifiedFinalizers,
} from './validation/finalizer-validation.ts';
export {
  ANNOTATIONS_LIMIT_BYTES,
  validateAnnotations,
  validateAnnotationsAheadSteps,
  validateLabels,
  validateLabelsAheadSteps,
} from './validation/label-validation.ts';
export {
  type NewObjectMetaRules,
  type ObjectMetaRules,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './validation/object-meta-validation.ts';

// Requests.

export {
  type CreateOptions,
  type DeleteOptions,
  type DeletePreconditions,
  type PatchOptions,
  type UpdateOptions,
  validateCreateOptions,
  validateDeleteOptions,
  validatePatchOptions,
  validateUpdateOptions,
  type WriteOptions,
} from './validation/request-options.ts';

// Interfaces that packages share.

export {
  type Ambient,
  type Clock,
  type Random,
  randomUuid,
  sleep,
  sleepInRequest,
  type Timer,
  type Turns,
  timestampText,
} from './contracts/ambient.ts';
export type { Authenticated, Authentication, Authenticator, UserInfo } from './contracts/authentication.ts';
export type {
  AuthorizationAttributes,
  AuthorizationDecision,
  AuthorizationRules,
  Authorizer,
  NonResourceRule,
  ResourceRule,
} from './contracts/authorization.ts';
export type { ByteConnection, ProtocolOffer } from './contracts/byte-connection.ts';
export {
  type BodyPieces,
  type ByteSink,
  type Connection,
  type Filter,
  type Handler,
  type RequestHeaders,
  type ResponseBody,
  type ServerRequest,
  type ServerResponse,
  type SizedPieces,
  sizeOfPieces,
} from './contracts/exchange.ts';
export type { ForwardedCall, ForwardedResponse, HeaderLine } from './contracts/forwarded-call.ts';
export { andFinally, andThen, type MaybePromise, orElse } from './contracts/maybe-promise.ts';
export type {
  MessageKind,
  MessageSocket,
  WebSocketOffer,
  WebSocketUpgrade,
} from './contracts/message-socket.ts';
export { measured, observed } from './contracts/observe-outcome.ts';
export { oncePerVocabulary } from './contracts/once-per-vocabulary.ts';
export {
  callForBytes,
  callOut,
  LateResponseError,
  type OutgoingCallOptions,
  type OutgoingResponse,
  RefusedCallError,
  UnusableResponseError,
} from './contracts/outgoing-call.ts';
export { callRepeatedly } from './contracts/repeated-call.ts';
export type { RequestWaits, WaitReason } from './contracts/request-waits.ts';
export { RotatingQueues } from './contracts/rotating-queues.ts';
export { type RoundOptions, Rounds } from './contracts/rounds.ts';
export {
  CERTIFICATE_OF_SHA1,
  CERTIFICATE_WITHOUT_NAMES,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './contracts/transport.ts';
export type { TransportTls } from './contracts/transport-tls.ts';
export { unlessAborted } from './contracts/unless-aborted.ts';
export { undefinedIfNotFound } from './errors/undefined-if-not-found.ts';
export { exponentialBounds, SECONDS_BOUNDS } from './metrics/metric-bounds.ts';
export {
  type Count,
  type Counter,
  type Distribution,
  type Histogram,
  type LabelValues,
  type MetricDescription,
  Metrics,
  type MetricsOptions,
  type Sample,
  type Summary,
} from './metrics/metrics.ts';
export { countOutcomes, type OutcomeDescriptions } from './metrics/outcome-metrics.ts';
export {
  parseServiceAccountName,
  type ServiceAccountName,
  serviceAccountUserName,
} from './objects/service-account-name.ts';
export { type ProxyAddress, parseProxyUrl } from './text/proxy-url.ts';

// Printing of messages, and orderings of strings.

export { excerpt } from './text/excerpt.ts';
export { GO_ESCAPES } from './text/go-escapes.ts';
export { goFloat, goNumber } from './text/go-number.ts';
export { goQuote, goStringList, isPrintable } from './text/go-text.ts';
export {
  GO_NIL_ELEMENT,
  goListSyntax,
  goMapSyntax,
  goSyntax,
  goTextMapSyntax,
  goTypeName,
  goValue,
} from './text/go-value.ts';
export { nearestName } from './text/nearest-name.ts';
export { piecesOf } from './text/pieces.ts';
export { withoutTrailing } from './text/trailing.ts';
export { trimSpace } from './text/trim-space.ts';
export { compareUtf8, utf8Length, utf8Prefix } from './text/utf8.ts';
export { integerErrorText, isInt64, parseInt64 } from './values/integer-text.ts';
