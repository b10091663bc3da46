// Native redis-cell command through the generic call interface of each client (extras: plain Redis has no CL.THROTTLE).
import { assert, uniq, sleep, between } from '../lib/util.mjs';
import Redis from 'ioredis';
import { createClient } from 'redis';
export const names = [];
export const extras = [
  'CL.THROTTLE+ioredis',
  'CL.THROTTLE+node-redis',
  'CL.THROTTLE:inside-lua',
  'CL.THROTTLE:inside-multi',
  'CL.THROTTLE:COMMAND-INFO',
  'CL.THROTTLE:errors',
  'GCRA+ioredis',
];
export async function run(name, { host, port }) {
  const k = uniq('cl');
  const io = new Redis({ host, port });
  if (name.startsWith('CL.THROTTLE+')) {
    let call = (...a) => io.call(...a),
      c;
    if (name.endsWith('node-redis')) {
      c = createClient({ socket: { host, port } });
      await c.connect();
      call = (...a) => c.sendCommand(a.map(String));
    }
    // redis-cell README: 15 max burst, 30 per 60 s => first reply 0 16 15 -1 2
    assert.deepEqual((await call('CL.THROTTLE', k, 15, 30, 60, 1)).map(Number), [0, 16, 15, -1, 2]);
    for (let i = 0; i < 16; i++) assert.equal(Number((await call('CL.THROTTLE', k + 's', 15, 30, 3600))[0]), 0);
    const r = (await call('CL.THROTTLE', k + 's', 15, 30, 3600)).map(Number);
    assert.equal(r[0], 1);
    assert.equal(r[1], 16);
    assert.equal(r[2], 0);
    between(r[3], 60, 120, 'retry_after');
    between(r[4], 1800, 1920, 'reset_after');
    const q = (await call('CL.THROTTLE', k + 'q', 9, 10, 3600, 4)).map(Number);
    assert.deepEqual(q.slice(0, 4), [0, 10, 6, -1]);
    const peek = (await call('CL.THROTTLE', k + 'q', 9, 10, 3600, 0)).map(Number);
    assert.equal(peek[2], 6);
    const f = (await call('CL.THROTTLE', k + 'f', 0, 1, 1)).map(Number);
    assert.deepEqual(f.slice(0, 3), [0, 1, 0]);
    await sleep(1050);
    assert.equal(Number((await call('CL.THROTTLE', k + 'f', 0, 1, 1))[0]), 0);
    await call('DEL', k);
    assert.deepEqual((await call('CL.THROTTLE', k, 15, 30, 60)).map(Number), [0, 16, 15, -1, 2]);
    if (c) await c.close();
  } else if (name.endsWith('inside-lua')) {
    assert.deepEqual(
      await io.eval("return redis.call('CL.THROTTLE', KEYS[1], 15, 30, 60, 1)", 1, k),
      [0, 16, 15, -1, 2],
    );
  } else if (name.endsWith('inside-multi')) {
    const r = await io.multi().call('CL.THROTTLE', k, 15, 30, 60).call('CL.THROTTLE', k, 15, 30, 60).exec();
    assert.equal(r[0][1][2], 15);
    assert.equal(r[1][1][2], 14);
  } else if (name.endsWith('COMMAND-INFO')) {
    const r = await io.call('COMMAND', 'INFO', 'CL.THROTTLE');
    assert.ok(Array.isArray(r) && r[0], 'kumomta asks this to decide whether to use CL.THROTTLE');
  } else if (name.endsWith('errors')) {
    assert.equal(Number((await io.call('CL.THROTTLE', k + 'ok', 1, 1, 1))[0]), 0);
    await assert.rejects(() => io.call('CL.THROTTLE', k));
    await assert.rejects(() => io.call('CL.THROTTLE', k, 'x', 30, 60));
  } else {
    const r = (await io.call('GCRA', k, 2, 4, 1)).map(Number);
    assert.equal(r[0], 0);
    assert.equal(r[1], 3);
    assert.equal(r.length, 5);
  }
  await io.quit();
}
