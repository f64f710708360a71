import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toolCommands } from '../../../src/site/pages/list-commands.ts';
import { readList } from '../../../src/ask/read-list.ts';
import { formatPurl } from '../../../src/core/purl.ts';
import { lacks } from '../../harness/programs.ts';

/** Returns what a command of use.html prints for the output of its tool. `command`: the tool, and pipes that read its output. */
function pipe(tool: string, output: string): string {
  const { command } = toolCommands.find((each) => each.tool === tool)!;
  const filter = command.slice(command.indexOf(' | ') + ' | '.length);
  return execFileSync('sh', ['-c', filter], { input: output, encoding: 'utf8' });
}

test.each([
  [
    'pnpm before 11',
    '/srv/shop\n/srv/shop/node_modules/.pnpm/a:@angular/core@15.1.0\n/srv/shop/x:redis@4.6.10\n',
    'pkg:npm/%40angular/core@15.1.0 pkg:npm/redis@4.6.10',
  ],
  [
    'Yarn 1',
    '├─ @angular/core@15.1.0\n│  └─ tslib@^2.3.0\n└─ redis@4.6.10\n',
    'pkg:npm/%40angular/core@15.1.0 pkg:npm/redis@4.6.10',
  ],
  [
    'Bun',
    '/srv/shop node_modules (2)\n├── @angular/core@15.1.0\n└── redis@4.6.10\n',
    'pkg:npm/%40angular/core@15.1.0 pkg:npm/redis@4.6.10',
  ],
  [
    'pip',
    'redis==5.0.1\nZope.Interface==6.0\n',
    'pkg:pypi/redis@5.0.1 pkg:pypi/zope-interface@6.0',
  ],
  ['uv', 'redis==5.0.1\n', 'pkg:pypi/redis@5.0.1'],
  [
    'Poetry',
    'django 3.2   A high-level framework\nredis (!) 5.0.1 Client for Redis\n',
    'pkg:pypi/django@3.2 pkg:pypi/redis@5.0.1',
  ],
])('the list for %s names the packages of its registry', (tool, output, expected) => {
  const { items, problems } = readList(pipe(tool, output), new Map());

  expect(items.map(({ purl }) => purl && formatPurl(purl)).join(' ')).toBe(expected);
  expect(problems).toEqual([]);
});

const conda = (name: string, version: string, build_string: string, channel = 'conda-forge') => ({
  ...{ name, version, build_string, channel },
});

test.skipIf(lacks('jq')).each([
  [
    'conda',
    [
      conda('python', '3.11.5', 'hab00c5b_0_cpython'),
      conda('elasticsearch', '8.11.0', 'pyhd8ed1ab_0'),
      conda('redis', '5.0.1', 'pypi_0', 'pypi'),
    ],
    ['python 3.11.5', 'pkg:pypi/elasticsearch@8.11.0', 'pkg:pypi/redis@5.0.1'],
  ],
  [
    'Cargo',
    { packages: [{ name: 'redis', version: '0.23.0', source: 'registry' }, { name: 'shop' }] },
    ['pkg:cargo/redis@0.23.0'],
  ],
  [
    '.NET',
    {
      projects: [
        { frameworks: [{ topLevelPackages: [{ id: 'Npgsql', resolvedVersion: '8.0' }] }] },
        {},
      ],
    },
    ['pkg:nuget/Npgsql@8.0'],
  ],
  [
    'Composer',
    { installed: [{ name: 'elasticsearch/elasticsearch', version: 'v8.11.0' }] },
    ['pkg:composer/elasticsearch/elasticsearch@v8.11.0'],
  ],
  // A chart has a version of its own: this chart 12.1.0 installs PostgreSQL 15.1.0.
  [
    'Helm',
    [
      { chart: 'postgresql-12.1.0', app_version: '15.1.0' },
      { chart: 'cert-manager-v1.12.3', app_version: 'v1.12.3' },
      { chart: 'k8s-gateway-2.1.0-rc.1', app_version: '0.4.0' },
    ],
    ['postgresql 15.1.0', 'cert-manager v1.12.3', 'k8s-gateway 0.4.0'],
  ],
])(
  'the list for %s names products and packages, each with its own version',
  (tool, output, lines) => {
    expect(pipe(tool, JSON.stringify(output)).trim().split('\n')).toEqual(lines);
  },
);
