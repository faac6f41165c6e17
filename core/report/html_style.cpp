#include "core/report/html_style.h"

namespace reprise {

// Colours and their contrast: text on base at least 4.5 to 1, borders that carry meaning 3 to 1.
// State is always said in words; colour only repeats it, so that a grey print loses nothing.
const std::string_view kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --text: #1b1e23; --muted: #565d66; --base: #ffffff; --alt: #f4f6f8; --window: #f0f1f3;
  --line: #d5d9de; --border: #7d848d; --link: #0b57a4;
  --ok: #1a6b3c; --warn: #8a5300; --danger: #b3261e;
  --ok-bg: #eaf4ee; --warn-bg: #fbf3e4; --danger-bg: #fcecea; --diff-bg: #fbf3e4; --stripe: #fafbfc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e8eb; --muted: #aab1ba; --base: #1e2126; --alt: #24282e; --window: #16181c;
    --line: #3a4048; --border: #7b838d; --link: #7fb8f0;
    --ok: #6fd197; --warn: #f0b65a; --danger: #ff8a80;
    --ok-bg: #1d2c25; --warn-bg: #2f2819; --danger-bg: #352220; --diff-bg: #2f2819; --stripe: #212429;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--window); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
code, .code, pre {
  font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace;
  font-size: .875em; font-variant-ligatures: none;
}
main { display: flow-root; }
main, header, footer { max-width: 76rem; margin: 0 auto; padding: 0 2.5rem; background: var(--base); }
header { padding-top: 2.5rem; padding-bottom: .5rem; }
footer { padding-top: 1.5rem; padding-bottom: 2.5rem; color: var(--muted); font-size: .875rem; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
h1 { font-size: 1.9rem; line-height: 1.2; letter-spacing: -.015em; margin: .35rem 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.75rem 0 .85rem; padding-top: .85rem; border-top: 2px solid var(--text); }
h3 { font-size: 1.08rem; line-height: 1.35; margin: 0 0 .85rem; overflow-wrap: anywhere; }

p { margin: .55rem 0; max-width: 46rem; }
.kicker { margin: 0; color: var(--muted); font-size: .82rem; font-weight: 600; letter-spacing: .09em; text-transform: uppercase; }
.scope { color: var(--muted); margin: 0 0 1rem; max-width: none; overflow-wrap: anywhere; }
.mark { color: var(--warn); background: var(--warn-bg); border-radius: 3px; font-size: .85em; }
.none { color: var(--muted); }

.figures { display: flex; flex-wrap: wrap; gap: 1px; margin: 1.4rem 0 0; padding: 0; list-style: none;
  background: var(--line); border: 1px solid var(--line); overflow: hidden; }
.figures:first-of-type { border-radius: 8px 8px 0 0; }
.figures:last-of-type { border-radius: 0 0 8px 8px; }
.figures:only-of-type { border-radius: 8px; }
.figures + .figures { margin-top: 0; border-top: 0; }
.figures li { flex: 1 1 8.5rem; background: var(--base); padding: .8rem 1rem .75rem; }
.figures b { display: block; font-size: 1.5rem; line-height: 1.25; font-weight: 650; white-space: nowrap; }
.figures span { color: var(--muted); font-size: .86rem; }
.figures .warn b { color: var(--warn); }
.figures .danger b { color: var(--danger); }

nav { margin: 1.25rem 0 0; font-size: .93rem; }
nav ol { margin: 0; padding: 0; list-style: none; columns: 15rem 3; column-gap: 2rem; }
nav li { padding: .12rem 0; break-inside: avoid; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }

.notice { margin: 1rem 0; padding: .7rem 1rem .75rem; border: 1px solid var(--line); border-left: 5px solid var(--border);
  border-radius: 6px; background: var(--alt); }
.notice strong { display: block; }
.notice p { margin: .15rem 0 0; max-width: none; }
.notice.ok { border-left-color: var(--ok); background: var(--ok-bg); }
.notice.warn { border-left-color: var(--warn); background: var(--warn-bg); }
.notice.danger { border-left-color: var(--danger); background: var(--danger-bg); }
.notice.ok strong { color: var(--ok); }
.notice.warn strong { color: var(--warn); }
.notice.danger strong { color: var(--danger); }

dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; margin: 1.4rem 0 .9rem; }
dt, dd { padding: .34rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--muted); padding-right: 1.5rem; }
dd { margin: 0; overflow-wrap: anywhere; }

section.case { margin: 1.5rem 0 2rem; padding: 1.15rem 1.4rem 1.3rem; border: 1px solid var(--line);
  border-left: 5px solid var(--border); border-radius: 8px; }
section.case.danger { border-left-color: var(--danger); }
section.case.warn { border-left-color: var(--warn); }
ul.items { margin: .3rem 0 .8rem; padding-left: 1.25rem; max-width: 52rem; }
ul.items li { margin: .22rem 0; overflow-wrap: anywhere; }

.scroll { overflow-x: auto; margin: .35rem 0 .5rem; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.4; }
caption { text-align: left; font-weight: 650; font-size: .95rem; padding: .6rem .75rem .5rem; }
th, td { padding: .42rem .75rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { background: var(--alt); color: var(--muted); font-weight: 600; font-size: .8rem; vertical-align: bottom; }
tbody tr.even td { background: var(--stripe); }
tr.below td { border-top: 0; padding-top: 0; white-space: normal; overflow-wrap: anywhere; }
tr.below span { display: inline-block; max-width: 100%; margin-right: 1.4rem; }
tr.below b { color: var(--muted); font-weight: 600; font-size: .92em; margin-right: .2rem; }
tbody th { font-weight: 600; color: var(--muted); white-space: nowrap; background: var(--alt); }
td.number, th.number { text-align: right; white-space: nowrap; }
td.time { white-space: nowrap; }
td.text { min-width: 7rem; overflow-wrap: anywhere; }
td code { font-size: .94em; }
td.code { white-space: nowrap; }
td.long { min-width: 18ch; white-space: normal; overflow-wrap: anywhere; }
.pair td { width: 40%; }
.pair td.text, .pair td.number { text-align: left; white-space: normal; }
.pair td.sign { width: 7rem; color: var(--muted); white-space: nowrap; }
.pair tr.differs td { background: var(--diff-bg); }
.pair tr.differs td.sign { color: var(--warn); font-weight: 600; }
.note { color: var(--muted); font-size: .875rem; }
.word { white-space: nowrap; font-weight: 600; }
.word.ok { color: var(--ok); } .word.warn { color: var(--warn); } .word.danger { color: var(--danger); }

.record { margin: .9rem 0; border: 1px solid var(--line); border-radius: 6px; break-inside: auto; }
.record h3 { margin: 0; padding: .5rem .8rem; background: var(--alt); border-radius: 6px 6px 0 0; font-weight: 600; font-size: .95rem; overflow-wrap: anywhere; }
.record .about { margin: 0; padding: .35rem .8rem; color: var(--muted); font-size: .82rem; max-width: none; overflow-wrap: anywhere; }
.record pre { margin: 0; padding: .6rem .8rem .75rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; line-height: 1.45; border-top: 1px solid var(--line); }

@media (max-width: 44rem) {
  main, header, footer { padding-left: 1.1rem; padding-right: 1.1rem; }
  header { padding-top: 1.4rem; }
  h1 { font-size: 1.5rem; }
  dl { grid-template-columns: 1fr; }
  dt { border-bottom: 0; padding-bottom: 0; font-size: .86rem; }
  dd { padding-top: .05rem; }
  section.case { padding: .9rem .9rem 1rem; }
  .pair tbody th { white-space: normal; }
  .pair td, .pair td.time, .pair td.code { white-space: normal; overflow-wrap: anywhere; min-width: 0; padding: .42rem .5rem; }
  .pair td.sign { width: auto; }
}
@media print {
  :root {
    color-scheme: light;
    --text: #000000; --muted: #444a52; --base: #ffffff; --alt: #f4f6f8; --window: #ffffff;
    --line: #c4c9cf; --border: #7d848d; --link: #000000; --ok: #1a6b3c; --warn: #8a5300; --danger: #b3261e;
    --ok-bg: #ffffff; --warn-bg: #ffffff; --danger-bg: #ffffff; --diff-bg: #f1f2f4; --stripe: #ffffff;
  }
  body { font-size: 9.5pt; line-height: 1.4; background: none; }
  main, header, footer { max-width: none; padding: 0; }
  h1 { font-size: 18pt; }
  .figures li { flex-basis: 5rem; padding: .4rem .6rem; }
  .figures b { font-size: 12.5pt; }
  .figures span { font-size: 7.6pt; line-height: 1.25; display: block; }
  h2 { font-size: 13pt; margin-top: 1.6rem; }
  h2, h3, caption, .record h3 { break-after: avoid; }
  nav a, a { color: inherit; text-decoration: none; }
  p, li { orphans: 3; widows: 3; }
  .scroll { overflow: visible; border-radius: 0; }
  table { font-size: 7.6pt; }
  thead { display: table-header-group; }
  tr:has(+ tr.below) { break-after: avoid; }
  tr, .notice, .figures li, dt, dd { break-inside: avoid; }
  th, td { padding: .22rem .4rem; }
  td.text { min-width: 2.3cm; }
  .pair td.text { min-width: 0; }
  td.long { min-width: 13ch; }
  td.code, tbody th, .word { white-space: normal; }
  section.case { padding: .6rem .8rem; border-radius: 0; border-right: 0; }
  .record { margin: .5rem 0; }
  .record h3 { font-size: 8pt; }
  caption { font-size: 9pt; padding: .3rem .4rem; }
  thead th { font-size: 7.6pt; }
  .record h3, .record .about { padding: .15rem .4rem; }
  .record pre { padding: .2rem .4rem .3rem; font-size: 7pt; line-height: 1.3; }
}
)css";

} // namespace reprise
