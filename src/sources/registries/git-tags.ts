import * as z from 'zod';
import { quote } from '../../core/text.ts';
import type { HttpResponse } from '../http/client.ts';
import { SourceError } from '../http/failures.ts';
import { readReleases } from '../read-releases.ts';
import { joinUrl, resolveAtHost } from '../requests.ts';
import type { Datasource, SourceContext } from '../types.ts';

const service = 'git-upload-pack';
const prefix = 'refs/tags/';
const headers = { 'git-protocol': 'version=2' };

/**
 * Asks a Git server for its tags, by version 2 of its protocol (git-scm.com/docs/gitprotocol-v2). An older server lists all references.
 * Neither states days. `packageName`: the address for cloning.
 */
export const gitTags: Datasource<{ packageName: string }> = {
  async list({ packageName }, context) {
    const response = await context.http.fetch({
      url: joinUrl(packageName.replace(/\/$/, ''), ['info', 'refs'], `service=${service}`),
      accept: `application/x-${service}-advertisement`,
      headers,
    });
    const advertised = readPackets(response);
    const lines = advertised.includes('version 2')
      ? await fetchTagLines(response, context)
      : advertised;
    const entry = z
      .tuple([z.string(), z.string()])
      .transform(([version, commit]) => ({ version, digests: [commit] }));
    return readReleases(response.url, context.day, [...readCommits(lines)], entry);
  },
  describe: ({ packageName }) => Promise.resolve({ repository: packageName }),
};

async function fetchTagLines(response: HttpResponse, { http }: SourceContext): Promise<string[]> {
  const command = encodePacket('command=ls-refs');
  const options = ['peel', `ref-prefix ${prefix}`].map(encodePacket).join('');
  return readPackets(
    await http.fetch({
      ...resolveAtHost(response, `../${service}`),
      method: 'POST',
      body: `${command}0001${options}0000`,
      accept: `application/x-${service}-result`,
      headers: { ...headers, 'content-type': `application/x-${service}-request` },
    }),
  );
}

/** The commit of each tag. That of an annotated tag follows in the same line, or in a line of its own as `name^{}`. */
function readCommits(lines: readonly string[]): Map<string, string> {
  const commits = new Map<string, string>();
  for (const line of lines) {
    const [id = '', reference = '', ...attributes] = line.split(/[ \0]/);
    if (/^[0-9a-f]{40}$/.test(id) && reference.startsWith(prefix)) {
      const peeled = attributes.find((attribute) => attribute.startsWith('peeled:'));
      commits.set(
        reference.slice(prefix.length).replace(/\^\{\}$/, ''),
        peeled?.slice('peeled:'.length) ?? id,
      );
    }
  }
  return commits;
}

/** The packets of an answer (git-scm.com/docs/gitprotocol-common, "pkt-line Format"). Throws if it is cut, or an error of the server. */
function readPackets(response: HttpResponse): string[] {
  const { url } = response;
  const bytes = response.bytes();
  const lines: string[] = [];
  let digits = '';
  for (let position = 0; position < bytes.length;) {
    digits = bytes.toString('latin1', position, position + 4);
    // 0, 1 and 2 have no content.
    const length = /^000[0-2]$/.test(digits) ? 4 : Number.parseInt(digits, 16);
    if (!/^[0-9a-f]{4}$/i.test(digits) || length < 4 || position + length > bytes.length) {
      throw SourceError.at(
        url,
        `expected packets of Git; got something else at byte ${position + 1}`,
      );
    }

    const line = bytes.toString('utf8', position + 4, position + length).replace(/\n$/, '');
    if (line.startsWith('ERR ')) {
      throw SourceError.at(url, `Git answered ${quote(line.slice(4))}`);
    }
    lines.push(line);
    position += length;
  }

  if (digits !== '0000') {
    throw SourceError.at(url, 'expected packets of Git; the answer was cut');
  }
  return lines;
}

function encodePacket(line: string): string {
  return `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`;
}
