import { goQuote, type JsonObject, type Schema, StatusError } from '@ashlar/core';
import type { ConnectionOptions, ConnectionParameters } from '@ashlar/registry';
import { boolean, int64, list, string, type } from '../../types/schema-fields.ts';

const streams = {
  stdin: boolean(1, 'Whether the standard input is redirected.'),
  stdout: boolean(2, 'Whether the standard output is redirected.'),
  stderr: boolean(3, 'Whether the standard error is redirected.'),
  tty: boolean(4, 'Whether the streams are those of a terminal.'),
  container: string(5, 'The container; by default the only one.'),
};

/** Options of `attach`. */
export const attachOptions: ConnectionOptions = {
  schema: type('api.core.v1.PodAttachOptions', streams, {
    description: 'How a caller is attached to a container.',
  }),
  read: streamsOf,
};

/** Options of `exec`. */
export const execOptions: ConnectionOptions = {
  schema: type(
    'api.core.v1.PodExecOptions',
    {
      ...streams,
      command: { ...list(6, 'The command.', { type: 'string', default: '' }, {}), alwaysPrinted: true },
    },
    { description: 'How a command is run in a container.' },
  ),
  read(parameters) {
    const command = parameters.all('command');
    return { ...streamsOf(parameters), command: command.length > 0 ? [...command] : null };
  },
};

/** Query parameters of `log`, which admission does not see. */
export const logParameters: Schema = type('api.core.v1.PodLogOptions', {
  container: string(1, 'The container; by default the only one.'),
  follow: boolean(2, 'Whether what is written later follows.'),
  previous: boolean(3, 'Whether those of the container that ended before are meant.'),
  sinceSeconds: int64(4, 'From how many seconds ago.'),
  timestamps: boolean(6, 'Whether each line begins with its time.'),
  tailLines: int64(7, 'How many of the last lines.'),
  limitBytes: int64(8, 'How many bytes at most.'),
  insecureSkipTLSVerifyBackend: boolean(9, 'Whether the certificate of the node is not checked.'),
  stream: string(10, 'Which of the streams: Stdout, Stderr or All.'),
});

/** Options of `portforward`. */
export const portForwardOptions: ConnectionOptions = {
  schema: type(
    'api.core.v1.PodPortForwardOptions',
    { ports: list(1, 'The ports.', { type: 'integer', format: 'int32', default: 0 }, {}) },
    { description: 'Which ports of a pod are forwarded.' },
  ),
  read(parameters) {
    const ports = parameters.all('ports').flatMap((text) => text.split(',').map(portOf));
    return ports.length > 0 ? { ports } : {};
  },
};

/** Options of `proxy`. @param kind such as `PodProxyOptions` */
export const proxyOptions = (kind: string): ConnectionOptions => ({
  schema: type(
    `api.core.v1.${kind}`,
    { path: string(1, 'The path of the request behind the proxy.') },
    { description: 'Which path of a proxy is requested.' },
  ),
  read: (_, path) => (path === '' ? {} : { path: path.startsWith('/') ? path : `/${path}` }),
});

function streamsOf(parameters: ConnectionParameters): JsonObject {
  const flags = (['stdin', 'stdout', 'stderr', 'tty'] as const).filter((name) => isOn(parameters.all(name)));
  const [container = ''] = parameters.all('container');
  return {
    ...Object.fromEntries(flags.map((name) => [name, true])),
    ...(container !== '' && { container }),
  };
}

/** Whatever is not `0` or `false` is true. */
const isOn = ([first]: readonly string[]): boolean =>
  first !== undefined && first !== '0' && first.toLowerCase() !== 'false';

/** @throws StatusError 400 */
function portOf(text: string): number {
  const why = !/^[0-9]+$/.test(text)
    ? 'invalid syntax'
    : Number(text) > 65_535
      ? 'value out of range'
      : undefined;
  if (why === undefined) return Number(text);
  throw StatusError.badRequest(
    `cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: ${why}`,
  );
}
