/* Boxes of code and tables: a button that copies, and a place in the tab order only for what scrolls.

   Without this script pages read the same: a box that may scroll can be focused, and nothing can be copied by
   a button. */

const STAYS = 2000; // milliseconds for which a button says what it did

/* The code in a box as one would type it: without line numbers, prompts, and what a program answered. */
function codeIn(scroll) {
  const copy = scroll.cloneNode(true);
  for (const number of copy.querySelectorAll(".linenos, .linenodiv")) number.remove();
  const text = () => (copy.querySelector("td.code pre, pre") ?? copy).textContent;
  if (!copy.querySelector(".gp")) return text().trimEnd();
  // A session: prompts and answers are marked by letters that nobody types, so that lines can be told apart.
  for (const prompt of copy.querySelectorAll(".gp")) prompt.textContent = "\u0001";
  for (const answer of copy.querySelectorAll(".go, .gt, .gr")) answer.prepend("\u0002");
  return typedIn(text().split("\n")).join("\n").trimEnd();
}

/* The lines of a session that were typed. */
function typedIn(lines) {
  const typed = [];
  let command = ""; // what was typed since nothing was waited for; empty once there is an answer
  let answers = false;
  for (const line of lines) {
    const prompted = line.includes("\u0001");
    if (prompted && (answers || !isOpen(command))) command = "";
    if (prompted) answers = false;
    const first = line.includes("\u0002") && !answers;
    const text = line.replace(/^.*\u0001/, "").replaceAll("\u0002", "");
    const more = first ? goesOn(command, text) : text;
    if (more === undefined) answers = true;
    if (answers) continue;
    typed.push(more);
    command += `${more}\n`;
  }
  return typed;
}

/* The line *text* without the mark of a shell that waits for more, if *command* is continued by it: what follows a
   sign that joins lines, and "> " where something is open. Other lines are answers, also those that begin so. */
function goesOn(command, text) {
  const line = text.replace(/^>>? ?/, "");
  if (/(?:[|\\`^]|&&)\s*$/.test(command) || (line !== text && isOpen(command))) return line;
  return undefined;
}

/* Whether a shell waits for more after *command*: a document, a quote, a bracket or a loop has no end yet. */
function isOpen(command) {
  const end = command.match(/<<-?\s*['"]?(\w+)/)?.[1];
  if (end) return !command.split("\n").slice(1).some((line) => line.trim() === end);
  const bare = command.replace(/\\./gs, "").replace(/'[^']*'|"[^"]*"/g, "");
  const count = (pattern) => bare.match(pattern)?.length ?? 0;
  const begin = /(?:^|[;|&\n]|\b(?:do|then|else)\s)\s*(?:for|while|until|if|case|select)\s/g;
  return (
    /['"]|[|\\]\s*$|&&\s*$/.test(bare) ||
    count(/[({]/g) > count(/[)}]/g) ||
    count(begin) > count(/(?:^|[;\n])\s*(?:done|fi|esac)\b/g)
  );
}

/* Whether *text* has got onto the clipboard. Pages that were opened from disk or over http have no clipboard to
   ask; there the browser copies what is selected. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const field = document.createElement("textarea");
    field.className = "writing-unseen";
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focused?.focus({ preventScroll: true });
    return done;
  }
}

/* Where a screen reader hears what happened; it must be there before that. */
const voice = document.createElement("span");
voice.className = "writing-unseen";
voice.setAttribute("role", "status");

/* A button for one box: the first part that scrolls, not the output below it. */
function addButton(box) {
  const scroll = box.querySelector(":scope > .writing-scroll:not(.writing-output)");
  const head = box.querySelector(":scope > .writing-code-head, :scope > .code-block-caption");
  if (!scroll || !head) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "writing-copy";
  let waiting;
  const say = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", `${word}: ${scroll.dataset.name}`);
  };
  say("Copy");
  button.addEventListener("click", async () => {
    const word = (await copied(codeIn(scroll))) ? "Copied" : "Not copied";
    say(word);
    voice.textContent = word;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      say("Copy");
      voice.textContent = "";
    }, STAYS);
  });
  head.append(button);
}

/* Whether the first column of a table leaves room enough beside it to stay in sight. */
function leavesRoom(table, width) {
  const first = table.rows[table.rows.length - 1]?.cells[0];
  return first && !table.querySelector("[rowspan]") && table.rows[0].cells.length > 2 && first.offsetWidth * 3 < width;
}

/* A box is focusable and named only while something in it is out of sight. */
function measure(box) {
  const scrolls = box.scrollWidth > box.clientWidth + 1;
  box.classList.toggle("writing-scrolls", scrolls);
  for (const [name, value] of [["tabindex", "0"], ["role", box.dataset.role], ["aria-label", box.dataset.name]]) {
    if (scrolls) box.setAttribute(name, value);
    else box.removeAttribute(name);
  }
  const table = box.querySelector(":scope > table");
  table?.classList.toggle("writing-sticky", scrolls && leavesRoom(table, box.clientWidth));
}

document.querySelectorAll(".writing-math > .katex-display").forEach((formula, i) => {
  formula.dataset.role = "group";
  formula.dataset.name = `Formula ${i + 1}`;
});
const boxes = document.querySelectorAll(".writing-scroll, .writing-math > .katex-display");
const watch = new ResizeObserver((entries) => {
  for (const box of new Set(entries.map(({ target }) => target.closest("[data-role]")))) measure(box);
});
for (const box of boxes) {
  watch.observe(box);
  if (box.firstElementChild) watch.observe(box.firstElementChild); // it grows when a font arrives
}
document.querySelectorAll(".writing-code").forEach(addButton);
document.body.append(voice);
