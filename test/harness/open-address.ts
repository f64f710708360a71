import { request as ask } from 'node:http';
import { startUpstream } from './upstream.ts';

export type OpenAddress = Awaited<ReturnType<typeof openAddress>>;

/** An address on loopback that is known before what answers at it, as a site is built for its address. */
export async function openAddress() {
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
  return {
    origin: new URL(url).origin,
    /** From now on, requests go on to this address as they are. */
    leadTo: (url: string) => void (target = url),
    close,
  };
}
