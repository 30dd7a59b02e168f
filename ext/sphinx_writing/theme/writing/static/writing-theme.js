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
