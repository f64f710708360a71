import * as z from 'zod';
import { documented } from '../../core/schemas/keys.ts';
import { UpstreamUrl } from '../../core/schemas/urls.ts';
import type { HttpResponse } from '../../io/http/client.ts';
import { defineSource, type SourceContext, SourceError } from './datasource.ts';
import { toElements, readReleases } from './shared/document.ts';
import { joinUrl, resolveAtHost } from './shared/requests.ts';

const service = 'git-upload-pack';
const tags = 'refs/tags/';

/** Packets without content, which end a message or a part of it. */
const markers = new Set(['0000', '0001', '0002']);
/** An older server lists all references, several for each change that was ever proposed. */
const maxReferences = 500_000;
const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * Asks a Git server over HTTP for its tags only, by protocol version 2 (git-scm.com/docs/gitprotocol-v2). An older server lists
 * all references (git-scm.com/docs/gitprotocol-http). Neither version states the days of tags.
 */
export const gitTags = defineSource({
  datasource: 'git-tags',
  coordinates: {
    packageName: documented(
      UpstreamUrl.refine((text) => !/[?#]/.test(text), {
        error: 'expected an address without ? and #',
      }),
      'Address for cloning the repository over https.',
      'https://git.example.com/owner/repo.git',
    ),
  },
  renovate: ({ packageName }) => {
    const repository = packageName.replace(/(?:\.git)?\/*$/, '');
    return {
      matchDatasources: ['git-tags'],
      matchPackageNames: [repository, `${repository}.git`],
    };
  },
  async gather({ packageName: repository }, context) {
    const answer = await context.http.fetch({
      url: joinUrl(repository, ['info', 'refs'], `service=${service}`),
      accept: [`application/x-${service}-advertisement`],
      headers: { 'git-protocol': 'version=2' },
    });
    const advertised = readPktLines(answer);
    const lines = advertised.includes('version 2')
      ? await fetchTagLines(repository, answer, advertised, context)
      : advertised;
    const elements = toElements(readCommits(lines));
    return readReleases(answer.url, elements, z.string(), (id, tag) => ({
      digests: { [tag]: id },
    }));
  },
  describe: ({ packageName: repository }) => Promise.resolve({ repository }),
});

/** Asks for the tags, at the address after redirects. */
async function fetchTagLines(
  repository: string,
  answer: HttpResponse,
  capabilities: readonly string[],
  { http }: SourceContext,
): Promise<string[]> {
  const formats = capabilities.filter((line) => line.startsWith('object-format='));
  const command = ['command=ls-refs', ...formats].map(encodePktLine);
  const options = ['peel', `ref-prefix ${tags}`].map(encodePktLine);

  const response = await http.fetch({
    url: resolveAtHost(answer, `../${service}`, service),
    namedUrl: repository,
    method: 'POST',
    body: {
      type: `application/x-${service}-request`,
      text: [...command, '0001', ...options, '0000'].join(''),
    },
    accept: [`application/x-${service}-result`],
    headers: { 'git-protocol': 'version=2' },
  });
  return readPktLines(response);
}

/**
 * The commit of each tag, whose id is the digest of its content. The commit of an annotated tag follows in the same line, or in
 * another line as `name^{}`.
 */
function readCommits(lines: readonly string[]): Map<string, string> {
  const commits = new Map<string, string>();
  for (const line of lines) {
    const [id = '', reference = '', ...attributes] = line.split(/[ \0]/);
    if (!commitId.test(id) || !reference.startsWith(tags)) {
      continue;
    }

    const peeled = attributes.find((attribute) => attribute.startsWith('peeled:'));
    const tag = reference.slice(tags.length).replace(/\^\{\}$/, '');
    commits.set(tag, peeled?.replace('peeled:', '') ?? id);
  }

  return commits;
}

/**
 * The packets of Git's answer (git-scm.com/docs/gitprotocol-common, "pkt-line Format"), without line feeds at their ends. Throws
 * for a truncated packet, and for an error message of the server.
 */
function readPktLines(response: HttpResponse): string[] {
  const { url, body } = response;
  // Rejects names of tags that are not UTF-8.
  response.text();

  const lines: string[] = [];
  let position = 0;

  while (position < body.length) {
    const length = readPktLength(body.toString('latin1', position, position + 4));
    if (length === undefined || position + length > body.length) {
      const problem = `expected packets of Git; got something else at byte ${position + 1}`;
      throw SourceError.at(url, problem);
    }

    const line = body.toString('utf8', position + 4, position + length).replace(/\n$/, '');
    if (line.startsWith('ERR ')) {
      throw SourceError.at(url, `Git answered ${JSON.stringify(line.slice(4, 200))}`);
    }
    if (length > 4) {
      if (lines.length === maxReferences) {
        throw SourceError.at(url, `lists more than the ${maxReferences} references that we read`);
      }
      lines.push(line);
    }

    position += length;
  }

  return lines;
}

/** The length of a packet, including these four digits; undefined if the text is no length. */
function readPktLength(digits: string): number | undefined {
  if (markers.has(digits)) {
    return 4;
  }

  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0;
  return length < 4 ? undefined : length;
}

/** A line as a packet, whose length includes these four digits and the line feed. */
function encodePktLine(line: string): string {
  return `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`;
}
