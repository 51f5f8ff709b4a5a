import { goQuote, type JsonObject, StatusError } from '@ashlar/core';
import type { ConnectionOptions, ConnectionParameters } from '@ashlar/registry';
import { boolean, list, string, type } from '../../../types/schema-fields.ts';

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
