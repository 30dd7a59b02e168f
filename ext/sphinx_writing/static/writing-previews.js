/* Shows what a link leads to, when a pointer rests on it or the keyboard comes to it.

   A post, a series or a term has a small file, which is loaded when it is first asked for; it is a script, as
   pages that are opened from disk cannot fetch. A source is on the page already. Fingers get none. */
"use strict";
if (HTMLElement.prototype.showPopover) {
  const RESTED = 300; // ms on a link before it is asked
  const LEFT = 250; // ms to reach the preview from its link
  const GAP = 6, EDGE = 8; // px to the link, and to the edge of the window
  const SOURCE = "a.footnote-reference:not(.writing-note-mark)";
  const LINKS = `a.writing-previewed, a.writing-term, a:has(> .std-term), ${SOURCE}`;
  const root = new URL(document.documentElement.dataset.content_root ?? "./", document.baseURI);
  const texts = new Map();

  const box = document.createElement("div");
  box.id = box.className = "writing-preview";
  box.role = "tooltip";
  box.popover = "auto"; // closes by Escape and by a click elsewhere

  let asked = null; // the link that is to show something, also while that is loading and once it was sent away
  let row = 0; // where the pointer is, as a link may stand on two lines
  let opening, closing;

  /** The address of the file for `link`: that of its page, and of a term within it. */
  const fileOf = (link) => {
    const { href, hash } = new URL(link.href);
    const page = href.slice(root.href.length).replace(/[?#].*/, "");
    const name = page && !page.endsWith("/") ? page : `${page}index.html`;
    return `${root.href}_previews/${name}${link.matches(".writing-previewed") ? "" : hash.replace("#", ".")}.js`;
  };

  /** What the file at `address` hands over; nothing if there is none. */
  const loaded = (address) => {
    if (!texts.has(address)) {
      texts.set(address, new Promise((resolve) => {
        const script = document.createElement("script");
        script.src = address;
        script.onload = script.onerror = () => resolve(script.writingPreview);
        document.head.append(script);
      }));
    }
    return texts.get(address);
  };

  /** What `link` shows, as nodes. */
  const contentOf = async (link) => {
    const shown = document.createElement("template");
    if (!link.matches(SOURCE)) {
      shown.innerHTML = (await loaded(fileOf(link))) ?? "";
      for (const one of shown.content.querySelectorAll("img")) one.src = root.href + one.getAttribute("src");
      return shown.content;
    }
    const source = document.getElementById(decodeURIComponent(link.hash.slice(1)))?.cloneNode(true);
    if (source) {
      for (const one of source.querySelectorAll(".label, .backrefs")) one.remove();
      for (const one of source.querySelectorAll("[id]")) one.removeAttribute("id");
      for (const one of source.querySelectorAll("a")) one.replaceWith(...one.childNodes); // nothing to tab to
      shown.content.append(...source.childNodes);
    }
    return shown.content;
  };

  /** Puts the box below its link, or above where it does not fit there; where neither has room, without picture. */
  const place = () => {
    const lines = [...asked.getClientRects()];
    const line = lines.find((one) => one.top <= row && row <= one.bottom) ?? lines[0];
    const link = asked.getBoundingClientRect();
    if (!line || link.bottom < 0 || link.top > innerHeight) return box.hidePopover();
    const room = Math.max(link.top, innerHeight - link.bottom) - GAP - EDGE;
    box.style.maxHeight = `${room}px`;
    box.classList.remove("writing-preview-low");
    box.classList.toggle("writing-preview-low", box.scrollHeight > box.clientHeight);
    const { width, height } = box.getBoundingClientRect();
    const within = (value, size, room) => `${Math.max(EDGE, Math.min(value, room - size - EDGE))}px`;
    const below = link.bottom + GAP;
    const above = link.top - GAP - height;
    const fits = below + height <= innerHeight - EDGE || above < EDGE;
    box.style.left = within(line.left, width, document.documentElement.clientWidth);
    box.style.top = within(fits ? below : above, height, innerHeight);
  };

  const isOpen = () => box.matches(":popover-open");

  const open = async (link) => {
    asked?.removeAttribute("aria-describedby");
    asked = link;
    const content = await contentOf(link);
    if (asked !== link || !content.textContent.trim()) return;
    box.replaceChildren(content);
    if (!box.isConnected) (document.querySelector("main, [role=main]") ?? document.body).append(box);
    link.setAttribute("aria-describedby", box.id);
    if (!isOpen()) box.showPopover();
    place();
  };

  const close = () => {
    clearTimeout(opening);
    asked?.removeAttribute("aria-describedby");
    asked = null;
    closing = undefined;
    if (isOpen()) box.hidePopover();
  };

  document.addEventListener("pointerover", ({ target, pointerType, clientY }) => {
    if (pointerType === "touch") return;
    const link = target.closest?.(LINKS);
    clearTimeout(opening);
    if ((link && link === asked) || box.contains(target)) {
      closing = clearTimeout(closing);
    } else if (link) {
      row = clientY;
      opening = setTimeout(() => {
        closing = clearTimeout(closing);
        open(link);
      }, RESTED);
    }
    if (!link && !box.contains(target) && asked && !asked.matches(":focus-visible")) {
      closing ??= setTimeout(close, LEFT);
    }
  });
  document.documentElement.addEventListener("pointerleave", () => asked?.matches(":focus-visible") || close());
  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches(LINKS) || !target.matches(":focus-visible")) return;
    row = -1;
    open(target);
  });
  document.addEventListener("focusout", ({ target }) => target === asked && close());
  for (const name of ["scroll", "resize"]) addEventListener(name, () => isOpen() && place(), { passive: true });
  box.addEventListener("toggle", () => isOpen() || asked?.removeAttribute("aria-describedby"));

  // Sphinx takes Escape for itself and forbids what the browser would do. It stays with the link it was pressed on.
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    event.stopImmediatePropagation();
    box.hidePopover();
  }, true);
}
