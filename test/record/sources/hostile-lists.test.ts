import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask } from '../../harness/asking.ts';

const lines = '\n'.repeat(150_000);
const packets = '0005a'.repeat(500_001);

it.each<[string, (registryUrl: string) => TypedSource, string, string, RegExp]>([
  [
    'of a registry for Cargo',
    (registryUrl) => ({ datasource: 'crate', packageName: 'agent', registryUrl }),
    ...(['/ag/en/agent', lines, /has more than the 100,000 parts that we read/] as const),
  ],
  [
    'of a module proxy',
    (registryUrl) => ({ datasource: 'go', packageName: 'example.com/agent', registryUrl }),
    ...(['/example.com/agent/@v/list', lines, /has more than the 100,000 parts/] as const),
  ],
  [
    'of a registry for Bundler',
    (registryUrl) => ({ datasource: 'rubygems', packageName: 'agent', registryUrl }),
    ...(['/info/agent', lines, /has more than the 100,000 parts/] as const),
  ],
  [
    'of a Git server, without line ends',
    (url) => ({ datasource: 'git-tags', packageName: `${url}agent.git` }),
    '/agent.git/info/refs?service=git-upload-pack',
    packets,
    /lists more than the 500000 references that we read/,
  ],
])(
  'a hostile list %s is rejected before it fills the memory',
  async (_, source, path, body, message) => {
    const type = path.includes('git')
      ? 'application/x-git-upload-pack-advertisement'
      : 'text/plain';

    await expect(ask(source, { documents: { [path]: { type, body } } })).rejects.toThrow(message);
  },
);
