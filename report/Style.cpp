#include "report/Sections.h"

namespace argent::report {

const char *const style_sheet = R"css(
:root {
  --paper: #fdfdfc; --surface: #f4f5f5; --ink: #1d2126; --soft: #565d66; --faint: #69707a; --rule: #e0e2e4; --rule2: #c4c8cd;
  --blue: #1460aa; --blue-pale: #dce8f5; --teal: #0b7468; --teal-pale: #d5ece8; --rust: #ad4a12; --rust-pale: #f7e3d6;
  --grey: #6c747e; --band: #eff1f2; --good: #1a7340; --bad: #b3261e; --bad-pale: #fbe9e7; --amber-pale: #fdf4de; --amber: #8a5a00;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --surface: #1c2024; --ink: #e4e7ea; --soft: #a5adb6; --faint: #8e97a1; --rule: #2b3036; --rule2: #454c55;
    --blue: #7db5ee; --blue-pale: #1c344c; --teal: #58c4b4; --teal-pale: #15383a; --rust: #eb9a66; --rust-pale: #46291a;
    --grey: #8f98a3; --band: #1d2226; --good: #6cc98f; --bad: #ff8a80; --bad-pale: #43201e; --amber-pale: #362b14; --amber: #e8bd68;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Inter",
  "Helvetica Neue", "Liberation Sans", Arial, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 1184px; margin: 0 auto; padding: 56px 32px 48px; }
article + article { margin-top: 96px; padding-top: 64px; border-top: 1px solid var(--rule2); }
code, pre { font-family: var(--mono); font-size: 0.9em; }
a { color: var(--blue); text-decoration: none; }
a:hover { text-decoration: underline; }
.kind { margin: 0 0 4px; color: var(--faint); font-size: 13px; letter-spacing: 0.02em; }
h1 { margin: 0; font-size: 44px; line-height: 1.1; font-weight: 600; letter-spacing: -0.022em; overflow-wrap: anywhere; }
.what { margin: 10px 0 0; color: var(--soft); }
.what b { color: var(--ink); font-weight: 600; }
h2 { margin: 0 0 4px; font-size: 22px; font-weight: 600; letter-spacing: -0.012em; }
h3 { margin: 18px 0 8px; font-size: 15px; font-weight: 600; }
section { margin-top: 64px; scroll-margin-top: 16px; }
.lead { margin: 0 0 20px; color: var(--soft); max-width: 46em; }
h2 + div, h2 + table { margin-top: 16px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 12px 0; border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); font-size: 14px; }
nav.accelerators { margin: 0 0 48px; font-weight: 600; }

.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 28px 32px; margin: 36px 0 30px; }
.figures.area { margin-top: -4px; padding-top: 24px; border-top: 1px solid var(--rule); grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); }
.figure dt { color: var(--soft); font-size: 13px; }
.figure dd { margin: 0; }
.figure b { font-size: 27px; font-weight: 600; line-height: 1.3; letter-spacing: -0.015em; }
.figure span { color: var(--soft); font-size: 14px; }
.figure small { display: block; color: var(--soft); font-size: 13px; line-height: 1.4; }
.figure.good small, .good { color: var(--good); }
.figure.off b, .figure.off small, .off { color: var(--bad); }
.share { display: block; height: 3px; margin: 3px 0 5px; max-width: 150px; background: var(--rule); border-radius: 2px; }
.share i { display: block; height: 3px; background: var(--blue); border-radius: 2px; }

.warnings { list-style: none; margin: 24px 0 0; padding: 0; font-size: 14px; }
.warnings li { padding: 9px 14px; margin-top: 6px; border-left: 3px solid var(--amber); background: var(--amber-pale); overflow-wrap: anywhere; white-space: pre-line; }
.warnings li.note { border-color: var(--rule2); background: var(--surface); color: var(--soft); }

.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(420px, 100%), 1fr)); gap: 24px; }
.pictures figure, .stencils figure { margin: 0; }
.pictures img { display: block; width: 100%; height: auto; background: var(--surface); border-radius: 3px; }
.pictures img.small { image-rendering: pixelated; }
figcaption { margin-top: 6px; color: var(--soft); font-size: 13px; }
.pictures figcaption b { color: var(--ink); font-weight: 600; margin-right: 4px; }

.drawing { overflow-x: auto; }
svg { display: block; max-width: 100%; height: auto; margin: 0 auto; font-size: 11px; overflow: visible; }
svg text { fill: var(--soft); }
.legend { margin: 14px 0 0; color: var(--soft); font-size: 13px; }
.legend .wide { margin-left: 8px; }
.key { display: inline-block; width: 18px; height: 3px; margin: 0 6px 3px 14px; border-radius: 2px; vertical-align: middle; background: var(--rule2); }
.key:first-child { margin-left: 0; }
.key.rows, .key.stage { background: var(--blue); } .key.few { background: var(--grey); } .key.wire { background: var(--rule2); }
.key.read { background: var(--teal); } .key.write { background: var(--rust); }
#timeline .key, .key.read, .key.write, .key.stage { height: 9px; }
.key.tap, .key.reg { width: 11px; height: 11px; } .key.tap { background: var(--blue); }
.key.reg { background: var(--surface); box-shadow: inset 0 0 0 1px var(--rule2); }
.key.ram { height: 9px; background: var(--blue-pale); }

.node .box { fill: var(--surface); stroke: var(--rule2); }
.node.input .box { fill: var(--teal-pale); stroke: var(--teal); }
.node.output .box { fill: var(--rust-pale); stroke: var(--rust); }
.node .name { font: 600 13px var(--mono); fill: var(--ink); }
.node .source { fill: var(--soft); }
.node .window { fill: var(--ink); }
.edge .line { fill: none; stroke: var(--rule2); }
.edge .head { fill: var(--rule2); }
.edge.rows .line { stroke: var(--blue); } .edge.rows .head { fill: var(--blue); }
.edge.few .line { stroke: var(--grey); } .edge.few .head { fill: var(--grey); }
.label .back { fill: var(--paper); }
.label.rows .t { fill: var(--blue); }
.dataflow.hover .edge:not(.hot), .dataflow.hover .label:not(.hot) { opacity: 0.18; }
.dataflow.hover .node:not(.hot) { opacity: 0.45; }

.timeline .name { font: 12px var(--mono); fill: var(--ink); }
.timeline .band { fill: var(--band); }
.timeline .grid { stroke: var(--rule); }
.timeline .tick, .timeline .phase { fill: var(--faint); }
.timeline .phase { fill: var(--soft); }
.timeline .clock { fill: var(--ink); font-size: 12px; }
.bar.stage { fill: var(--blue); } .bar.read { fill: var(--teal); } .bar.write { fill: var(--rust); }
.bar.behind { opacity: 0.28; }
.bar.host { fill: var(--grey); } .bar.driver { fill: var(--ink); } .bar.launch { fill: var(--blue); } .bar.launch.odd { opacity: 0.65; }
.key.host { background: var(--grey); } .key.driver { background: var(--ink); } .key.launch { background: var(--blue); } #board .key { height: 9px; }
.timeline .cut { fill: var(--paper); } .timeline .cutline { stroke: var(--rule2); }
.shares { display: flex; height: 8px; margin: 18px 0 0; gap: 1px; border-radius: 3px; overflow: hidden; }
.shares i { min-width: 2px; background: var(--rule2); } .shares .steady { background: var(--blue); opacity: 0.55; flex: 1; }
.formula { margin: 18px 0 0; } .formula span { color: var(--soft); margin-right: 8px; }
.formula code { overflow-wrap: anywhere; }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(460px, 100%), 1fr)); gap: 16px; margin-top: 20px; }
.card { min-width: 0; padding: 16px 18px 14px; border: 1px solid var(--rule); border-radius: 6px; }
.card h3 { margin: 0; font-weight: 400; color: var(--soft); } .card h3 code { font-weight: 600; color: var(--ink); margin-right: 4px; }
.card .sizes { margin: 0 0 14px; font-size: 13px; color: var(--soft); } .card .sizes b { font-weight: 600; color: var(--ink); }
.card svg { margin: 0; }
.buffer .reg { fill: var(--surface); stroke: var(--rule2); stroke-width: 0.7; }
.buffer .tap { fill: var(--blue); } .buffer .ram { fill: var(--blue-pale); }
.buffer .hidden { stroke: var(--blue-pale); stroke-width: 2; stroke-dasharray: 2 4; } .buffer .stream { stroke: var(--grey); stroke-width: 1.4; } .buffer .streamhead { fill: var(--grey); }
.buffer .origin { fill: none; stroke: var(--soft); } .buffer .origin.on { stroke: var(--paper); stroke-width: 1.4; }
.stencils { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: flex-end; margin-top: 14px; }

table { border-collapse: collapse; font-size: 14px; }
th { text-align: left; font-weight: 600; }
thead th { color: var(--soft); font-weight: 400; font-size: 13px; vertical-align: bottom; border-bottom: 1px solid var(--rule2); white-space: nowrap; }
thead small { display: block; font-size: 11px; color: var(--faint); }
th, td { padding: 6px 10px; vertical-align: top; } th:first-child, td:first-child { padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
.n { text-align: right; white-space: nowrap; }
.stages { width: 100%; }
.stages tbody { border-bottom: 1px solid var(--rule); }
.stages tbody th { white-space: nowrap; } .stages em { margin-left: 6px; color: var(--soft); font-style: normal; font-weight: 400; font-size: 12px; }
.stages tbody tr:first-child > * { padding-top: 12px; }
.stages .more td { padding: 0 0 12px; color: var(--soft); font-size: 13px; }
.stages .more p { margin: 4px 0 0; max-width: 90em; overflow-wrap: anywhere; } .stages .more p b { font-weight: 600; }
.expression { display: block; max-height: 7.6em; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; color: var(--ink); font-size: 12.5px; }
.longest { margin: 12px 0 0; max-width: 90em; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; } .longest b { color: var(--ink); }
.at { margin-right: 10px; color: var(--faint); }
.timing > i { display: block; width: 54px; height: 3px; margin: 3px 0 0 auto; background: var(--rule); border-radius: 2px; }
.timing > i > i { display: block; height: 3px; background: var(--grey); border-radius: 2px; }
.late { color: var(--bad); font-weight: 600; } .late > i > i { background: var(--bad); }
.bars { width: 100%; } .bars th { font-weight: 400; white-space: nowrap; } .bars tbody tr + tr { border-top: 1px solid var(--rule); }
.bars .bar { position: relative; width: 46%; min-width: 120px; }
.bars .bar i { display: block; height: 10px; margin-top: 6px; border-radius: 2px; }
.bars .available { background: var(--rule); } .bars .needed { position: relative; margin-top: -10px !important; }
.bars .needed.read { background: var(--teal); } .bars .needed.write { background: var(--rust); }
.bars .ours { background: var(--blue); } .bars .theirs { background: var(--rule2); }
.short, .short .n { color: var(--bad); } .short .bar span { font-size: 12px; }
.paste { margin: 16px 0 0; padding: 18px 20px; background: var(--surface); border-radius: 6px; overflow-x: auto; line-height: 1.65; position: relative; }
.paste i { font-style: normal; color: var(--faint); } .paste .default { color: var(--soft); }
.paste button { position: absolute; top: 10px; right: 10px; font: 13px system-ui, sans-serif; padding: 3px 10px; color: var(--soft); background: var(--paper); border: 1px solid var(--rule2);
  border-radius: 4px; cursor: pointer; }
details { margin-top: 14px; } summary { cursor: pointer; color: var(--blue); }
.two { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 40px; align-items: start; margin-top: 12px; }
caption { text-align: left; color: var(--soft); font-size: 13px; padding-bottom: 6px; }
.plain td { padding-top: 3px; padding-bottom: 3px; } .plain tbody tr { border-bottom: 1px solid var(--rule); } .loose { color: var(--soft); }
.plain { width: 100%; font-size: 13px; } .why { color: var(--soft); width: 50%; }
footer { margin-top: 72px; padding-top: 14px; border-top: 1px solid var(--rule); color: var(--faint); font-size: 13px; }
@media (max-width: 760px) { main { padding: 28px 16px; } h1 { font-size: 34px; } .two { grid-template-columns: 1fr; } section { margin-top: 44px; } }
@media print { nav, .paste button { display: none; } section { break-inside: auto; } .card, figure, .stages tbody { break-inside: avoid; } }
)css";

const char *const script = R"js(
for (const svg of document.querySelectorAll('.dataflow')) {
  const all = s => svg.querySelectorAll(s);
  for (const node of all('.node')) {
    node.addEventListener('mouseenter', () => {
      const n = node.dataset.n, near = new Set([n]);
      for (const e of all('.edge, .label')) {
        const hot = e.dataset.f === n || e.dataset.t === n;
        e.classList.toggle('hot', hot);
        if (hot) { near.add(e.dataset.f); near.add(e.dataset.t); }
      }
      for (const other of all('.node')) other.classList.toggle('hot', near.has(other.dataset.n));
      svg.classList.add('hover');
    });
    node.addEventListener('mouseleave', () => svg.classList.remove('hover'));
  }
}
for (const pre of document.querySelectorAll('.paste')) {
  if (!navigator.clipboard) break;
  const text = pre.textContent, button = document.createElement('button');
  button.textContent = 'Copy';
  button.addEventListener('click', () => navigator.clipboard.writeText(text).then(() => { button.textContent = 'Copied'; }));
  pre.append(button);
}
)js";

}  // namespace argent::report
