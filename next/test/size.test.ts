import { expect, test } from 'vitest';
import { countRooms } from '../.ci/size.ts';

test('no room has more code than its limit', async () => {
  const rooms = await countRooms();

  expect(rooms.filter(({ size, limit }) => size > limit)).toEqual([]);
  expect(rooms).toHaveLength(11);
});
