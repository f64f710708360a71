import type { Serving } from '../serving.ts';
import type { Document } from '../upstream.ts';

const repository = '/group/agent.git';
const commit = '2695effb5807a22ff3d138d593fd856244e155e7';

export const gitTags: Serving = {
  name: 'git-tags',
  home: `${repository}/`,
  statesNoDay: true,
  source: (url) => ({ datasource: 'git-tags', packageName: `${url}group/agent.git` }),
  documents(releases) {
    const capabilities = ['version 2', 'agent=git/2.50.0', 'ls-refs', 'fetch=shallow', 'object-format=sha1'];
    const advertised = packets('# service=git-upload-pack') + packets(...capabilities);
    const tags = releases.map(({ version }) => `${commit} refs/tags/${version}`);
    return new Map<string, Document>([
      [
        `${repository}/info/refs?service=git-upload-pack`,
        { type: 'application/x-git-upload-pack-advertisement', body: advertised },
      ],
      [
        `${repository}/git-upload-pack`,
        { type: 'application/x-git-upload-pack-result', body: packets(...tags) },
      ],
    ]);
  },
};

/** git-scm.com/docs/gitprotocol-common, "pkt-line Format". */
export function packets(...lines: string[]): string {
  const framed = lines.map(
    (line) => `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`,
  );
  return `${framed.join('')}0000`;
}
