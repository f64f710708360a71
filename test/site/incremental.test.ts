import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { age, build, buildAfresh, contents, makeRoot, write } from './sites.ts';

const definition = (title: string, more: object = {}) => ({
  title,
  homepage: 'https://example.com/',
  changelogUrl: 'https://example.com/changelog',
  sources: [],
  ...more,
});
const term = { support: { policy: 'term', months: 12 } };

let dir: string;
let out: string;

beforeEach(() => {
  dir = makeRoot({
    'components/svc.json': definition('Service', term),
    'components/edge-node.json': definition('Edge node'),
    'data/svc.json': {
      releases: [
        { version: '1.0', releaseTimestamp: '2025-09-03', firstSeen: '2025-09-03' },
        { version: '1.1', releaseTimestamp: '2026-08-01', firstSeen: '2026-08-01' },
        { version: '1.2', releaseTimestamp: '2026-09-05', firstSeen: '2026-09-05' },
      ],
    },
    'data/edge-node.json': { releases: [{ version: '7.1' }, { version: 'nonsense' }] },
  });
  out = join(dir, 'dist');
});

afterEach(() => rmSync(dir, { recursive: true }));

/** Builds so that the next build can trust what it remembers. */
function buildAndSettle(): void {
  build(dir);
  age(dir);
  build(dir);
}

describe('a rebuild', () => {
  it('leaves the folder alone where nothing changed, and says the same as the build before', () => {
    const first = build(dir);
    const before = statSync(out);

    const second = build(dir);

    expect(second).toEqual({ ...first, written: 0, removed: 0 });
    expect(second.findings.map((finding) => finding.message)).toContain(
      '"nonsense" has no place in the version order. Left out.',
    );
    expect(statSync(out).ino).toBe(before.ino);
  });

  it('writes only the files of the component that changed, and what is said of all', () => {
    buildAndSettle();
    const inode = (path: string) => statSync(join(out, path)).ino;
    const before = new Map([...contents(out).keys()].map((path) => [path, inode(path)]));
    write(join(dir, 'data/edge-node.json'), { releases: [{ version: '7.1' }, { version: '7.2' }] });

    const built = build(dir);

    const written = [...before].filter(([path, ino]) => inode(path) !== ino).map(([path]) => path);
    expect(written).toHaveLength(built.written);
    expect(written.filter((path) => path.includes('svc'))).toEqual([]);
    expect(written).toEqual(
      expect.arrayContaining(['edge-node.json', 'edge-node.html', 'all.json', 'status.json']),
    );
    expect(contents(out)).toEqual(buildAfresh(dir));
  });

  it('writes only the parts of all.json that hold a component that changed', () => {
    const inode = (path: string) => statSync(join(out, path)).ino;
    const large = (name: string) => ({
      releases: Array.from({ length: 6500 }, (_, index) => ({
        version: `1.${index}`,
        changelogUrl: `https://example.com/${name.padEnd(1900, '.')}`,
      })),
    });
    for (const name of ['agent', 'cli']) {
      write(join(dir, `components/${name}.json`), definition(name));
      write(join(dir, `data/${name}.json`), large(name));
    }
    buildAndSettle();
    const [first, second] = [inode('all/1.json'), inode('all/2.json')];
    expect(Object.keys(partOf('all/1.json'))).toEqual(['agent']);

    write(join(dir, 'data/svc.json'), { releases: [{ version: '9.0' }] });
    build(dir);

    expect(inode('all/1.json')).toBe(first);
    expect(inode('all/2.json')).not.toBe(second);
    expect(partOf('all/2.json')).toMatchObject({ svc: { releases: [{ version: '9.0' }] } });

    rmSync(join(dir, 'components/agent.json'));
    build(dir);

    expect(contents(out)).toEqual(buildAfresh(dir));
  });

  function partOf(path: string): object {
    return (JSON.parse(readFileSync(join(out, path), 'utf8')) as { components: object }).components;
  }

  it('finds a deprecation that falls due although no data changed', () => {
    buildAndSettle();

    build(dir, { day: '2026-09-03' });

    const { releases } = JSON.parse(readFileSync(join(out, 'svc.json'), 'utf8'));
    expect(releases[0]).toEqual({
      version: '1.0',
      releaseTimestamp: '2025-09-03T00:00:00Z',
      isDeprecated: true,
    });
  });

  it('names the newest version of what replaces a component, on the page of a component that did not change', () => {
    write(join(dir, 'components/edge-node.json'), definition('Edge node', { replacedBy: 'svc' }));
    buildAndSettle();

    write(join(dir, 'data/svc.json'), { releases: [{ version: '1.3' }] });
    build(dir);

    expect(contents(out)).toEqual(buildAfresh(dir));
    expect(readFileSync(join(out, 'edge-node.html'), 'utf8')).toContain(
      '&quot;replacementVersion&quot;: &quot;1.3&quot;',
    );
    expect(readFileSync(join(out, 'renovate.json'), 'utf8')).toContain('"replacementVersion": "1.3"');
  });

  it('shows a release from the day on for which it is dated', () => {
    buildAndSettle();

    build(dir, { day: '2026-09-05' });

    expect(readFileSync(join(out, 'latest/svc.txt'), 'utf8')).toBe('1.2\n');
  });

  it('goes back to an earlier day', () => {
    build(dir, { day: '2026-09-05' });

    build(dir, { day: '2026-09-01' });

    expect(contents(out)).toEqual(buildAfresh(dir, { day: '2026-09-01' }));
  });

  it.each<[string, (path: string) => void]>([
    ['was deleted', (path) => rmSync(path)],
    ['was edited', (path) => writeFileSync(path, 'edited')],
    [
      'was edited and given back its size and time',
      (path) => {
        const { size, atime, mtime } = statSync(path);
        writeFileSync(path, 'x'.repeat(size));
        utimesSync(path, atime, mtime);
      },
    ],
  ])('restores a file of the site that %s', (_, harm) => {
    for (const path of ['svc.html', 'all.json', 'assets/site.css', 'SHA256SUMS']) {
      buildAndSettle();
      harm(join(out, path));

      build(dir);

      expect(contents(out)).toEqual(buildAfresh(dir));
    }
  });

  it('notices an input that was edited and given back its size and time', () => {
    buildAndSettle();
    const path = join(dir, 'components/svc.json');
    const { atime, mtime } = statSync(path);
    writeFileSync(path, readFileSync(path, 'utf8').replace('Service', 'Servant'));
    utimesSync(path, atime, mtime);

    build(dir);

    expect(readFileSync(join(out, 'svc.html'), 'utf8')).toContain('Servant');
  });

  it('removes the files of a component that is gone', () => {
    buildAndSettle();
    rmSync(join(dir, 'components/svc.json'));
    rmSync(join(dir, 'data/svc.json'));

    const built = build(dir);

    expect(built.removed).toBeGreaterThan(5);
    expect(readdirSync(out).filter((name) => name.startsWith('svc'))).toEqual([]);
    expect(contents(out)).toEqual(buildAfresh(dir));
  });

  it('refuses a file that no build made, also where nothing else changed', () => {
    buildAndSettle();
    writeFileSync(join(out, 'notes.txt'), 'mine');

    expect(() => build(dir)).toThrow(`${out}: no build made notes.txt.`);
    expect(readFileSync(join(out, 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('refuses what became broken, and keeps the site', () => {
    buildAndSettle();
    const before = contents(out);
    write(join(dir, 'components/readme.txt'), 'what is this?');

    expect(() => build(dir)).toThrow('expected a file <component>.json');
    expect(contents(out)).toEqual(before);
  });

  it('needs no memory where none can be kept', () => {
    writeFileSync(join(dir, '.cache'), 'a file in the way');

    build(dir);
    build(dir, { day: '2026-09-05' });

    expect(readFileSync(join(out, 'latest/svc.txt'), 'utf8')).toBe('1.2\n');
    expect(readFileSync(join(dir, '.cache'), 'utf8')).toBe('a file in the way');
  });

  it('does not believe a memory that is damaged', () => {
    buildAndSettle();
    const cache = join(dir, '.cache/build');
    for (const name of readdirSync(cache)) {
      const text = readFileSync(join(cache, name), 'utf8');
      writeFileSync(join(cache, name), text.replaceAll('1.1', '6.6'));
    }
    write(join(dir, 'data/edge-node.json'), { releases: [] });

    build(dir);

    expect(contents(out)).toEqual(buildAfresh(dir));
  });

  it('is a build from nothing, whatever happened in between', { timeout: 120_000 }, () => {
    const version = fc.constantFrom('1.0', '1.1', '1.2', '2.0', '3.0-rc1');
    const day = fc.constantFrom(
      '2025-08-30',
      '2026-08-31',
      '2026-09-01',
      '2026-09-02',
      '2026-09-03',
      '2027-08-01',
    );
    const release = fc.record(
      { version, releaseTimestamp: day, firstSeen: day, deprecated: fc.constant('Use 2.') },
      { requiredKeys: ['version'] },
    );
    const component = fc.constantFrom('svc', 'edge-node', 'svcctl');
    const step = fc.oneof(
      fc.tuple(component, fc.array(release, { maxLength: 3 })).map(([name, releases]) => () => {
        write(join(dir, `data/${name}.json`), { releases });
        if (!existsSync(join(dir, `components/${name}.json`)))
          write(join(dir, `components/${name}.json`), definition(name));
      }),
      fc
        .tuple(
          component,
          fc.constantFrom({}, term, {
            deprecated: [{ versions: ['1.0'], reason: 'Broken.', since: '2026-09-02' }],
          }),
        )
        .map(
          ([name, more]) =>
            () =>
              write(join(dir, `components/${name}.json`), definition(name, more)),
        ),
      component.map((name) => () => {
        for (const folder of ['components', 'data'])
          rmSync(join(dir, folder, `${name}.json`), { force: true });
      }),
      // A memory that is lost together with the list of files leaves a folder that nobody vouches for.
      fc.constant(() => {
        build(dir);
        rmSync(join(dir, '.cache'), { recursive: true, force: true });
      }),
      fc.constant(() => age(dir)),
      fc.nat().map((place) => () => {
        const paths = existsSync(out) ? [...contents(out).keys()] : [];
        if (paths.length > 0) writeFileSync(join(out, paths[place % paths.length]!), 'edited');
      }),
      fc.constant(() => undefined),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(step, day), { minLength: 2, maxLength: 6 }), (steps) => {
        for (const [change, on] of steps) {
          change();
          build(dir, { day: on });

          expect(contents(out)).toEqual(buildAfresh(dir, { day: on }));
        }
      }),
      { numRuns: 10 },
    );
  });
});
