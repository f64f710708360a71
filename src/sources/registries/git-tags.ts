import * as z from 'zod';
import { quote } from '../../core/text.ts';
import type { HttpResponse } from '../http/client.ts';
import { SourceError } from '../http/failures.ts';
import { readReleases } from '../read-releases.ts';
import { joinUrl } from '../requests.ts';
import type { Datasource } from '../types.ts';

const prefix = 'refs/tags/';

const Entry = z
  .tuple([z.string(), z.string()])
  .transform(([version, commit]) => ({ version, digests: [commit], digest: null }));

/**
 * Asks a Git server for its references (git-scm.com/docs/http-protocol, "Smart Clients"), which states no days. `packageName`: the address
 * for cloning.
 */
export const gitTags: Datasource<{ packageName: string }> = {
  async list({ packageName }, { http, day }) {
    const response = await http.fetch({
      url: joinUrl(packageName, ['info', 'refs'], 'service=git-upload-pack'),
      accept: 'application/x-git-upload-pack-advertisement',
    });
    return readReleases(response.url, day, [...readCommits(readLines(response))], Entry);
  },
  describe: ({ packageName }) => Promise.resolve({ repository: packageName }),
};

/** The commit of each tag. That of an annotated tag follows in a line of its own as `name^{}`. */
function readCommits(lines: readonly string[]): Map<string, string> {
  const commits = new Map<string, string>();
  for (const line of lines) {
    const [id = '', reference = ''] = line.split(/[ \0]/);
    if (/^[0-9a-f]{40}$/.test(id) && reference.startsWith(prefix)) {
      commits.set(reference.slice(prefix.length).replace(/\^\{\}$/, ''), id);
    }
  }
  return commits;
}

/** The lines of an answer, one in each packet. Throws if it is cut, or an error of the server. */
function readLines(response: HttpResponse): string[] {
  const { url } = response;
  const bytes = response.bytes();
  const lines: string[] = [];
  let packet: ReturnType<typeof readPacket>;
  // The last packet is a flush.
  while (!packet?.isFlush || packet.end < bytes.length) {
    const start = packet?.end ?? 0;
    packet = readPacket(bytes, start);
    if (!packet) {
      throw SourceError.at(
        url,
        `expected a packet of Git at byte ${start + 1}; got something else, or the end`,
      );
    }
    if (packet.line.startsWith('ERR ')) {
      throw SourceError.at(url, `Git answered ${quote(packet.line.slice(4))}`);
    }
    lines.push(packet.line);
  }

  return lines;
}

/** git-scm.com/docs/gitprotocol-common, "pkt-line Format". A flush has no content. Undefined where there is no whole packet. */
function readPacket(bytes: Buffer, start: number) {
  const digits = bytes.toString('latin1', start, start + 4);
  const content = start + 4;
  if (digits === '0000') {
    return { line: '', isFlush: true, end: content };
  }

  // A length includes its digits.
  const end = start + Number.parseInt(digits, 16);
  if (!/^[\da-f]{4}$/i.test(digits) || end < content || end > bytes.length) {
    return undefined;
  }
  const line = bytes.toString('utf8', content, end).replace(/\n$/, '');
  return { line, isFlush: false, end };
}
