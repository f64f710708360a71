import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../src/io/files/file-system.ts';
import { checkout } from './checkout.ts';
import { temporaryFolder } from './root.ts';
import { commandsFolder } from './sharing-npm.ts';

export const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
/** The commands of the README. */
export const blocks = Array.from(readme.matchAll(/^```(\w*)\n(.*?)^```$/gms), ([, kind, text]) => ({
  kind,
  text: text!,
}));

/** The files of a fresh clone: what is committed, and what will be. */
export function freshClone(): string {
  const clone = join(temporaryFolder(), 'release-index');
  const options = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const names = execFileSync('git', ['-C', checkout, ...options], { encoding: 'utf8' });
  const isThere = (name: string) => name !== '' && existsSync(join(checkout, name));
  for (const name of names.split('\n').filter(isThere)) {
    makeFolder(dirname(join(clone, name)));
    cpSync(join(checkout, name), join(clone, name));
  }
  return clone;
}

/** The checkout itself was installed by `npm ci`: its packages stand for another installation of the same lock. */
const npm = `npm=$(PATH=\${PATH#*"\${0%/*}":} command -v npm)
[ "$*" = ci ] || exec "$npm" "$@"
cmp package-lock.json ${checkout}/package-lock.json && mkdir node_modules &&
  ln -s ${checkout}/node_modules/* ${checkout}/node_modules/.bin node_modules`;
const commands = process.env['PATH']!.split(':').filter((path) => !path.includes('node_modules'));

/** Of somebody new. Nothing is reached but loopback. The shell stays in the folder that it went to. */
export const newcomerEnv = {
  PATH: [commandsFolder({ npm }), ...commands].join(':'),
  NODE_COMPILE_CACHE: temporaryFolder(),
  HOME: process.env['HOME']!,
  NO_COLOR: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
};

/** npm describes only what it has installed by name before; the checkout was installed by a lock. */
export function installingFrom(url: string) {
  return {
    ...newcomerEnv,
    npm_config_registry: url,
    npm_config_noproxy: '127.0.0.1',
    npm_config_offline: 'false',
  };
}
