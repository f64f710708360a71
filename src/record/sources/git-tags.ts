import { z } from 'zod';
import type { HttpResponse } from '../../io/http/client.ts';
import { showUrl } from '../../io/http/error.ts';
import { documented } from '../../core/schemas/documented.ts';
import { UpstreamUrl } from '../../core/schemas/links.ts';
import { onlySuchTags } from './renovate.ts';
import { elementsByName, expectFewParts, readReleases } from './elements.ts';
import { addressAtSameHost, addressBelow } from './requests.ts';
import { defineSource, type SourceContext, SourceError } from './source.ts';

const service = 'git-upload-pack';
const tags = 'refs/tags/';
/** Packets without content: the end of a message, or of a part of it. */
const markers = new Set(['0000', '0001', '0002']);
const commit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * Asks any Git server over HTTP for its tags alone: protocol version 2 (git-scm.com/docs/gitprotocol-v2), in which the server
 * picks them out. One that does not know it lists every reference there is (git-scm.com/docs/gitprotocol-http). Neither says
 * when a tag was made.
 */
export const gitTags = defineSource({
  datasource: 'git-tags',
  coordinates: {
    packageName: documented(
      UpstreamUrl.refine((text) => !/[?#]/.test(text), { error: 'expected an address without ? and #' }),
      'Address of the repository, as it is cloned over https.',
      'https://git.example.com/owner/repo.git',
    ),
  },
  timestamps: "nothing: Git's servers tell no days without a clone",
  renovate: ({ packageName }, latest) => {
    const repository = packageName.replace(/(?:\.git)?\/*$/, '');
    return {
      matchDatasources: ['git-tags'],
      matchPackageNames: [repository, `${repository}.git`],
      ...onlySuchTags(latest),
    };
  },
  async gather({ packageName: repository }, context) {
    const answer = await context.http.fetch({
      url: addressBelow(repository, ['info', 'refs'], `service=${service}`),
      accept: [`application/x-${service}-advertisement`],
      headers: { 'git-protocol': 'version=2' },
    });
    const advertised = readPktLines(answer);
    const lines = advertised.includes('version 2') ? await listTags(answer, advertised, context) : advertised;

    const listed = elementsByName(commitsOfTags(lines));
    return readReleases(answer.url, listed, z.string(), context, (id, tag) => ({ digests: { [tag]: id } }));
  },
  describe: ({ packageName: repository }) => Promise.resolve({ repository }),
});

/** The server may have led to another address of the repository, which holds for what follows as well. */
async function listTags(
  answer: HttpResponse,
  capabilities: readonly string[],
  { http }: SourceContext,
): Promise<string[]> {
  const url = addressAtSameHost(answer, `../${service}`, service)!;
  const format = capabilities.filter((line) => line.startsWith('object-format='));
  const response = await http.fetch({
    url,
    method: 'POST',
    body: {
      type: `application/x-${service}-request`,
      text: `${['command=ls-refs', ...format].map(pktLine).join('')}0001${['peel', `ref-prefix ${tags}`].map(pktLine).join('')}0000`,
    },
    accept: [`application/x-${service}-result`],
    headers: { 'git-protocol': 'version=2' },
  });
  return readPktLines(response);
}

/**
 * By tag, the commit that it stands for: a commit is named by the digest of what it holds. That of an annotated tag follows
 * it in the line, or in a line of its own as `name^{}`.
 */
function commitsOfTags(lines: readonly string[]): Map<string, string> {
  const commits = new Map<string, string>();
  for (const line of lines) {
    const [id = '', reference = '', ...attributes] = line.split(/[ \0]/);
    if (!commit.test(id) || !reference.startsWith(tags)) continue;
    const peeled = attributes.find((attribute) => attribute.startsWith('peeled:'));
    const tag = reference.slice(tags.length).replace(/\^\{\}$/, '');
    commits.set(tag, peeled?.replace('peeled:', '') ?? id);
  }
  return commits;
}

/**
 * The packets of an answer of Git (git-scm.com/docs/gitprotocol-common, "pkt-line Format"), each without the line feed at its
 * end. Throws where one breaks off, and where the server says that something is wrong.
 */
function readPktLines(response: HttpResponse): string[] {
  const at = showUrl(response.url);
  const { body } = response;
  expectFewParts(response.url, response.text(), /\n/g, 500_000);
  const lines: string[] = [];
  let position = 0;
  while (position < body.length) {
    const head = body.toString('latin1', position, position + 4);
    const length = markers.has(head) ? 4 : Number.parseInt(head, 16);
    if (!/^[0-9a-f]{4}$/i.test(head) || length < 4 || position + length > body.length) {
      throw new SourceError(`${at}: expected packets of Git; got something else at byte ${position + 1}`);
    }
    const line = body.toString('utf8', position + 4, position + length).replace(/\n$/, '');
    if (line.startsWith('ERR '))
      throw new SourceError(`${at}: Git answered ${JSON.stringify(line.slice(4, 200))}`);
    if (length > 4) lines.push(line);
    position += length;
  }
  return lines;
}

function pktLine(line: string): string {
  return `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`;
}
