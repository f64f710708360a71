import { showUrl } from '../../io/http/error.ts';
import type { HttpResponse } from '../../io/http/client.ts';
import { expectFewParts } from './elements.ts';
import { SourceError } from './source.ts';

/** What stands for a packet without content: the end of a message, or of a part of it. */
const markers = new Set(['0000', '0001', '0002']);

/**
 * The packets of an answer of Git (git-scm.com/docs/gitprotocol-common, "pkt-line Format"), each without the line feed at its
 * end. Throws where one breaks off, and where the server says that something is wrong.
 */
export function readPktLines(response: HttpResponse): string[] {
  const at = showUrl(response.url);
  const { body } = response;
  expectFewParts(response.url, response.text(), /\n/g, 500_000);
  const lines: string[] = [];
  let position = 0;
  while (position < body.length) {
    const head = body.toString('latin1', position, position + 4);
    const length = markers.has(head) ? 4 : Number.parseInt(head, 16);
    if (!/^[0-9a-f]{4}$/i.test(head) || length < 4 || position + length > body.length) {
      throw new SourceError(`${at}: expected packets of Git; what begins at byte ${position + 1} is none`);
    }
    const line = body.toString('utf8', position + 4, position + length).replace(/\n$/, '');
    if (line.startsWith('ERR '))
      throw new SourceError(`${at}: Git answered ${JSON.stringify(line.slice(4, 200))}`);
    if (length > 4) lines.push(line);
    position += length;
  }
  return lines;
}

export function pktLine(line: string): string {
  return `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`;
}
