import { digestOf, type ImitatedUpstream } from '../imitated-upstream.ts';
import type { Document } from '../upstream.ts';

const repository = '/group/agent.git';

export const gitTags: ImitatedUpstream = {
  name: 'git-tags',
  home: `${repository}/`,
  statesNoDay: true,
  source: (url) => ({ datasource: 'git-tags', packageName: `${url}group/agent.git` }),
  documents(releases) {
    const capabilities = [
      'version 2',
      'agent=git/2.50.0',
      'ls-refs',
      'fetch=shallow',
      'object-format=sha1',
    ];
    const advertised = packets('# service=git-upload-pack') + packets(...capabilities);
    const tags = releases.map(
      (release) => `${digestOf(release, 'sha1')} refs/tags/${release.version}`,
    );
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
  digests: (release) => ({ [release.version]: `sha1:${digestOf(release, 'sha1')}` }),
};

/** git-scm.com/docs/gitprotocol-common, "pkt-line Format". */
export function packets(...lines: string[]): string {
  const framed = lines.map(
    (line) => `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`,
  );
  return `${framed.join('')}0000`;
}
