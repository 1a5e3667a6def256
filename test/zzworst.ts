// usage: npx tsx worst.ts <tree> <sizeMB> <filter>
const [tree, mb, filter] = process.argv.slice(2);
(async () => {
 const { FAMILIES } = await import(`${tree}/test/hostile/families`);
 const { prepareReading } = await import(`${tree}/test/hostile/support/readingProcess`);
 const p = prepareReading();
 const rows: any[] = [];
 for (const { name } of FAMILIES.filter((f: any) => new RegExp(filter!).test(f.name))) {
  const reader = p.start();
  await reader.read({ ordinary: true, size: 200_000, times: 20 });
  for (const [input, ways] of (await reader.waysOf(name)).entries()) for (const [way, wn] of ways.entries()) {
   const r = await reader.read({ family: name, size: Number(mb) * 1048576, input, way }, 30_000);
   if (r === 'ended') { rows.push([99999, 99999, `${name} ${input} ${wn}`]); continue; }
   rows.push([Math.round(r.longestBlock), Math.round(r.milliseconds), `${name} ${input} ${wn} ${r.thrown ?? ''}`]);
  }
  reader.end();
 }
 rows.sort((a, b) => b[0] - a[0]);
 for (const r of rows.slice(0, 60)) console.log(r.join('\t'));
 p.end();
})();
