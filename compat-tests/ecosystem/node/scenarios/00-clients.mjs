// Plain client behaviour: connection set-up, pipelining, MULTI, scripts, pub/sub, errors.
import { assert, uniq, sleep, raw, between } from '../lib/util.mjs';
export const names = [
  'client:ioredis6',
  'client:ioredis5',
  'client:ioredis4',
  'client:ioredis6-resp3-ready-check',
  'client:node-redis6-resp3',
  'client:node-redis6-resp2',
  'client:node-redis5',
  'client:node-redis4',
  'client:node-redis3',
  'client:iovalkey',
  'client:valkey-glide',
];
export async function run(name, { host, port }) {
  if (name.startsWith('client:ioredis') || name === 'client:iovalkey') return io(name, host, port);
  if (name === 'client:node-redis3') return nr3(host, port);
  if (name === 'client:valkey-glide') return glide(host, port);
  return nr(name, host, port);
}
const LUA =
  "local v=redis.call('INCRBY',KEYS[1],ARGV[1]) redis.call('PEXPIRE',KEYS[1],ARGV[2]) return {v,redis.call('PTTL',KEYS[1])}";
async function io(name, host, port) {
  const pkg = {
    'client:ioredis6': 'ioredis',
    'client:ioredis6-resp3-ready-check': 'ioredis',
    'client:ioredis5': 'ioredis5',
    'client:ioredis4': 'ioredis4',
    'client:iovalkey': 'iovalkey',
  }[name];
  const mod = await import(pkg);
  const Redis = mod.default?.default ?? mod.default;
  const opts = { host, port, connectionName: 'compat', db: 3, ...(name.includes('resp3') ? { protocol: 3 } : {}) };
  const r = new Redis(opts);
  const k = uniq('io');
  assert.equal(await r.ping(), 'PONG');
  assert.equal(await r.set(k, 'v', 'PX', 60000), 'OK');
  between(await r.pttl(k), 1, 60000, 'pttl');
  const m = await r
    .multi()
    .incr(k + ':n')
    .pexpire(k + ':n', 1000)
    .pttl(k + ':n')
    .exec();
  assert.deepEqual(
    m.map((x) => x[0]),
    [null, null, null],
  );
  assert.equal(m[0][1], 1);
  assert.equal(m[1][1], 1);
  const p = await r.pipeline().get(k).incr(k).get(k).exec(); // an error in the middle must not break the rest
  assert.match(p[1][0].message, /not an integer/);
  assert.equal(p[2][1], 'v');
  r.defineCommand('compatIncr', { numberOfKeys: 1, lua: LUA });
  assert.equal((await r.compatIncr(k + ':s', 3, 90000))[0], 3);
  await r.script('FLUSH');
  assert.equal((await r.compatIncr(k + ':s', 3, 90000))[0], 6); // NOSCRIPT -> EVAL fallback
  await assert.rejects(() => r.evalsha('f'.repeat(40), 0), /NOSCRIPT/);
  const sub = r.duplicate();
  const got = [];
  await sub.subscribe(k + ':ch');
  sub.on('message', (c, msg) => got.push([c, msg]));
  assert.equal(await r.publish(k + ':ch', 'hello'), 1);
  for (let i = 0; i < 3000 && !got.length; i++) await sleep(10);
  assert.deepEqual(got, [[k + ':ch', 'hello']]);
  await sub.unsubscribe(k + ':ch');
  await sub.quit();
  await r.del(k, k + ':n', k + ':s');
  assert.equal(await r.quit(), 'OK');
}
async function nr(name, host, port) {
  const v = name.match(/redis(\d)/)[1];
  const mod = await import({ 6: 'redis', 5: 'redis5', 4: 'redis4' }[v]);
  const c = mod.createClient({
    socket: { host, port },
    name: 'compat',
    database: 2,
    ...(name.endsWith('resp3') ? { RESP: 3 } : name.endsWith('resp2') ? { RESP: 2 } : {}),
  });
  c.on('error', () => {});
  await c.connect();
  const k = uniq('nr');
  assert.equal(await c.ping(), 'PONG');
  assert.equal(await c.set(k, 'v', { PX: 60000 }), 'OK');
  between(await c.pTTL(k), 1, 60000, 'pttl');
  const m = await c
    .multi()
    .incr(k + ':n')
    .pExpire(k + ':n', 1000)
    .get(k)
    .exec();
  assert.equal(Number(m[0]), 1);
  assert.equal(m[2], 'v');
  const sha = await c.scriptLoad(LUA);
  assert.match(sha, /^[0-9a-f]{40}$/);
  assert.equal((await c.evalSha(sha, { keys: [k + ':s'], arguments: ['2', '90000'] }))[0], 2);
  assert.equal((await c.eval(LUA, { keys: [k + ':s'], arguments: ['2', '90000'] }))[0], 4);
  await assert.rejects(() => c.evalSha('f'.repeat(40), { keys: [], arguments: [] }), /NOSCRIPT/);
  await c.zAdd(k + ':z', [
    { score: 1, value: 'a' },
    { score: 2, value: 'b' },
  ]);
  const z = await c.zRangeWithScores(k + ':z', 0, -1);
  assert.deepEqual(
    z.map((x) => [x.value, x.score]),
    [
      ['a', 1],
      ['b', 2],
    ],
  );
  const got = [];
  const sub = c.duplicate();
  sub.on('error', () => {});
  await sub.connect();
  await sub.subscribe(k + ':ch', (msg) => got.push(msg));
  await c.publish(k + ':ch', 'hello');
  for (let i = 0; i < 3000 && !got.length; i++) await sleep(10);
  assert.deepEqual(got, ['hello']);
  await sub.unsubscribe(k + ':ch');
  await (sub.close?.() ?? sub.quit());
  await c.del([k, k + ':n', k + ':s', k + ':z']);
  await (c.close?.() ?? c.quit());
}
async function nr3(host, port) {
  const redis = (await import('redis3')).default;
  const c = redis.createClient({ host, port });
  const k = uniq('nr3');
  const cmd = (n, ...a) => new Promise((res, rej) => c[n](...a, (e, v) => (e ? rej(e) : res(v))));
  assert.equal(await cmd('set', k, '1', 'PX', '60000'), 'OK');
  const m = await new Promise((res, rej) =>
    c
      .multi([
        ['incr', k],
        ['pttl', k],
        ['script', 'load', 'return 1'],
      ])
      .exec((e, v) => (e ? rej(e) : res(v))),
  );
  assert.equal(m[0], 2);
  assert.match(m[2], /^[0-9a-f]{40}$/);
  assert.deepEqual(await cmd('eval', "return {1,'a',{2,3},false}", 0), [1, 'a', [2, 3], null]);
  await assert.rejects(() => cmd('evalsha', 'f'.repeat(40), 0), /NOSCRIPT/);
  await cmd('quit');
}
async function glide(host, port) {
  const { GlideClient, Script } = await import('@valkey/valkey-glide');
  const c = await GlideClient.createClient({
    addresses: [{ host, port }],
    clientName: 'compat',
    requestTimeout: 30000,
    advancedConfiguration: { connectionTimeout: 30000 },
  });
  const k = uniq('gl');
  assert.equal(await c.set(k, 'v'), 'OK');
  assert.equal(await c.get(k), 'v');
  const s = new Script(LUA);
  const r = await c.invokeScript(s, { keys: [k + ':s'], args: ['2', '9000'] });
  assert.equal(Number(r[0]), 2);
  await c.del([k, k + ':s']);
  c.close();
}
