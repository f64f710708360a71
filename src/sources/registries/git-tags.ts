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
    return readReleases(response.url, day, [...readCommits(readPackets(response))], Entry);
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

/** The packets of an answer (git-scm.com/docs/gitprotocol-common, "pkt-line Format"). Throws if it is cut, or an error of the server. */
function readPackets(response: HttpResponse): string[] {
  const { url } = response;
  const bytes = response.bytes();
  const lines: string[] = [];
  let position = 0;
  let digits = '';
  // The last packet is `0000`.
  while (position < bytes.length || digits !== '0000') {
    digits = bytes.toString('latin1', position, position + 4);
    // A length includes its digits. 0 has no content.
    const length = digits === '0000' ? 4 : Number.parseInt(digits, 16);
    const isWhole =
      /^[\da-f]{4}$/i.test(digits) && length >= 4 && position + length <= bytes.length;
    if (!isWhole) {
      throw SourceError.at(
        url,
        `expected a packet of Git at byte ${position + 1}; got something else, or the end`,
      );
    }

    const line = bytes.toString('utf8', position + 4, position + length).replace(/\n$/, '');
    if (line.startsWith('ERR ')) {
      throw SourceError.at(url, `Git answered ${quote(line.slice(4))}`);
    }
    lines.push(line);
    position += length;
  }

  return lines;
}
