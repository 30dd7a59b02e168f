/* Search: a dialog on "/" and Ctrl-K on every page, and the page search.html.
 *
 * The list of pages comes first: exact and beginning titles stand before all else, and where there is no
 * full-text index (a preview, a page opened from disk) titles and tags are all that is searched. The index
 * itself, and Pagefind's program for it, are asked for when something is first searched.
 */
"use strict";
(() => {
  const root = new URL("../", document.currentScript.src);
  const SHOWN = 8; // results at first; more on demand
  const HEADINGS = 3; // of one page
  const LONGEST = 200; // characters of what is asked for
  const PAUSE = 120; // milliseconds without a key

  /* What is asked for, in the form of the index: a blank where one word ends and another begins without one.
   * The same rule as in core/search_text.py. */
  const broken = (text) =>
    text
      .replace(/&(?=[\p{L}\p{N}_#])/gu, "& ")
      .replace(/([\p{L}\p{N}_])([^\s\p{L}\p{N}_'’-]+)(?=([\p{L}\p{N}_]))/gu, (all, before, signs, behind) =>
        /^[.,:]$/.test(signs) && /\d/.test(before) && /\d/.test(behind) ? all : `${all} `)
      .replace(/([\u3040-\u30ff\u3400-\u9fff])(?=[\u3040-\u30ff\u3400-\u9fff])/g, "$1 ");
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
  const once = (make) => {
    let made;
    return () => (made ??= make());
  };

  const list = once(
    () =>
      new Promise((resolve) => {
        const nothing = { index: false, page: "search.html", series: [], tags: [], pages: [] };
        const script = document.createElement("script");
        script.src = new URL("writing-search-data.js", root);
        script.onload = () => resolve(window.writingSearch ?? nothing);
        script.onerror = () => resolve(nothing);
        document.head.append(script);
      }).then((data) => {
        data.pages = data.pages.map(([title, address, series, part, tags, id]) => {
          const names = tags.map((tag) => data.tags[tag]);
          return { title, url: new URL(address, root), series, part, id, folded: fold(title), tags: names.map(fold) };
        });
        data.byId = new Map(data.pages.map((page) => [page.id, page]));
        return data;
      }),
  );

  /* Pagefind, or a sentence that says why only titles and tags are searched. */
  const engine = once(async () => {
    const only = "Titles and tags only: ";
    if (location.protocol === "file:") return { why: `${only}full text needs a web server.` };
    if (!(await list()).index) return { why: `${only}full text comes with a full build.` };
    try {
      const pagefind = await import(new URL("_pagefind/pagefind.js", root));
      await pagefind.options({ excerptLength: 22 });
      await pagefind.init();
      return { pagefind, why: "" };
    } catch {
      return { why: `${only}the full text could not be loaded.` };
    }
  });

  /* How well a page's title or a tag answers: 0 is the title itself, 1 its beginning; nothing if neither does. */
  const rank = (page, asked, words) => {
    if (page.folded === asked) return 0;
    if (asked && page.folded.startsWith(asked)) return 1;
    if (words.length && words.every((word) => page.folded.includes(word))) return 2;
    if (page.tags.some((tag) => tag === asked)) return 3;
    return undefined;
  };

  /* All that answers: titles first, then the full text in its order, then other titles and tags. */
  const search = async (query) => {
    const { pages, byId } = await list();
    const asked = fold(query);
    const words = asked.split(/[^\p{L}\p{N}_+#]+/u).filter(Boolean);
    const ranked = pages.map((page) => ({ page, rank: rank(page, asked, words) }));
    const titles = ranked.filter((hit) => hit.rank !== undefined).sort((a, b) => a.rank - b.rank);
    const { pagefind, why } = await engine();
    const found = pagefind ? (await pagefind.search(broken(query))).results : [];
    const texts = new Map();
    for (const result of found) texts.set(byId.get(result.id) ?? result.id, result);
    const order = new Set([
      ...titles.filter((hit) => hit.rank < 2).map((hit) => hit.page),
      ...texts.keys(),
      ...titles.map((hit) => hit.page),
    ]);
    return { why, hits: [...order].map((page) => ({ page: page.url ? page : null, result: texts.get(page) })) };
  };

  /* Small pieces of the page. */
  const make = (tag, name, ...children) => {
    const element = document.createElement(tag);
    if (name) element.className = `writing-${name}`;
    element.append(...children);
    return element;
  };
  const key = (index) => make("span", `key writing-key-${index % 11}`);
  const mended = (text) => text.replace(/\u2060\s?/g, "");

  /* An excerpt: text and marked words, whatever else may stand in it. Breaks are taken out, and the heading
   * that stands above it anyway. Pagefind escapes "<" and ">" and nothing else; as a break stands behind every
   * other "&", none of the text's own is taken for that, as long as the breaks are there. */
  const excerpt = (html, heading) => {
    const [on, off] = ["\uE000", "\uE001"];
    const shown = html
      .replaceAll("<mark>", on)
      .replaceAll("</mark>", off)
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replace(/\u2060(\uE001)?\s?/g, "$1")
      .replace(/\uE001( ?)\uE000/g, "$1");
    const pieces = shown.split(/[\uE000\uE001]/);
    let left = pieces.join("").startsWith(`${heading}. `) ? heading.length + 2 : 0;
    const nodes = pieces.flatMap((piece, i) => {
      const text = piece.slice(left);
      left = Math.max(left - piece.length, 0);
      // Pagefind marks all between two spaces; the comma behind a word is not what was looked for.
      const [, before, word, after] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su.exec(text);
      return i % 2 && word ? [before, make("mark", "hit", word), after] : text;
    });
    return make("p", "hit-text", "… ", ...nodes, " …");
  };

  const badge = (data, page) => {
    const [, label, index] = data.series[page.series];
    const line = make("p", "hit-badge", key(index), label);
    if (page.part) line.append(" ", make("span", "part", String(page.part)));
    return line;
  };

  const weight = (part) => part.weighted_locations.reduce((sum, place) => sum + place.weight, 0);

  /* One result: the page with its excerpt, and the headings below which the words stand. */
  const row = async (data, { page, result }, level) => {
    const full = result ? await result.data() : null;
    const url = page?.url ?? new URL(full.raw_url.replace(/^\//, ""), root);
    const link = make("a", "hit-title", page?.title ?? mended(full.meta.title ?? ""));
    link.href = url;
    const main = make("div", "hit-main", make(level, "hit-head", link));
    if (page && page.series >= 0) main.prepend(badge(data, page));
    const item = make("li", "hit-page", main);
    if (!full) return item;
    const parts = full.sub_results.filter((part) => part.anchor);
    const whole = full.sub_results.find((part) => !part.anchor);
    if (whole || !parts.length) main.append(excerpt((whole ?? full).excerpt, link.textContent));
    const best = [...parts].sort((a, b) => weight(b) - weight(a));
    const kept = new Set(best.slice(0, HEADINGS));
    if (kept.size) item.append(make("ul", "hit-parts", ...parts.filter((part) => kept.has(part)).map((part) => {
      const inner = make("a", "hit-part", mended(part.title));
      inner.href = new URL(`#${part.anchor.id}`, url);
      return make("li", "hit-main", inner, excerpt(part.excerpt, inner.textContent));
    })));
    return item;
  };

  /* The field, the number of results, the series to choose from, the results. */
  const panel = (level, { offersFirst }) => {
    const field = make("input", "search-input");
    Object.assign(field, { type: "text", placeholder: "Search the notes", autocomplete: "off", spellcheck: false });
    Object.assign(field, { enterKeyHint: "search", maxLength: LONGEST, name: "q" });
    field.setAttribute("aria-label", "Search the notes");
    field.setAttribute("autocapitalize", "off");
    const status = make("p", "search-status");
    status.setAttribute("role", "status");
    const facets = make("div", "search-facets");
    facets.setAttribute("role", "group");
    facets.setAttribute("aria-label", "Only these series");
    const results = make("ol", "search-results");
    const more = make("button", "search-more", "More results");
    more.type = "button";
    const self = { field, status, facets, results, more, chosen: new Set(), changed: () => {}, settled: Promise.resolve() };
    let shown = SHOWN;
    let turn = 0;
    let timer;

    const links = () => [...results.querySelectorAll("a")];
    const mark = (link) => {
      for (const old of results.querySelectorAll(".writing-hit-current")) old.classList.remove("writing-hit-current");
      if (link) link.closest(".writing-hit-main").classList.add("writing-hit-current");
    };
    const current = () => results.querySelector(".writing-hit-current a");

    const count = (all, kept, why, query) => {
      const many = (n) => `${n} result${n === 1 ? "" : "s"}`;
      const some = kept === all ? many(all) : `${kept} of ${many(all)}`;
      status.textContent = [query && (all ? `${some}.` : `Nothing found for “${query}”.`), why].filter(Boolean).join(" ");
    };

    const offer = (data, hits) => {
      const counts = new Map();
      for (const { page } of hits) if (page && page.series >= 0) counts.set(page.series, (counts.get(page.series) ?? 0) + 1);
      for (const number of self.chosen) if (!counts.has(number)) counts.set(number, 0);
      facets.hidden = counts.size < 2 && !self.chosen.size;
      const focused = facets.contains(document.activeElement) ? document.activeElement.value : "";
      facets.replaceChildren(...[...counts].sort((a, b) => a[0] - b[0]).map(([number, n]) => {
        const [name, label, index] = data.series[number];
        const box = make("input", "");
        Object.assign(box, { type: "checkbox", value: name, checked: self.chosen.has(number) });
        box.addEventListener("change", () => {
          self.chosen[box.checked ? "add" : "delete"](number);
          shown = SHOWN;
          self.run();
        });
        return make("label", "search-facet", box, key(index), label, " ", make("span", "part", String(n)));
      }));
      if (focused) facets.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus();
    };

    const show = async () => {
      const mine = ++turn;
      const query = field.value.trim().slice(0, LONGEST);
      const data = await list();
      const { hits, why } = query ? await search(query) : { hits: [], why: (await engine()).why };
      const kept = hits.filter(({ page }) => !self.chosen.size || (page && self.chosen.has(page.series)));
      const rows = await Promise.all(kept.slice(0, shown).map((hit) => row(data, hit, level)));
      if (mine !== turn) return; // something else was asked for meanwhile
      results.replaceChildren(...rows);
      more.hidden = kept.length <= shown;
      offer(data, hits);
      count(hits.length, kept.length, why, query);
      if (offersFirst) mark(links()[0]);
      self.changed(query, data);
    };

    self.run = () => {
      clearTimeout(timer);
      return (self.settled = show());
    };
    self.open = () => self.settled.then(() => current()?.click());
    field.addEventListener("input", () => {
      clearTimeout(timer);
      turn += 1; // what is on its way is no longer wanted
      shown = SHOWN;
      self.settled = new Promise((done) => (timer = setTimeout(() => done(show()), PAUSE)));
    });
    more.addEventListener("click", async () => {
      const at = links().length;
      shown += SHOWN;
      await self.run();
      links()[at]?.focus();
    });
    results.addEventListener("focusin", (event) => mark(event.target));
    self.move = (step) => {
      const all = links();
      const at = all.indexOf(current());
      const to = Math.min(at + step, all.length - 1);
      if (to >= 0) all[to].focus();
      else field.focus();
      if (to < 0) mark(offersFirst && all[0]);
    };
    self.keys = (event) => {
      if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
      const typed = event.key.length === 1 && results.contains(document.activeElement);
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        self.move(event.key === "ArrowDown" ? 1 : -1);
      } else if (typed && event.key !== " ") field.focus(); // the letter goes there
    };
    return self;
  };

  /* The dialog, made when it is first asked for. */
  const dialog = once(() => {
    const box = make("dialog", "search");
    box.setAttribute("aria-label", "Search");
    const close = make("button", "search-close", make("kbd", "", "Esc"), make("span", "search-close-word", "Close"));
    close.type = "button";
    close.setAttribute("aria-label", "Close the search");
    const inner = panel("p", { offersFirst: true });
    const all = make("a", "search-all", "All results on a page");
    const keys = ["↑", "↓ move", "Enter open", "Esc close"].flatMap((text) => {
      const [name, what = ""] = text.split(" ");
      return [make("kbd", "", name), ` ${what} `];
    });
    const foot = make("p", "search-keys", make("span", "search-keys-only", ...keys), all);
    inner.changed = (query, data) => {
      all.hidden = !query;
      all.href = address(query, inner.chosen, data);
    };
    all.hidden = true;
    box.append(make("div", "search-top", inner.field, close), inner.status, inner.facets, make("div", "search-list", inner.results, inner.more), foot);
    inner.facets.hidden = inner.more.hidden = true;
    box.addEventListener("keydown", (event) => {
      inner.keys(event);
      if (event.key === "Enter" && event.target === inner.field && !event.isComposing) inner.open();
    });
    close.addEventListener("click", () => box.close());
    box.addEventListener("click", (event) => {
      const edge = box.getBoundingClientRect();
      const inside = event.clientX >= edge.left && event.clientX <= edge.right && event.clientY >= edge.top && event.clientY <= edge.bottom;
      if (event.target === box && !inside) box.close();
      // A link to a place on this page leaves no page, so the dialog goes by itself.
      if (event.target.closest("a") && !event.ctrlKey && !event.metaKey && !event.shiftKey) box.close();
    });
    box.addEventListener("close", () => document.documentElement.classList.remove("writing-search-open", "writing-search-gutter"));
    document.body.append(box);
    return { box, inner };
  });

  const address = (query, chosen, data) => {
    const url = new URL(data.page, root);
    if (query) url.searchParams.set("q", query);
    if (chosen.size) url.searchParams.set("series", [...chosen].map((number) => data.series[number][0]).join(","));
    return url;
  };

  const here = document.querySelector(".writing-search-page");
  let onPage;
  const open = () => {
    if (onPage) {
      onPage.field.focus();
      onPage.field.select();
      return;
    }
    const { box, inner } = dialog();
    if (box.open) return;
    const page = document.documentElement;
    // The page behind stays where it is; the place of its scroll bar stays free.
    page.classList.toggle("writing-search-gutter", window.innerWidth > page.clientWidth);
    page.classList.add("writing-search-open");
    box.showModal();
    inner.field.focus();
    inner.field.select();
    inner.run();
  };

  /* The page: the same panel, with its state in the address. */
  if (here) {
    onPage = panel("h2", { offersFirst: false });
    const asked = new URLSearchParams(location.search);
    onPage.field.value = (asked.get("q") ?? "").slice(0, LONGEST);
    onPage.changed = (query, data) => history.replaceState(null, "", search_of(query, data));
    const search_of = (query, data) => `${location.pathname}${address(query, onPage.chosen, data).search}`;
    const form = make("form", "search-form", onPage.field);
    form.setAttribute("role", "search");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      onPage.run();
    });
    here.append(form, onPage.status, onPage.facets, onPage.results, onPage.more);
    onPage.facets.hidden = onPage.more.hidden = true;
    here.addEventListener("keydown", onPage.keys);
    list().then(({ series }) => {
      const names = (asked.get("series") ?? "").split(",");
      series.forEach(([name], number) => names.includes(name) && onPage.chosen.add(number));
      onPage.run();
    });
    if (!onPage.field.value) onPage.field.focus(); // who comes with a question begins at the top, as on every page
  }

  const isField = (element) => element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.nodeName);
  // Before the theme's own keys, so that not two searches open.
  window.addEventListener("keydown", (event) => {
    const slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isField(event.target);
    const k = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if ((!slash && !k) || event.isComposing || document.querySelector("dialog[open]:not(.writing-search)")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  }, true);
  document.addEventListener("click", (event) => {
    const way = event.target.closest?.("[data-writing-search]");
    if (!way || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open();
  });
})();
