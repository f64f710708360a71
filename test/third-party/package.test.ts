import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { packProgram } from '../harness/own-index.ts';
import { pathsIn, readJsonIn, temporaryFolder } from '../harness/root.ts';

describe('the package', () => {
  const tarball = packProgram();
  const unpacked = temporaryFolder();
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  const manifest = readJsonIn<Record<string, never>>(unpacked, 'package.json');
  const ours = readJsonIn<Record<string, never>>(checkout, 'package.json');

  test('the package is small, and holds the program, its templates and schemas, and the starter', () => {
    const paths = pathsIn(unpacked);

    expect(statSync(tarball).size).toBeLessThan(760_000);
    const documents = ['.github', 'CHANGELOG.md', 'LICENSE', 'README.md'];
    expect(new Set(paths.map((path) => path.split('/')[0]))).toEqual(
      new Set([...documents, 'lib', 'npm-shrinkwrap.json', 'package.json', 'site']),
    );
    expect(
      paths.filter((path) => /\.ts$|\.test\.|^(?!site\/schema\/).*site\.json$/.test(path)),
    ).toEqual(['site/starter/site/site.json']);
  });

  test('the package holds the manual, and each link of it and of the README of an index leads to a file', () => {
    const names = pathsIn(unpacked).filter((path) => /^\.github\/.*\.md$/.test(path));
    const starter = 'site/starter/README.md';
    const missing = [...names, starter].flatMap((name) => {
      const text = readFileSync(join(unpacked, name), 'utf8');
      const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)/g), ([, link]) => link!);
      const folder = name === starter ? '.' : dirname(name);
      const paths = links.map((link) =>
        join(unpacked, folder, link.replace('node_modules/release-index/', '')),
      );
      return paths.filter((path) => !existsSync(path));
    });

    expect(names).toEqual(
      expect.arrayContaining(['.github/CONTRACT.md', '.github/RUNBOOK.md', '.github/SETUP.md']),
    );
    expect(missing).toEqual([]);
  });

  test('the package has the version, the address and the dependencies of the checkout, and no scripts', () => {
    for (const key of ['name', 'version', 'license', 'repository', 'dependencies']) {
      expect(manifest[key]).toEqual(ours[key]);
    }
    for (const key of ['private', 'scripts', 'devDependencies', 'optionalDependencies']) {
      expect(manifest).not.toHaveProperty(key);
    }
    expect(manifest).toMatchObject({
      bin: { 'release-index': 'lib/cli.js' },
      peerDependenciesMeta: { wrangler: { optional: true } },
      publishConfig: { provenance: true },
    });
  });

  test('the package locks each of its dependencies by digest, and no other', () => {
    type Lock = {
      packages: Record<string, { version: string; integrity?: string; dev?: boolean }>;
    };
    const { packages: packed } = readJsonIn<Lock>(unpacked, 'npm-shrinkwrap.json');
    const { packages: known } = readJsonIn<Lock>(checkout, 'package-lock.json');
    const paths = Object.keys(packed).filter((path) => path !== '');

    expect(paths).toEqual(
      expect.arrayContaining(
        Object.keys(ours['dependencies']!).map((name) => `node_modules/${name}`),
      ),
    );
    expect(paths.filter((path) => known[path]?.dev || /node_modules\/node-/.test(path))).toEqual(
      [],
    );
    for (const path of paths) {
      expect(packed[path]!.integrity, path).toMatch(/^sha512-/);
      expect(packed[path]!.integrity, path).toBe(known[path]!.integrity);
    }
  });

  test('the package asks for the oldest Node that all of its dependencies take', () => {
    const { packages } = readJsonIn<{
      packages: Record<string, { dev?: boolean; optional?: boolean; engines?: { node?: string } }>;
    }>(checkout, 'package-lock.json');
    const { node } = manifest['engines'] as unknown as { node: string };
    const lowest = node.replace('>=', '');
    const ranges = Object.entries(packages)
      .filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
      .map(([, { engines }]) => engines?.node ?? '*');

    expect(ranges.filter((range) => !satisfies(lowest, range))).toEqual([]);
    // The lowest of 22, not only some that will do.
    expect(ranges.some((range) => range.includes(lowest))).toBe(true);
  });
});

test('the change log has the version, and the notes of a release are made from it', () => {
  const { version } = readJsonIn<{ version: string }>(checkout, 'package.json');
  const options = { cwd: checkout, encoding: 'utf8', stdio: 'pipe' } as const;
  const notes = (tag: string) =>
    execFileSync(process.execPath, ['.ci/release-notes.ts', tag], options);

  expect(notes(`v${version}`)).toMatch(/^\S/);
  expect(() => notes('v0.0.1')).toThrow(`package.json says ${version}, and the tag is "v0.0.1"`);
});
