/**
 * Follows README on small machines: a new Debian or Ubuntu with nothing but git, curl and a Node, and a user without special rights. The
 * machines share a root that debootstrap makes. Each has its own home folder.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { program } from '../harness/example.ts';
import { lacks, requireProgram } from '../harness/programs.ts';
import { readBlocks } from '../printed/list.ts';

// Downloads take minutes if the registries are slow.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 1_800_000 });

const isRoot = process.getuid?.() === 0;
// debootstrap needs a file system with devices, so /dev/shm does not do.
const root = lacks('debootstrap') ? '' : mkdtempSync('/var/tmp/small-machine-');
const certificates = '/etc/ssl/certs/ca-certificates.crt';

function runAsRoot(...command: readonly string[]): string {
  const [file = '', ...args] = isRoot ? command : ['sudo', '-n', ...command];
  return execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 1e8 });
}

/** Enters the root with its own /proc. When the command ends, the mount is gone. */
const enter = `mount -t proc proc "$0/proc" && exec chroot --userspec=jane "$0" env -i HOME=/home/jane \
  NODE_EXTRA_CA_CERTS=${certificates} PATH="/opt/$1/node_modules/.bin:/usr/bin:/bin" bash -c "$2"`;

/** Runs a script as the user jane, with the Node in a folder of /opt. */
function run(node: string, script: string): string {
  return runAsRoot('unshare', '--mount', 'sh', '-c', enter, root, node, script);
}

beforeAll(() => {
  if (root === '') {
    return;
  }

  const [, suite = ''] = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))!;
  const packages = '--include=git,curl,ca-certificates';
  runAsRoot(requireProgram('debootstrap'), '--variant=minbase', packages, suite, root);
  if (existsSync(certificates)) {
    runAsRoot('cp', certificates, join(root, certificates));
  }
  // Only the owner of the new folder may read it.
  runAsRoot('chmod', '755', root);
  runAsRoot('chroot', root, 'useradd', '--create-home', 'jane');
  runAsRoot('git', 'clone', '--quiet', '--bare', `file://${program}`, join(root, 'srv/clone'));
  runAsRoot('chroot', root, 'chown', '-R', 'jane', '/srv/clone');
});

afterAll(() => root && runAsRoot('rm', '-rf', '--one-file-system', root));

/** Returns the commands with which README creates an index, without the last one, which serves the index until Ctrl-C. */
function readCommands(needsRebuild: boolean): string[] {
  const block = readBlocks('README.md', 'sh').find((text) => text.includes('git clone'))!;
  const lines = block.split('\n');
  expect(lines.pop()).toBe('npx release-index preview');
  // README says: with npm 10, `npm rebuild` comes after the installation if the Node is too old.
  return lines.flatMap((line) =>
    needsRebuild && /npm (?:ci|install)$/.test(line) ? [line, 'npm rebuild'] : [line],
  );
}

test.skipIf(lacks('debootstrap')).each([
  ['20.20.2', '10.8.2', /^v24\./],
  ['20.20.2', '11.21.2', /^v24\./],
  ['22.22.2', '10.9.4', /^v22\.22\.2$/],
  ['24.21.0', '11.21.2', /^v24\.21\.0$/],
])(
  'a small machine with Node %s and npm %s creates an index as README says, with a Node that matches %s',
  (node, npm, used) => {
    const name = `node-${node}-npm-${npm}`;
    const packages = [`node-linux-${process.arch}@${node}`, `npm@${npm}`];
    runAsRoot('mkdir', '-p', join(root, 'opt', name));
    const install = ['npm', 'install', '--no-save', '--loglevel=error', '--prefix'];
    runAsRoot(
      'env',
      `PATH=${process.env['PATH']}`,
      ...install,
      join(root, 'opt', name),
      ...packages,
    );
    const commands = readCommands(node.startsWith('20.') && npm.startsWith('10.'));

    const output = run(
      name,
      `set -e; mkdir ~/${name}; cd ~/${name}; git config --global url.file:///srv/clone.insteadOf https://github.com/example/release-index.git
${commands.join('\n')}
npm exec -c 'node --version'; cd ../release-index; npm exec -c 'node --version'; git status --porcelain`,
    );

    expect(output).toContain('Built dist/: 4 components in ');
    // The last lines are the Node of the index, and the Node of the clone. A changed file of the clone would come after them.
    const matching: unknown = expect.stringMatching(used);
    expect(output.trim().split('\n').slice(-2)).toEqual([matching, matching]);
  },
);
