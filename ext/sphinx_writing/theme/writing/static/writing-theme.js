// Runs before anything is painted: the theme that the reader chose, else that of the system.
"use strict";

function chosen() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // storage is switched off
  }
}

document.body.dataset.theme = chosen() || "auto";

// Sphinx takes Escape for itself, to end highlighting; what is open over the page is to close by it.
addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && document.querySelector(":is(:popover-open, dialog[open])")) {
      event.stopImmediatePropagation();
    }
  },
  true,
);
