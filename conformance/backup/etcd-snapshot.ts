import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TextDecoderStream } from 'node:stream/web';

/**
 * Saves a snapshot of an etcd through its JSON gateway, as `etcdctl snapshot save` saves it.
 * @param url client address of the etcd, with plain HTTP
 * @throws Error if it cannot be reached, or ends half-way
 */
export async function saveSnapshot(url: string, file: string): Promise<void> {
  const response = await fetch(`${url}/v3/maintenance/snapshot`, { method: 'POST', body: '{}' });
  if (!response.ok || !response.body)
    throw new Error(`etcd answers ${response.status}: ${await response.text()}`);
  await pipeline(Readable.from(blobsOf(response.body)), createWriteStream(file));
}

interface SnapshotMessage {
  readonly result?: { readonly blob?: string; readonly remaining_bytes?: string };
  readonly error?: { readonly message: string };
}

/** The pieces of the file, one a line. */
async function* blobsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  let line = '';
  let remaining: string | undefined;
  for await (const text of body.pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    for (const whole of lines.filter((each) => each !== '')) {
      const { result, error } = JSON.parse(whole) as SnapshotMessage;
      if (!result) throw new Error(`etcd ends its snapshot: ${error?.message}`);
      remaining = result.remaining_bytes ?? '0';
      yield Buffer.from(result.blob ?? '', 'base64');
    }
  }
  if (remaining !== '0') throw new Error(`etcd ended its snapshot ${remaining ?? 'all'} bytes too early`);
}
