/* Filters a list of posts by the boxes and the words in the form beside it.

   The list stands in the page, complete; nothing is made here but the buttons that take a filter away, and
   posts that do not match are hidden. Loaded with "defer", so the page has been read when this runs. */
"use strict";
{
  const ANNOUNCED_AFTER = 700; // ms: a screen reader hears of the result once the typing has paused
  const WRITTEN_AFTER = 250; // ms: browsers refuse to change the address at every keystroke
  const AT_ONCE = 100; // posts that come back in one frame: more than a screen holds, and few enough to type on
  const SIGNS = /[\u0300-\u036f]/g; // accents, once they are parted from their letters

  /** `text` as words are compared: letter case and accents do not count. */
  const folded = (text) =>
    text.toLowerCase().normalize("NFKD").replace(SIGNS, "").replaceAll("ß", "ss").replaceAll("ς", "σ");

  /** What `element` says; of a formula, which is there as MathML and as painted, the MathML. */
  const textOf = (element) => {
    if (!element?.querySelector(".katex-html")) return element?.textContent ?? "";
    const copy = element.cloneNode(true);
    for (const painted of copy.querySelectorAll(".katex-html")) painted.remove();
    return copy.textContent;
  };

  /** A post in the list: its element, the numbers of its boxes, whether it is shown, its words once needed. */
  class Post {
    constructor(element, boxes) {
      this.element = element;
      this.boxes = element.dataset.writingFilter.split(" ").filter(Boolean).map((number) => boxes[number]);
      this.group = element.closest(".writing-filter-group");
      this.shown = true;
    }

    get words() {
      const parts = [".writing-card-title", ".writing-card-summary", ".writing-badge"];
      const said = parts.map((part) => textOf(this.element.querySelector(part)));
      const tags = this.boxes.filter((box) => box.input.name === "tag").map((box) => box.label);
      const value = folded([...said, ...tags].join("\n"));
      Object.defineProperty(this, "words", { value });
      return value;
    }

    show(shown) {
      if (shown === this.shown) return;
      this.shown = shown;
      this.element.hidden = !shown;
      if (shown && this.group) this.group.hidden = false;
    }
  }

  /** A box of the form: `facet` is the fieldset it stands in. */
  class Box {
    constructor(input) {
      const option = input.parentElement;
      this.input = input;
      this.facet = input.closest("fieldset");
      this.option = option;
      this.label = option.querySelector(".writing-filter-name").textContent;
      this.number = option.querySelector(".writing-filter-number");
      this.count = Number(this.number.textContent);
    }

    show(count) {
      if (count === this.count) return;
      this.count = count;
      this.number.textContent = count;
      this.option.classList.toggle("writing-filter-zero", count === 0);
    }
  }

  class Filter {
    /** `addressed` says whether the address of the page tells what is chosen: of two lists, that of the first. */
    constructor(list, addressed) {
      const one = (name) => list.querySelector(`.writing-filter-${name}`);
      const all = (name) => [...list.querySelectorAll(name)];
      this.addressed = addressed;
      this.form = list.querySelector("form.writing-filter");
      this.plain = one("plain");
      this.toggle = one("toggle");
      this.bar = one("bar");
      this.chips = one("chips");
      this.chip = this.bar.querySelector("template").content;
      this.counted = one("count");
      this.none = one("none");
      this.status = list.querySelector("[role=status]");
      this.numbers = all(".writing-filter-shown");
      this.clears = all(".writing-filter-clear");
      this.groups = all(".writing-filter-group");
      this.more = all(".writing-filter-more");
      this.words = this.form.querySelector("input[name=q]");
      this.boxes = all("fieldset input").map((input) => new Box(input));
      this.posts = all("[data-writing-filter]").map((element) => new Post(element, this.boxes));
    }

    start() {
      this.listen();
      if (this.addressed) this.read();
      this.plain.hidden = true;
      this.form.hidden = false;
      this.update();
    }

    listen() {
      this.form.addEventListener("focusin", () => this.posts.forEach((post) => post.words), { once: true });
      this.words.addEventListener("input", () => {
        this.update();
        this.writing = setTimeout(() => this.write("replaceState"), WRITTEN_AFTER);
      });
      this.words.addEventListener("change", () => this.write("replaceState")); // leaving the field is in time
      for (const { input } of this.boxes) input.addEventListener("change", () => this.changed());
      for (const button of this.clears) button.addEventListener("click", () => this.clear());
      for (const button of this.more) button.addEventListener("click", () => this.unfold(button));
      this.toggle.addEventListener("click", () => this.open(this.toggle.ariaExpanded !== "true"));
      this.form.addEventListener("submit", (event) => this.leave(event));
      if (this.addressed) addEventListener("popstate", () => (this.read(), this.update()));
    }

    /** Something was chosen or taken away: a view of its own, to which "back" returns. */
    changed() {
      this.update();
      this.write("pushState");
    }

    /** Show the posts that match and hide the others; count what each box would give. */
    update() {
      clearTimeout(this.writing);
      const words = folded(this.words.value).split(/\s+/).filter(Boolean);
      const chosen = new Map(); // by facet
      for (const box of this.boxes) {
        if (box.input.checked) chosen.set(box.facet, (chosen.get(box.facet) ?? new Set()).add(box));
      }
      const counts = new Map();
      const matching = [];
      for (const post of this.posts) {
        const missed = this.missed(post, words, chosen);
        if (missed.length) post.show(false);
        else matching.push(post);
        // A post that only one facet leaves out is what the other boxes of that facet would bring.
        for (const box of missed.length > 1 ? [] : post.boxes) {
          if (!missed.length || missed[0] === box.facet) counts.set(box, (counts.get(box) ?? 0) + 1);
        }
      }
      for (const box of this.boxes) box.show(counts.get(box) ?? 0);
      const groups = new Set(matching.map((post) => post.group));
      for (const group of this.groups) if (!groups.has(group)) group.hidden = true;
      cancelAnimationFrame(this.showing);
      this.reveal(matching.filter((post) => !post.shown));
      this.say(matching.length, words.length > 0 || chosen.size > 0);
    }

    /** Show these posts again: the first at once, the others in the next frames. */
    reveal(posts) {
      for (const post of posts.slice(0, AT_ONCE)) post.show(true);
      if (posts.length > AT_ONCE) this.showing = requestAnimationFrame(() => this.reveal(posts.slice(AT_ONCE)));
    }

    /** What keeps `post` out of the list: the facets that do, and "words". */
    missed(post, words, chosen) {
      const facets = [...chosen.keys()].filter((facet) => !post.boxes.some((box) => chosen.get(facet).has(box)));
      return words.every((word) => post.words.includes(word)) ? facets : [...facets, "words"];
    }

    /** Say how many posts are shown and, where it is not all, what was chosen. */
    say(shown, filtered) {
      for (const number of this.numbers) number.textContent = shown;
      this.bar.hidden = !filtered;
      this.none.hidden = shown > 0;
      this.chips.replaceChildren(...this.choices().map(([label, undo]) => this.chipFor(label, undo)));
      clearTimeout(this.saying);
      if (filtered || this.status.textContent) {
        this.saying = setTimeout(() => (this.status.textContent = this.counted.textContent), ANNOUNCED_AFTER);
      }
    }

    /** What is chosen, each with what takes it away. */
    choices() {
      const boxes = this.boxes.filter((box) => box.input.checked);
      const found = boxes.map((box) => [box.label, () => (box.input.checked = false)]);
      const words = this.words.value.trim();
      return words ? [[`“${words}”`, () => (this.words.value = "")], ...found] : found;
    }

    chipFor(label, undo) {
      const chip = this.chip.cloneNode(true);
      chip.querySelector(".writing-filter-chosen").textContent = label;
      chip.querySelector("button").addEventListener("click", (event) => {
        const at = [...this.chips.children].indexOf(event.currentTarget.closest("li"));
        undo();
        this.changed();
        const next = this.chips.children[Math.min(at, this.chips.children.length - 1)];
        (next?.querySelector("button") ?? this.entrance()).focus();
      });
      return chip;
    }

    clear() {
      for (const [, undo] of this.choices()) undo();
      this.changed();
      this.entrance().focus();
    }

    /** Where the form begins: its first field, or the line that it is folded behind. */
    entrance() {
      return this.toggle.checkVisibility() ? this.toggle : this.words;
    }

    open(open) {
      this.toggle.ariaExpanded = open;
    }

    unfold(button) {
      const open = button.ariaExpanded !== "true";
      button.ariaExpanded = open;
      if (open) button.parentElement.querySelector(".writing-filter-rest input").focus();
    }

    /** Go on to the list, past all the boxes. */
    leave(event) {
      event.preventDefault();
      this.open(false);
      const first = this.posts.find((post) => post.shown)?.element;
      (first ? first.querySelector(".writing-card-title a") : this.none.querySelector("button")).focus();
    }

    /** Choose what the address says; what it names that is not there is passed over. */
    read() {
      const query = new URLSearchParams(location.search);
      for (const { input } of this.boxes) input.checked = query.getAll(input.name).includes(input.value);
      const words = query.get("q") ?? "";
      if (words !== this.words.value.trim()) this.words.value = words;
    }

    /** Put what is chosen into the address, beside what else is in it; `how` is a method of the history. */
    write(how) {
      clearTimeout(this.writing);
      if (!this.addressed) return;
      const address = new URL(location.href);
      for (const name of ["q", ...this.boxes.map((box) => box.input.name)]) address.searchParams.delete(name);
      const words = this.words.value.trim();
      if (words) address.searchParams.set("q", words);
      for (const { input } of this.boxes) {
        if (input.checked) address.searchParams.append(input.name, input.value);
      }
      if (address.href === location.href) return;
      try {
        history[how](history.state, "", address);
      } catch {
        // Some browsers give a page that was opened from disk one address for good; it filters all the same.
      }
    }
  }

  document.querySelectorAll(".writing-list-filtered").forEach((list, i) => new Filter(list, i === 0).start());
}
