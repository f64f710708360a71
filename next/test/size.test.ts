import { expect, test } from 'vitest';
import { countRooms } from '../.ci/size.ts';

test('no room has more code than its limit', async () => {
  const rooms = await countRooms();

  expect(rooms.filter(({ characters, limit }) => characters > limit)).toEqual([]);
  expect(rooms.filter(({ characters }) => characters === 0)).toEqual([]);
});
