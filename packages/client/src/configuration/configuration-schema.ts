import { decodeUtf8 } from '@ashlar/codec';
import { decodeBase64 } from '@ashlar/core';
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { ClusterEntry, ContextEntry, UserEntry } from './client-configuration.ts';
import { changed, text } from './text-schema.ts';

/** A parsed configuration file. */
export interface WrittenConfiguration {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly 'current-context': string | undefined;
  readonly clusters: readonly { readonly name: string; readonly cluster: Omit<ClusterEntry, 'origin'> }[];
  readonly users: readonly { readonly name: string; readonly user: Omit<UserEntry, 'origin'> }[];
  readonly contexts: readonly { readonly name: string; readonly context: Omit<ContextEntry, 'origin'> }[];
}

// Unknown fields are ignored, and null is the same as absent. Errors do not quote values.

const label = changed(z.nullish(z.string()), (value) => value ?? '');
const flag = changed(z.nullish(z.boolean()), (value) => value ?? false);

/** Base64 of a PEM text. */
const data = changed(text, (value, { issues }) => {
  if (value === undefined) return undefined;
  try {
    return decodeUtf8(decodeBase64(value));
  } catch {
    issues.push({ code: 'custom', message: 'expected base64', input: value });
    return z.NEVER;
  }
});

const list = <Item extends z.ZodMiniType>(item: Item): z.ZodMiniType<z.output<Item>[]> =>
  changed(z.nullish(z.array(item)), (items) => items ?? []);

/** An object that may be absent, which is the same as empty. */
const part = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.pipe(
    z.transform((value: unknown) => value ?? {}),
    z.object(shape),
  );

const cluster = part({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': data,
  'insecure-skip-tls-verify': flag,
  'tls-server-name': text,
  'proxy-url': text,
  'disable-compression': flag,
  extensions: list(z.object({ name: label, extension: z.optional(z.unknown()) })),
});

const exec = z.object({
  command: text,
  apiVersion: text,
  args: list(z.string()),
  env: list(z.object({ name: text, value: text })),
  installHint: text,
  provideClusterInfo: flag,
  interactiveMode: text,
});

const user = part({
  'client-certificate': text,
  'client-certificate-data': data,
  'client-key': text,
  'client-key-data': data,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-uid': text,
  'as-groups': list(z.string()),
  'as-user-extra': changed(
    z.nullish(z.record(z.string(), z.array(z.string()))),
    (extra) => new Map(Object.entries(extra ?? {})),
  ),
  exec: changed(z.nullish(exec), (block) => block ?? undefined),
  'auth-provider': z.optional(z.unknown()),
});

const context = part({ cluster: text, user: text, namespace: text });

const file: z.ZodMiniType<WrittenConfiguration> = part({
  apiVersion: text,
  kind: text,
  'current-context': text,
  clusters: list(z.object({ name: label, cluster })),
  users: list(z.object({ name: label, user })),
  contexts: list(z.object({ name: label, context })),
});

/** The fields of a file, or its error, field first: `users[0].user.token: expected string, received number`. */
export function readConfigurationFields(value: unknown): WrittenConfiguration | { readonly fault: string } {
  const { data: fields, error } = file.safeParse(value, { error: ENGLISH });
  return fields ?? { fault: firstFault(error as z.core.$ZodError) };
}

const ENGLISH = en().localeError;

function firstFault({ issues: [issue] }: z.core.$ZodError): string {
  const { path, message } = issue as z.core.$ZodIssue;
  const fault = message.replace(/^Invalid input: /, '');
  return path.length === 0 ? fault : `${fieldPath(path)}: ${fault}`;
}

const fieldPath = (path: readonly PropertyKey[]): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('');
