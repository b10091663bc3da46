// runs one scenario in its own process: node child.mjs FILE NAME PORT
const [, , file, name, port] = process.argv;
process.on('unhandledRejection', (e) => {
  console.error('unhandledRejection', e?.stack ?? e);
  process.exit(3);
});
const mod = await import(`../scenarios/${file}`);
try {
  await mod.run(name, { host: '127.0.0.1', port: +port });
  process.exit(0);
} catch (e) {
  console.error(e?.stack ?? String(e));
  process.exit(1);
}
