import { rmSync } from 'node:fs';
import { fixtureIndex } from '../../harness/checkout.ts';
import { addDays } from '../../../src/core/dates.ts';
import { createRoot, definition } from '../../harness/root.ts';
import { rootOf, siteOf, type TestComponent } from '../../harness/site.ts';
import { syntheticComponents, type SyntheticComponent } from './synthetic.ts';

export const asOf = '2026-11-20';

export interface BuiltFolder {
  /** Where the site is. */
  out: string;
  remove(): void;
}

/** The site of the frozen index of the fixtures. */
export function buildFixtureIndex(): BuiltFolder {
  return folder(siteOf(fixtureIndex));
}

/** The site of a small index that asks agents for a credential. */
export function buildPrivate(): BuiltFolder {
  const root = createRoot();
  const users = [{ username: 'jane', email: 'jane@example.com' }];
  root.write('site/access.json', { protect: 'mcp', users });
  root.write('components/svc.json', definition());
  return folder(siteOf(root.dir, asOf, baseUrl));
}

/** The site of a root that has only these components. */
export function buildSynthetic(
  components: Readonly<Record<string, TestComponent>>,
  day = asOf,
  base = baseUrl,
): BuiltFolder {
  return folder(siteOf(rootOf(components), day, base));
}

/** As many components as a large index has: every fourth supports each of its lines for a time. */
export function buildMany(): BuiltFolder {
  const { calm } = syntheticComponents();
  const many = Array.from({ length: 403 }, (_, index): [string, SyntheticComponent] => {
    const { support, ...listed } = calm!.definition as { support: object };
    const definition = {
      ...listed,
      title: `Tool number ${index}`,
      labels: { team: index % 8 === 0 ? 'even' : 'odd' },
      ...(index % 4 === 0 && { support }),
    };
    const releases = calm!.releases.slice(-16 - (index % 8)).map((release) => ({
      ...release,
      releaseTimestamp: addDays(release.releaseTimestamp!.slice(0, 10), -index % 80),
    }));
    return [`tool-${index}`, { ...calm!, definition, releases }];
  });
  return buildSynthetic(Object.fromEntries(many));
}

const baseUrl = 'https://releases.example.com';

function folder(out: string): BuiltFolder {
  return { out, remove: () => rmSync(out, { recursive: true, force: true }) };
}
