// usage: node runner.mjs PORT [--only substr[,substr]] [--trace DIR] [--timeout MS] [--extras | --extras-only]
// core scenarios pass on Debian's redis-server 7.0.15; extras need more (Valkey's `server` object, unknown script
// flags being ignored, CL.THROTTLE, ...) and are what a rate limiting server should offer on top.
// One line per scenario: "PASS <name> (<ms> ms)" or "FAIL <name>: <reason>"; last line "N passed, M failed".
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startTap } from './lib/tap.mjs';
const here = path.dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
const port = +args[0];
const opt = (k, d) => {
  const i = args.indexOf(k);
  return i < 0 ? d : args[i + 1];
};
if (!port) {
  console.error('usage: node runner.mjs PORT [--only s] [--trace DIR]');
  process.exit(2);
}
const only = opt('--only', '').split(',').filter(Boolean);
const trace = opt('--trace');
const timeout = +opt('--timeout', '60000');
const extras = args.includes('--extras'),
  extrasOnly = args.includes('--extras-only');
if (trace) fs.mkdirSync(trace, { recursive: true });
const files = fs
  .readdirSync(path.join(here, 'scenarios'))
  .filter((f) => f.endsWith('.mjs'))
  .sort();
let pass = 0,
  fail = 0;
for (const f of files) {
  const m = await import(path.join(here, 'scenarios', f));
  const wanted = extrasOnly ? (m.extras ?? []) : [...(m.names ?? []), ...(extras ? (m.extras ?? []) : [])];
  for (const name of wanted) {
    if (only.length && !only.some((o) => name.includes(o))) continue;
    let p = port,
      tap;
    if (trace) {
      tap = await startTap(0, port, path.join(trace, name.replace(/[^\w.@-]+/g, '_') + '.txt'));
      p = tap.port;
    }
    const t = Date.now();
    const err = await runChild(f, name, p);
    if (tap) await tap.close();
    if (err) {
      fail++;
      console.log(`FAIL ${name}: ${err}`);
    } else {
      pass++;
      console.log(`PASS ${name} (${Date.now() - t} ms)`);
    }
  }
}
console.log(`${pass} passed, ${fail} failed`);
process.exit(fail ? 1 : 0);

function runChild(file, name, p) {
  return new Promise((resolve) => {
    const c = spawn(process.execPath, [path.join(here, 'lib', 'child.mjs'), file, name, String(p)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    c.stdout.on('data', (d) => (out += d));
    c.stderr.on('data', (d) => (out += d));
    const timer = setTimeout(() => {
      c.kill('SIGKILL');
    }, timeout);
    c.on('close', (code, sig) => {
      clearTimeout(timer);
      if (code === 0) return resolve(null);
      if (sig) return resolve(`killed (${sig}) after ${timeout} ms; output: ${one(out)}`);
      resolve(one(out) || `exit ${code}`);
    });
  });
}
function one(s) {
  return s
    .trim()
    .split('\n')
    .map((l) => l.trim())
    .filter(Boolean)
    .slice(0, 4)
    .join(' | ')
    .slice(0, 600);
}
