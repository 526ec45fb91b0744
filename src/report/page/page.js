"use strict";
// Sorts and filters tables, reads charts aloud. All figures are on the page without it.
(() => {
  document.querySelectorAll(".script").forEach((part) => { part.hidden = false; });

  // The choice of colours works by the style sheet alone; here it is only remembered.
  const themes = document.querySelectorAll("[name=theme]");
  const remember = (act) => { try { return act(localStorage); } catch { return null; } };
  const kept = remember((store) => store.getItem("houserule-theme"));
  themes.forEach((choice) => {
    if (choice.value === kept) choice.checked = true;
    choice.addEventListener("change", () => remember((store) => store.setItem("houserule-theme", choice.value)));
  });

  // Figures by their number, "<0.01" just below it, empty cells last; all else in order of the alphabet.
  const key = (text) => {
    if (text === "") return null;
    const number = parseFloat(text.replace(/[<>,]/g, ""));
    if (Number.isNaN(number)) return text;
    return number + (text[0] === "<" ? -1e-9 : text[0] === ">" ? 1e-9 : 0);
  };
  const before = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b
      : String(a).localeCompare(String(b), "en", { numeric: true });

  const sort = (table, column, heading) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("thead th").forEach((one) => one.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => [key(row.cells[column].textContent), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return down ? before(b, a) : before(a, b);
    });
    body.append(...rows.map(([, row]) => row));
  };

  const field = (name, control) => {
    const label = document.createElement("label");
    label.append(name, control);
    return label;
  };

  const choice = (values) => {
    const select = document.createElement("select");
    [["", "all"], ...values.map((value) => [value, value])].forEach(([value, text]) => {
      select.append(new Option(text === "" ? "(none)" : text, value));
    });
    return select;
  };

  const MOST_VALUES = 60;
  document.querySelectorAll(".sheet").forEach((sheet) => {
    const table = sheet.querySelector("table");
    const headings = Array.from(table.querySelectorAll("thead th"));
    const rows = Array.from(table.tBodies[0].rows, (row) => ({
      row,
      cells: Array.from(row.cells, (cell) => cell.textContent),
      text: row.textContent.toLowerCase(),
    }));
    headings.forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      button.addEventListener("click", () => sort(table, column, heading));
      heading.replaceChildren(button);
    });

    const form = sheet.querySelector(".filter");
    const search = document.createElement("input");
    search.type = "search";
    form.append(field("Any column has", search));
    const picks = [];
    const more = document.createElement("details");
    const fields = document.createElement("div");
    fields.className = "picks";
    more.append(Object.assign(document.createElement("summary"), { textContent: "Pick by column" }), fields);
    more.open = innerWidth > 640;
    headings.forEach((heading, column) => {
      if (!("pick" in heading.dataset)) return;
      const values = [...new Set(rows.map((one) => one.cells[column]))];
      if (values.length < 2 || values.length > MOST_VALUES) return;
      const select = choice(values.filter((value) => value !== ""));
      fields.append(field(heading.textContent, select));
      picks.push([column, select]);
    });
    const count = sheet.querySelector(".count");
    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach(({ row, cells, text }) => {
        const fits = words.every((word) => text.includes(word))
          && picks.every(([column, select]) => select.value === "" || cells[column] === select.value);
        row.hidden = !fits;
        shown += fits;
      });
      table.classList.toggle("filtered", shown < rows.length);
      const number = (value) => value.toLocaleString("en");
      count.textContent = shown < rows.length
        ? `${number(shown)} of ${number(rows.length)} rows fit.`
        : `${number(rows.length)} rows.`;
    };
    if (picks.length) form.append(more);
    const all = document.createElement("button");
    all.type = "reset";
    all.textContent = "Show all";
    more.before(all);
    if (!picks.length) form.append(all);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", filter);
    form.addEventListener("reset", () => setTimeout(filter));
    filter();
  });

  // The shadows of headings stay at the edges of the box that scrolls.
  document.querySelectorAll(".tall").forEach((box) => {
    const follow = () => box.style.setProperty("--at", `${box.scrollLeft}px`);
    box.addEventListener("scroll", follow, { passive: true });
    follow();
  });

  // The parts of a drawing that tell their figure.
  const SPOTS = ".figures > *";
  document.querySelectorAll("figure").forEach((figure) => {
    const drawing = figure.querySelector(".drawing");
    const readout = figure.querySelector(".readout");
    if (!drawing || !drawing.querySelector(SPOTS)) return;
    readout.hidden = false;
    drawing.tabIndex = 0;
    // Of the two drawings the one that is shown; spots that have no box are not.
    const spots = () => Array.from(drawing.querySelectorAll(SPOTS)).filter((spot) => spot.getClientRects().length);
    let now = null;
    const show = (spot) => {
      if (spot === now) return;
      if (now) now.classList.remove("now");
      now = spot;
      if (spot) spot.classList.add("now");
      const words = spot && spot.querySelector("title");
      readout.textContent = words ? words.textContent : "";
    };
    drawing.addEventListener("pointerover", (event) => {
      const spot = event.target.closest(SPOTS);
      if (spot) show(spot);
    });
    drawing.addEventListener("keydown", (event) => {
      const all = spots();
      const at = all.indexOf(now);
      const to = {
        ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at < 0 ? all.length - 1 : at - 1,
        ArrowUp: at < 0 ? all.length - 1 : at - 1, Home: 0, End: all.length - 1,
      }[event.key];
      if (event.key === "Escape") show(null);
      if (to === undefined || !all.length) return;
      event.preventDefault();
      show(all[Math.max(0, Math.min(all.length - 1, to))]);
    });
    drawing.addEventListener("blur", () => show(null));
  });
})();
