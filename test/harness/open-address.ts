import { request as ask } from 'node:http';
import { startUpstream } from './upstream.ts';

/** An address on loopback that is known before what answers at it, as a site is built for its address. */
export interface OpenAddress {
  /** Without a slash at its end. */
  readonly origin: string;
  /** From now on, requests go on to this address as they are. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

export async function openAddress(): Promise<OpenAddress> {
  let target = '';
  const { url, close } = await startUpstream(() => (request, response) => {
    const { method, url, headers } = request;
    const onward = ask(target, { method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  return { origin: new URL(url).origin, leadTo: (url) => void (target = url), close };
}
