// Errors of the API.

export {
  type FieldError,
  type FieldErrorReason,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorText,
  MAXIMUM_FIELD_ERRORS,
  PrintedValue,
  printFieldValue,
} from './lib/field-error.ts';
export { ParseError } from './lib/parse-error.ts';
export {
  type Failure,
  failureStatus,
  type Status,
  type StatusCause,
  type StatusDetails,
  type StatusReason,
  successStatus,
} from './lib/status.ts';
export { StatusError } from './lib/status-error.ts';

// Objects, and how they and their types are called.

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
} from './lib/api-object.ts';
export {
  apiVersionOf,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  groupKindText,
  groupResourceText,
  groupVersionKindText,
  parseApiVersion,
  parseResourceArgument,
  type ResourceArgument,
} from './lib/group-version.ts';
export {
  deepFreeze,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
} from './lib/json.ts';
export { hasMember, ownMember, setMember } from './lib/json-member.ts';
export {
  deleteOptionsSchema,
  listMetaSchema,
  objectMetaSchema,
  partialObjectMetadataSchema,
  statusSchema,
  typeMetaProperties,
} from './lib/meta-schema.ts';
export type { Schema, SchemaType, ValidationRule } from './lib/schema.ts';
export { pause, runAtOnce, runInSlices, type Steps } from './lib/steps.ts';
export {
  groupName,
  kubernetesVocabulary,
  metaGroup,
  orchVocabulary,
  systemNamespace,
  tokenProtocolPrefix,
  type Vocabulary,
  vocabularies,
} from './lib/vocabulary.ts';

// Selectors.

export {
  convertFieldSelector,
  escapeFieldValue,
  everyField,
  type FieldConversion,
  type FieldReader,
  type FieldRequirement,
  type FieldSelector,
  fieldSelectorOf,
  parseFieldSelector,
  unescapeFieldValue,
} from './lib/field-selector.ts';
export {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
} from './lib/label-requirement.ts';
export {
  everyLabel,
  type LabelSelector,
  labelSelectorOf,
  noLabel,
  parseLabelSelector,
} from './lib/label-selector.ts';
export {
  type LabelSelectorExpression,
  type LabelSelectorObject,
  labelSelectorText,
  toLabelSelector,
  validateLabelSelector,
} from './lib/label-selector-object.ts';

// Values in objects.

export { canonicalBase64, decodeBase64, encodeBase64 } from './lib/base64.ts';
export { fromBase64Url, toBase64Url } from './lib/base64url.ts';
export { isDate } from './lib/calendar.ts';
export { DerTag, type DerValue, readDer } from './lib/der.ts';
export { durationText, fromJsonDuration, parseDuration } from './lib/duration.ts';
export { toHex } from './lib/hex.ts';
export {
  ageChangesAt,
  ageStart,
  ageText,
  ageTextSince,
  humanDuration,
  shortHumanDuration,
} from './lib/human-duration.ts';
export { fromJsonIntOrString, type IntOrString, integerOf, scaledInteger } from './lib/int-or-string.ts';
export { jsonPointerText, parseJsonPointer, valueAtPointer } from './lib/json-pointer.ts';
export { jsonSyntaxError, jsonSyntaxErrorSteps, MAXIMUM_JSON_DEPTH } from './lib/json-syntax.ts';
export { jsonTypeError, jsonTypeName } from './lib/json-type-error.ts';
export { jsonSize, MAXIMUM_OBJECT_BYTES, ObjectTooLargeError } from './lib/object-size.ts';
export { type PemBlock, readPem } from './lib/pem.ts';
export { parseQuantity, Quantity, quantityOf } from './lib/quantity.ts';
export type { QuantityFormat } from './lib/quantity-text.ts';
export {
  fromJsonMicroTime,
  fromJsonTime,
  isZeroTime,
  microTimeText,
  millisecondsOf,
  parseMicroTime,
  parseTime,
  printedTime,
  timestampOf,
  timeText,
} from './lib/time.ts';
export type { Timestamp } from './lib/time-layout.ts';

// Names.

export {
  type FieldRule,
  validateCidr,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateIpAddress,
} from './lib/domain-names.ts';
export { generateName, randomSuffix } from './lib/generate-name.ts';
export { parseCidr, parseIpAddress } from './lib/ip-address.ts';
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
} from './lib/names.ts';
export {
  type ObjectNameRule,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validatePathSegment,
} from './lib/object-name.ts';
export { pluralOf } from './lib/plural.ts';
export { compareApiVersions, sortApiVersions } from './lib/version-priority.ts';

// Metadata.

export { FIELD_MANAGER_LIMIT_BYTES, validateFieldManager } from './lib/field-manager-name.ts';
export {
  FOREGROUND_FINALIZER,
  finalizerWarnings,
  ORPHAN_FINALIZER,
  validateFinalizers,
  validateNoNewFinalizers,
  validateQualifiedFinalizers,
} from './lib/finalizer-validation.ts';
export { ANNOTATIONS_LIMIT_BYTES, validateAnnotations, validateLabels } from './lib/label-validation.ts';
export { validateManagedFields } from './lib/managed-fields-validation.ts';
export {
  type NewObjectMetaRules,
  type ObjectMetaRules,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './lib/object-meta-validation.ts';
export { validateOwnerReferences } from './lib/owner-reference-validation.ts';

// Requests.

export {
  type ContinueKey,
  type ContinuePosition,
  decodeContinueKey,
  decodeContinueToken,
  encodeContinueKey,
  encodeContinueToken,
} from './lib/continue-token.ts';
export { type ListOptions, validateListOptions } from './lib/list-options.ts';
export {
  type CreateOptions,
  type DeleteOptions,
  type DeletePreconditions,
  type PatchOptions,
  type UpdateOptions,
  validateCreateOptions,
  validateDeleteCollectionOptions,
  validateDeleteOptions,
  validatePatchOptions,
  validateUpdateOptions,
  type WriteOptions,
} from './lib/request-options.ts';

// Interfaces that rooms share.

export {
  type Ambient,
  type Clock,
  type Random,
  randomUuid,
  sleep,
  type Timer,
  type Turns,
  timestampText,
} from './lib/ambient.ts';
export type { Authentication, Authenticator, UserInfo } from './lib/authentication.ts';
export type {
  AuthorizationAttributes,
  AuthorizationDecision,
  AuthorizationRules,
  Authorizer,
  NonResourceRule,
  ResourceRule,
} from './lib/authorization.ts';
export type {
  BodyPieces,
  ByteSink,
  Connection,
  Filter,
  Handler,
  RequestHeaders,
  ResponseBody,
  ServerRequest,
  ServerResponse,
  SizedPieces,
} from './lib/exchange.ts';
export type { Lister } from './lib/lister.ts';
export type {
  MessageKind,
  MessageSocket,
  WebSocketOffer,
  WebSocketUpgrade,
} from './lib/message-socket.ts';
export { exponentialBounds, SECONDS_BOUNDS } from './lib/metric-bounds.ts';
export {
  type Count,
  type Counter,
  type Distribution,
  type Histogram,
  type LabelValues,
  type MetricDescription,
  Metrics,
  type Sample,
} from './lib/metrics.ts';
export { observed } from './lib/observed.ts';
export { countOutcomes, type OutcomeDescriptions } from './lib/outcome-metrics.ts';
export {
  callForBytes,
  callOut,
  LateAnswerError,
  type OutgoingAnswer,
  type OutgoingCallOptions,
  RefusedCallError,
  UnusableAnswerError,
} from './lib/outgoing-call.ts';
export { type ProxyAddress, parseProxyUrl } from './lib/proxy-url.ts';
export { callRepeatedly } from './lib/repeated-call.ts';
export {
  parseServiceAccountName,
  type ServiceAccountName,
  serviceAccountUserName,
} from './lib/service-account-name.ts';
export type { Transport, TransportRequest, TransportResponse, TransportTls } from './lib/transport.ts';
export { unlessAborted } from './lib/unless-aborted.ts';

// Texts as messages print and stores order them.

export { goFloat, goNumber } from './lib/go-number.ts';
export { goQuote, goStringList, isPrintable } from './lib/go-text.ts';
export { integerErrorText, isInt64, parseInt64 } from './lib/integer-text.ts';
export { withoutTrailing } from './lib/trailing.ts';
export { compareUtf8, utf8Length, utf8Prefix } from './lib/utf8.ts';
