// What places and documents are called, the same everywhere.

/** Return "p. 4, l. 11–14"; over pages "p. 4, l. 50 – p. 5, l. 3". Without a row, only the page. */
export function position({ page, row, endPage, endRow }) {
  if (!row) return `p. ${page}`;
  if (endPage && endPage !== page) return `p. ${page}, l. ${row} – p. ${endPage}, l. ${endRow}`;
  return endRow && endRow !== row ? `p. ${page}, l. ${row}–${endRow}` : `p. ${page}, l. ${row}`;
}

/** Return a name of a document without its folder and its ending, for where room is short. */
export function shortName(source) {
  return source.split("/").pop().replace(/\.[a-z]{2,8}$/i, "");
}

/** Return the cells of a row of a table: tabs part them, or the strokes of Markdown. What is no row is one cell. */
export function cellsOf(line) {
  if (line.includes("\t")) return line.split("\t");
  const inside = /^\s*\|(.+)\|\s*$/.exec(line);
  return inside ? inside[1].split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/^:?-{2,}:?$/, "–")) : [line];
}

/** Return a name in so many signs: names that begin alike differ at their end, so the middle gives way. */
export function cutInMiddle(name, most) {
  if (name.length <= most) return name;
  const end = Math.floor(most / 2);
  return `${name.slice(0, most - end - 1).trimEnd()}…${name.slice(-end).trimStart()}`;
}
