import { assert, uniq, sleep, between, raw } from '../lib/util.mjs';
import rlf from 'rate-limiter-flexible';
import Redis from 'ioredis';
import { createClient } from 'redis';
import { createClient as createClient4 } from 'redis4';
import redis3 from 'redis3';
import IoValkey from 'iovalkey';
const {
  RateLimiterRedis,
  RateLimiterValkey,
  RateLimiterValkeyGlide,
  RateLimiterRedisNonAtomic,
  BurstyRateLimiter,
  RLWrapperBlackAndWhite,
  RateLimiterMemory,
  RateLimiterUnion,
  RateLimiterQueue,
  RateLimiterRes,
} = rlf;
const clients = ['ioredis6', 'node-redis6', 'node-redis4', 'node-redis3'];
export const names = [
  ...clients.map((c) => `rate-limiter-flexible:RateLimiterRedis+${c}`),
  'rate-limiter-flexible:NonAtomic',
  'rate-limiter-flexible:BurstyRateLimiter',
  'rate-limiter-flexible:RLWrapperBlackAndWhite',
  'rate-limiter-flexible:insurance',
  'rate-limiter-flexible:inmemory-block',
  'rate-limiter-flexible:Union',
  'rate-limiter-flexible:Queue',
];
// both use Valkey's `server.call` instead of `redis.call`; the glide one also FUNCTION LOAD + FCALL
export const extras = [
  'rate-limiter-flexible:RateLimiterValkey+iovalkey',
  'rate-limiter-flexible:RateLimiterValkeyGlide',
];
async function client(kind, host, port) {
  if (kind === 'ioredis6') {
    const c = new Redis({ host, port, enableOfflineQueue: true });
    return [c, {}, () => c.quit()];
  }
  if (kind === 'node-redis6') {
    const c = createClient({ socket: { host, port } });
    c.on('error', () => {});
    await c.connect();
    return [c, { useRedisPackage: true }, () => c.close()];
  }
  if (kind === 'node-redis4') {
    const c = createClient4({ socket: { host, port } });
    c.on('error', () => {});
    await c.connect();
    return [c, { useRedisPackage: true }, () => c.quit()];
  }
  const c = redis3.createClient({ host, port });
  return [c, { useRedis3AndLowerPackage: true }, () => new Promise((r) => c.quit(r))];
}
const rejects = async (p) => {
  try {
    await p;
  } catch (e) {
    if (e instanceof RateLimiterRes) return e;
    throw e;
  }
  throw new Error('expected a rejection');
};
// on a slow machine a short window may end before it is used up
const untilRejected = async (limiter, key) => {
  for (;;) {
    try {
      await limiter.consume(key);
    } catch (e) {
      if (e instanceof RateLimiterRes) return;
      throw e;
    }
  }
};
export async function run(name, { host, port }) {
  const kp = uniq('rlf');
  const kind = name.split('+')[1];
  if (name.includes('RateLimiterRedis+')) {
    const [c, extra, end] = await client(kind, host, port);
    const rl = new RateLimiterRedis({
      storeClient: c,
      points: 3,
      duration: 60,
      keyPrefix: kp,
      blockDuration: 0,
      ...extra,
    });
    if (kind === 'node-redis3') {
      // node-redis 3: only the consume path is promise based inside the library
      const r = await rl.consume('u', 1);
      assert.equal(r.consumedPoints, 1);
      assert.equal(r.remainingPoints, 2);
      await end();
      return;
    }
    const a = await rl.consume('u', 1);
    assert.equal(a.consumedPoints, 1);
    assert.equal(a.remainingPoints, 2);
    assert.equal(a.isFirstInDuration, true);
    between(a.msBeforeNext, 30000, 60000, 'msBeforeNext');
    const b = await rl.consume('u', 2);
    assert.equal(b.consumedPoints, 3);
    assert.equal(b.remainingPoints, 0);
    const rej = await rejects(rl.consume('u', 1));
    assert.equal(rej.consumedPoints, 4);
    between(rej.msBeforeNext, 1, 60000, 'rejected msBeforeNext');
    const g = await rl.get('u');
    assert.equal(g.consumedPoints, 4);
    assert.equal(await rl.get('nobody'), null);
    assert.equal((await rl.penalty('u', 2)).consumedPoints, 6);
    assert.equal((await rl.reward('u', 5)).consumedPoints, 1);
    assert.equal((await rl.set('u', 7, 90)).consumedPoints, 7);
    between((await rl.get('u')).msBeforeNext, 60001, 90000, 'after set');
    assert.equal(await rl.delete('u'), true);
    assert.equal(await rl.delete('u'), false);
    assert.equal(await rl.get('u'), null);
    await rl.block('b', 90);
    const bl = await rejects(rl.consume('b'));
    between(bl.msBeforeNext, 60001, 90000, 'blocked');
    const forever = new RateLimiterRedis({ storeClient: c, points: 2, duration: 0, keyPrefix: kp + 'f', ...extra }); // duration 0: MULTI INCRBY+PTTL, no expiry
    assert.equal((await forever.consume('u')).msBeforeNext, -1);
    await forever.consume('u');
    assert.equal((await rejects(forever.consume('u'))).consumedPoints, 3);
    await forever.delete('u');
    const short = new RateLimiterRedis({ storeClient: c, points: 3, duration: 2, keyPrefix: kp + 's', ...extra });
    await untilRejected(short, 'w');
    await sleep(2100);
    assert.equal((await short.consume('w')).consumedPoints, 1);
    const bd = new RateLimiterRedis({
      storeClient: c,
      points: 1,
      duration: 60,
      blockDuration: 90,
      keyPrefix: kp + 'bd',
      ...extra,
    });
    await bd.consume('u');
    between((await rejects(bd.consume('u'))).msBeforeNext, 60001, 90000, 'blockDuration');
    const ev = new RateLimiterRedis({
      storeClient: c,
      points: 5,
      duration: 5,
      execEvenly: true,
      execEvenlyMinDelayMs: 20,
      keyPrefix: kp + 'ev',
      ...extra,
    });
    await ev.consume('u');
    const par = await Promise.allSettled(
      Array.from({ length: 40 }, () =>
        new RateLimiterRedis({ storeClient: c, points: 10, duration: 60, keyPrefix: kp + 'p', ...extra }).consume('u'),
      ),
    );
    assert.equal(par.filter((x) => x.status === 'fulfilled').length, 10, 'exactly 10 of 40 concurrent calls pass');
    await end();
    return;
  }
  if (name.endsWith('RateLimiterValkey+iovalkey')) {
    const c = new IoValkey({ host, port });
    const rl = new RateLimiterValkey({ storeClient: c, points: 2, duration: 60, keyPrefix: kp });
    assert.equal((await rl.consume('u')).consumedPoints, 1);
    await rl.consume('u');
    assert.equal((await rejects(rl.consume('u'))).consumedPoints, 3);
    assert.equal((await rl.get('u')).consumedPoints, 3);
    assert.equal(await rl.delete('u'), true);
    await rl.block('u', 60);
    await rejects(rl.consume('u'));
    await c.quit();
    return;
  }
  if (name.endsWith('RateLimiterValkeyGlide')) {
    const { GlideClient } = await import('@valkey/valkey-glide');
    const c = await GlideClient.createClient({
      addresses: [{ host, port }],
      requestTimeout: 30000,
      advancedConfiguration: { connectionTimeout: 30000 },
    });
    const rl = new RateLimiterValkeyGlide({
      storeClient: c,
      points: 2,
      duration: 60,
      keyPrefix: kp,
      useFunctions: true,
    });
    assert.equal((await rl.consume('u')).consumedPoints, 1);
    await rl.consume('u');
    assert.equal((await rejects(rl.consume('u'))).consumedPoints, 3);
    assert.equal((await rl.get('u')).consumedPoints, 3);
    assert.equal(await rl.delete('u'), true);
    c.close();
    return;
  }
  const c = new Redis({ host, port });
  const mk = (o) => new RateLimiterRedis({ storeClient: c, keyPrefix: kp + (o.sfx ?? ''), ...o });
  if (name.endsWith('NonAtomic')) {
    const rl = new RateLimiterRedisNonAtomic({ storeClient: c, points: 2, duration: 60, keyPrefix: kp });
    assert.equal((await rl.consume('u')).consumedPoints, 1);
    await rl.consume('u');
    await rejects(rl.consume('u'));
  } else if (name.endsWith('BurstyRateLimiter')) {
    const bu = new BurstyRateLimiter(mk({ points: 2, duration: 60 }), mk({ sfx: 'burst', points: 5, duration: 120 }));
    let ok = 0;
    for (let i = 0; i < 12; i++) {
      try {
        await bu.consume('u');
        ok++;
      } catch (e) {
        assert.ok(e instanceof RateLimiterRes);
      }
    }
    assert.equal(ok, 7);
    assert.ok((await bu.get('u')).consumedPoints >= 2);
  } else if (name.endsWith('RLWrapperBlackAndWhite')) {
    const w = new RLWrapperBlackAndWhite({
      limiter: mk({ points: 1, duration: 60 }),
      whiteList: ['good'],
      blackList: ['bad'],
      isWhiteListed: (k) => k === 'good2',
      isBlackListed: (k) => k === 'bad2',
    });
    for (let i = 0; i < 3; i++) {
      await w.consume('good');
      await w.consume('good2');
    }
    await rejects(w.consume('bad'));
    await rejects(w.consume('bad2'));
    await w.consume('u');
    await rejects(w.consume('u'));
    await w.block('u2', 60);
    await rejects(w.consume('u2'));
    assert.equal(await w.delete('u2'), true);
  } else if (name.endsWith('insurance')) {
    const dead = new Redis({
      host,
      port: 1,
      lazyConnect: true,
      retryStrategy: null,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    });
    dead.on('error', () => {});
    const ins = mk({ points: 5, duration: 60 });
    const rl = new RateLimiterRedis({
      storeClient: dead,
      points: 1,
      duration: 60,
      keyPrefix: kp + 'x',
      insuranceLimiter: ins,
      rejectIfRedisNotReady: true,
    });
    assert.equal((await rl.consume('u')).consumedPoints, 1);
    assert.equal((await rl.consume('u')).consumedPoints, 2); // served by the insurance limiter on the live server
    const rl2 = mk({
      sfx: 'y',
      points: 1,
      duration: 60,
      insuranceLimiter: new RateLimiterMemory({ points: 1, duration: 60 }),
      rejectIfRedisNotReady: true,
    });
    await rl2.consume('u');
    await rejects(rl2.consume('u'));
  } else if (name.endsWith('inmemory-block')) {
    const rl = mk({ points: 2, duration: 60, inMemoryBlockOnConsumed: 3, inMemoryBlockDuration: 60 });
    await rl.consume('u', 2);
    await rejects(rl.consume('u'));
    const before = (await rl.get('u')).consumedPoints;
    await rejects(rl.consume('u'));
    assert.equal((await rl.get('u')).consumedPoints, before, 'blocked in memory: the server must not be asked');
  } else if (name.endsWith('Union')) {
    const u = new RateLimiterUnion(mk({ sfx: '1', points: 1, duration: 60 }), mk({ sfx: '2', points: 5, duration: 60 }));
    await u.consume('u');
    await assert.rejects(() => u.consume('u'));
  } else if (name.endsWith('Queue')) {
    const q = new RateLimiterQueue(mk({ points: 2, duration: 1 }), { maxQueueSize: 10 });
    const t = Date.now();
    await Promise.all([1, 2, 3, 4].map(() => q.removeTokens(1)));
    between(Date.now() - t, 700, 30000, 'queue time');
  }
  await c.quit();
}
