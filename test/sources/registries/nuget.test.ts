import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

const own = { '@id': '/r/', '@type': 'RegistrationsBaseUrl' };
const elsewhere = { ...own, '@id': 'https://registry.example.org/' };

test.each<[string, resources: object[], message: string]>([
  ['a page at another host', [own], 'at the same host'],
  [
    'a registration at another host',
    [elsewhere],
    'at the same host; got "https://registry.example.org/"',
  ],
  [
    'an address that is not a service index',
    [],
    'names no RegistrationsBaseUrl. Use the address for version 3 of the protocol',
  ],
])('nuget rejects %s', async (_, resources, message) => {
  const asked = askRegistry(
    { datasource: 'nuget', packageName: 'Example.Agent' },
    { '/': json({ resources }), '/r/example.agent/index.json': json({ items: [elsewhere] }) },
  );

  await expect(asked).rejects.toThrow(message);
});
