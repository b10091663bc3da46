import { assert, uniq, sleep, between } from '../lib/util.mjs';
import Redis from 'ioredis';
import { createClient } from 'redis';
import redis3 from 'redis3';
export const names = [
  'redis-gcra',
  'async-ratelimiter',
  'ratelimiter+ioredis',
  'ratelimiter+node-redis3',
  'rolling-rate-limiter+ioredis',
  'rolling-rate-limiter+node-redis',
  'sliding-window-rate-limiter',
  '@upstash/ratelimit:fixedWindow',
  '@upstash/ratelimit:slidingWindow',
  '@upstash/ratelimit:tokenBucket',
  '@upstash/ratelimit:cachedFixedWindow',
];
// 2.1 and later start their scripts with `#!lua flags=allow-key-locking`, a flag that only Upstash's server knows
export const extras = ['fixedWindow', 'slidingWindow', 'tokenBucket', 'cachedFixedWindow'].map(
  (a) => `@upstash/ratelimit-2.2:${a}`,
);
export async function run(name, { host, port }) {
  const kp = uniq('c');
  const io = new Redis({ host, port });
  if (name === 'redis-gcra') {
    const { default: RedisGCRA } = await import('redis-gcra');
    const l = RedisGCRA({ redis: io, keyPrefix: kp, burst: 3, rate: 1, period: 60000 });
    const r = [];
    for (let i = 0; i < 4; i++) r.push(await l.limit({ key: 'u' }));
    assert.deepEqual(
      r.map((x) => x.limited),
      [false, false, false, true],
    );
    assert.deepEqual(
      r.map((x) => x.remaining),
      [2, 1, 0, 0],
    );
    between(r[3].retryIn, 30000, 60000, 'retryIn');
    between(r[2].resetIn, 150000, 180000, 'resetIn');
    const p = await l.peek({ key: 'u' });
    assert.equal(p.limited, true);
    assert.equal((await l.limit({ key: 'u', cost: 10 })).retryIn, Infinity);
    const short = RedisGCRA({ redis: io, keyPrefix: kp + 's', burst: 3, rate: 1, period: 1000 });
    // on a slow machine as much may come back as is spent, for a while
    while (!(await short.limit({ key: 'u' })).limited);
    await sleep(1050);
    assert.equal((await short.limit({ key: 'u' })).limited, false);
    assert.equal(await l.reset({ key: 'u' }), true);
    assert.equal(await l.reset({ key: 'u' }), false);
  } else if (name === 'async-ratelimiter') {
    const { default: L } = await import('async-ratelimiter');
    const l = new L({ db: io, id: kp, max: 3, duration: 60000 });
    const r = [];
    for (let i = 0; i < 5; i++) r.push(await l.get());
    assert.deepEqual(
      r.map((x) => x.remaining),
      [3, 2, 1, 0, 0],
    );
    between(r[4].reset * 1000 - Date.now(), 30000, 61500, 'reset');
    assert.equal((await l.get({ peek: true })).remaining, 0);
    const short = new L({ db: io, id: kp + 's', max: 3, duration: 1500 });
    while ((await short.get()).remaining > 0);
    await sleep(1600);
    assert.equal((await short.get()).remaining, 3);
  } else if (name.startsWith('ratelimiter+')) {
    const { default: L } = await import('ratelimiter');
    const db = name.endsWith('node-redis3') ? redis3.createClient({ host, port }) : io;
    const l = new L({ db, id: kp, max: 3, duration: 60000 });
    const get = () => new Promise((res, rej) => l.get((e, v) => (e ? rej(e) : res(v))));
    const r = [];
    for (let i = 0; i < 5; i++) r.push(await get());
    assert.deepEqual(
      r.map((x) => x.remaining),
      [3, 2, 1, 0, 0],
    );
    if (db !== io) await new Promise((f) => db.quit(f));
  } else if (name.startsWith('rolling-rate-limiter')) {
    const { NodeRedisRateLimiter, IORedisRateLimiter } = (await import('rolling-rate-limiter')).default;
    let mk, c;
    if (name.endsWith('+ioredis')) mk = (o) => new IORedisRateLimiter({ client: io, maxInInterval: 2, ...o });
    else {
      c = createClient({ socket: { host, port } });
      await c.connect();
      mk = (o) => new NodeRedisRateLimiter({ client: c, maxInInterval: 2, ...o });
    }
    const l = mk({ namespace: kp, interval: 60000 });
    const short = mk({ namespace: kp + 's', interval: 1000 });
    assert.deepEqual([await l.limit('u'), await l.limit('u'), await l.limit('u')], [false, false, true]);
    const i = await l.wouldLimitWithInfo('u');
    assert.equal(i.blocked, true);
    while (!(await short.limit('u')));
    await sleep(1100);
    assert.equal(await short.limit('u'), false);
    await l.clear('u');
    assert.equal(await l.limit('u'), false);
    if (c) await c.close();
  } else if (name === 'sliding-window-rate-limiter') {
    const m = await import('sliding-window-rate-limiter');
    const mk = m.SlidingWindowRateLimiter?.createLimiter ?? m.createLimiter ?? m.default?.createLimiter;
    const l = mk({ interval: 60000, redis: io });
    const r = [];
    for (let i = 0; i < 3; i++) r.push(await l.reserve(kp, 2));
    assert.ok(r[0].token && r[1].token && !r[2].token, JSON.stringify(r));
    assert.equal((await l.check(kp, 2)).usage, 2);
    assert.ok(await l.cancel(kp, r[1].token));
    assert.equal((await l.check(kp, 2)).usage, 1);
  } else {
    const { Ratelimit } = await import(name.includes('-2.2') ? 'upstash-ratelimit22' : '@upstash/ratelimit');
    // @upstash/redis speaks HTTP; the usual way to use a RESP server is this thin adapter
    const redis = {
      evalsha: (sha, keys, args) => io.evalsha(sha, keys.length, ...keys, ...args),
      eval: (s, keys, args) => io.eval(s, keys.length, ...keys, ...args),
      get: (k) => io.get(k),
      set: (k, v) => io.set(k, v),
      del: (k) => io.del(k),
      scriptLoad: (s) => io.script('LOAD', s),
    };
    const alg = {
      fixedWindow: () => Ratelimit.fixedWindow(3, '10 m'),
      slidingWindow: () => Ratelimit.slidingWindow(3, '10 m'),
      tokenBucket: () => Ratelimit.tokenBucket(3, '10 m', 3),
      cachedFixedWindow: () => Ratelimit.cachedFixedWindow(3, '10 m'),
    }[name.split(':')[1]]();
    while (Date.now() % 600000 > 570000) await sleep(50); // stay inside one window
    const l = new Ratelimit({
      redis,
      limiter: alg,
      prefix: kp,
      analytics: false,
      timeout: 0, // else it lets everybody through after 5 s
      ephemeralCache: name.includes('cached') ? new Map() : false,
    });
    const r = [];
    for (let i = 0; i < 5; i++) r.push(await l.limit('u'));
    // the cached variant decides from a local counter that starts after the first answer, so it may let one more through
    if (name.includes('cached')) {
      assert.equal(r[0].success, true);
      assert.equal(r[4].success, false, JSON.stringify(r.map((x) => x.success)));
    } else
      assert.deepEqual(
        r.map((x) => x.success),
        [true, true, true, false, false],
      );
    await Promise.all(r.map((x) => x.pending));
    await sleep(50);
    const rem = await l.getRemaining('u');
    assert.ok((rem.remaining ?? rem) <= 0);
    await l.resetUsedTokens('u');
    assert.equal((await l.limit('u')).success, true);
  }
  await io.quit();
}
