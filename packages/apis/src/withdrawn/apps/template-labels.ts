import { type ApiObject, type JsonObject, type LabelSelectorObject, withMetadata } from '@ashlar/core';

interface Owner extends ApiObject {
  readonly spec?: JsonObject & {
    readonly selector?: LabelSelectorObject | null;
    readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
  };
}

/** Selector and labels default to the labels of the template: so they did before selectors were required. */
export function withTemplateLabels(object: Owner): ApiObject {
  const { spec, metadata } = object;
  const labels = spec?.template?.metadata?.labels;
  if (!spec || !labels) return object;
  const selecting = spec.selector
    ? object
    : { ...object, spec: { ...spec, selector: { matchLabels: labels } } };
  return Object.keys(metadata.labels ?? {}).length > 0 ? selecting : withMetadata(selecting, { labels });
}
