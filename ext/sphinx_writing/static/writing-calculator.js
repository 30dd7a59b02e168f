/* Computes the calculators of a page, as the build has computed the table below each of them.

   An expression is the tree that the build parsed: a number, a name, or an operation and what it is of. What is
   no finite number has no value, and neither has what uses it. Nothing in the page is run as code. Loaded with
   "defer", so the page has been read when this runs. */
"use strict";
{
  const ANNOUNCED_AFTER = 700; // ms: a screen reader hears of the results once the typing has paused
  const WRITTEN_AFTER = 250; // ms: browsers refuse to change the address at every keystroke
  const LARGEST_EXPONENT = 256; // whole exponents up to this one are multiplied out, as in the build
  const NOTHING = "–";

  const power = (base, exponent) => {
    if (exponent !== Math.floor(exponent) || Math.abs(exponent) > LARGEST_EXPONENT) return base ** exponent;
    let made = 1;
    for (let left = Math.abs(exponent); left; left = Math.floor(left / 2), base *= base) {
      if (left % 2) made *= base;
    }
    return exponent < 0 ? 1 / made : made;
  };

  const remainder = (a, b) => {
    const left = a % b;
    return left && left < 0 !== b < 0 ? left + b : left;
  };

  const wholeQuotient = (a, b) => {
    const quotient = (a - remainder(a, b)) / b;
    const down = Math.floor(quotient);
    return quotient - down > 0.5 ? down + 1 : down;
  };

  /** To the next whole number, and from the middle to the even one. */
  const round = (a) => {
    const down = Math.floor(a);
    const rest = a - down;
    return rest < 0.5 || (rest === 0.5 && down % 2 === 0) ? down : down + 1;
  };

  /** A logarithm that is exact for whole powers of its base: it is often rounded up or down. */
  const logarithm = (base, log) => (x) => {
    const near = round(log(x));
    return power(base, near) === x ? near : log(x);
  };

  const OPERATIONS = {
    "+": (a, b) => a + b,
    "-": (a, b) => a - b,
    "*": (a, b) => a * b,
    "/": (a, b) => a / b,
    "//": wholeQuotient,
    "%": remainder,
    "**": power,
    neg: (a) => -a,
    none: () => NaN,
    "<": (a, b) => Number(a < b),
    "<=": (a, b) => Number(a <= b),
    ">": (a, b) => Number(a > b),
    ">=": (a, b) => Number(a >= b),
    "==": (a, b) => Number(a === b),
    "!=": (a, b) => Number(a !== b),
    abs: Math.abs,
    ceil: Math.ceil,
    exp: Math.exp,
    floor: Math.floor,
    ln: Math.log,
    log10: logarithm(10, Math.log10),
    log2: logarithm(2, Math.log2),
    max: Math.max,
    min: Math.min,
    round,
    sqrt: Math.sqrt,
  };

  class NoValue extends Error {}

  const finite = (value) => {
    if (!Number.isFinite(value)) throw new NoValue();
    return value;
  };

  /** The value of `tree`, where `known` has those of names. */
  const valueOf = (tree, known) => {
    if (typeof tree === "number") return tree;
    if (typeof tree === "string") return finite(known.get(tree));
    const [name, ...parts] = tree;
    if (name === "if") return valueOf(valueOf(parts[0], known) !== 0 ? parts[1] : parts[2], known);
    return finite(OPERATIONS[name](...parts.map((part) => valueOf(part, known))));
  };

  /** The same, NaN where there is none. */
  const evaluate = (tree, known) => {
    try {
      return valueOf(tree, known);
    } catch (error) {
      if (error instanceof NoValue) return NaN;
      throw error;
    }
  };

  /** `value`, not negative, with so many `places`; a number in the middle goes to the even one, as in Python. */
  const fixed = (value, places) => {
    const exact = value.toFixed(100);
    const end = exact.length - 100 + places;
    const kept = exact.slice(0, places ? end : end - 1);
    return /^50*$/.test(exact.slice(end)) && "02468".includes(kept.at(-1)) ? kept : value.toFixed(places);
  };

  /** `value` as the build prints it: whole numbers in full, others in so many significant `digits`. */
  const shown = (value, digits) => {
    if (Number.isNaN(value)) return NOTHING;
    const size = Math.abs(value);
    if (size === 0) return "0";
    const sign = value < 0 ? "−" : "";
    if (size <= 1e-15 || size >= 1e21) {
      return sign + size.toExponential(digits - 1).replace(/e([+-])(\d)$/, "e$10$2");
    }
    const exponent = Number(size.toExponential().split("e")[1]);
    const places = Number.isInteger(size) ? 0 : Math.max(0, digits - 1 - exponent);
    const text = fixed(size, places);
    const [whole, part = ""] = text.split(".");
    const grouped = Number(text) >= 10000 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
    const rest = part.replace(/0+$/, "");
    const number = rest ? `${grouped}.${rest}` : grouped;
    return /[1-9]/.test(number) ? sign + number : number;
  };

  class Calculator {
    constructor(form) {
      const box = form.closest(".writing-calculator");
      const data = JSON.parse(form.dataset.writingCalculator);
      this.form = form;
      this.place = box.id;
      this.choices = data.choices;
      this.presets = data.presets;
      this.outputs = data.outputs.map(([name, digits, tree]) => ({ name, digits, tree, element: form.elements[name] }));
      this.fields = [...form.querySelectorAll(":is(input, select)[name]")];
      this.preset = form.querySelector("select:not([name])");
      this.fold = box.querySelector(".writing-calculator-fold");
      this.table = box.querySelector(".writing-calculator-table");
      this.status = form.querySelector("[role=status]");
    }

    start() {
      this.read();
      this.form.addEventListener("input", (event) => this.changed(event.target));
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.form.addEventListener("reset", () => setTimeout(() => this.changed())); // once the fields are as they were
      this.fold?.addEventListener("click", () => this.unfold(this.fold.ariaExpanded !== "true"));
      if (this.fold) this.fold.hidden = false;
      this.unfold(false);
      this.form.hidden = false;
      this.update();
    }

    unfold(open) {
      if (this.fold) this.fold.ariaExpanded = open;
      this.table.classList.toggle("writing-calculator-folded", !open);
    }

    changed(field) {
      if (field && field === this.preset) this.choose(this.presets[field.value]);
      this.update();
      clearTimeout(this.saying);
      clearTimeout(this.writing);
      this.saying = setTimeout(() => this.say(), ANNOUNCED_AFTER);
      this.writing = setTimeout(() => this.write(), WRITTEN_AFTER);
    }

    /** Set the fields that `preset` names. */
    choose(preset = {}) {
      for (const field of this.fields) if (field.name in preset) field.value = preset[field.name];
    }

    /** Compute and show all outputs, and say what is wrong with an input. */
    update() {
      const known = new Map(this.fields.map((field) => [field.name, this.numberOf(field)]));
      for (const { name, digits, tree, element } of this.outputs) {
        const value = evaluate(tree, known);
        known.set(name, value);
        const data = element.querySelector("data");
        data.value = Number.isNaN(value) ? "" : String(value);
        data.textContent = shown(value, digits);
        element.classList.toggle("writing-calculator-none", Number.isNaN(value));
      }
      if (this.preset) {
        const same = (preset) => this.fields.every((field) => this.isSame(field, preset[field.name]));
        const index = this.presets.findIndex(same);
        this.preset.value = index < 0 ? "" : String(index);
      }
    }

    isSame(field, value) {
      return field.type === "number" ? field.value !== "" && Number(field.value) === Number(value) : field.value === value;
    }

    /** The number in `field`; NaN, and a word of what is expected below it, where it is none that is allowed. */
    numberOf(field) {
      if (field.type !== "number") return this.choices[field.name][field.value];
      const valid = field.validity.valid;
      const fault = document.getElementById(field.getAttribute("aria-describedby"));
      const said = valid ? "" : this.expected(field);
      if (fault.textContent !== said) fault.textContent = said;
      if (valid) field.removeAttribute("aria-invalid");
      else field.setAttribute("aria-invalid", "true");
      return valid ? Number(field.value) : NaN;
    }

    expected({ min, max, step }) {
      const [low, high] = [min, max].map((end) => shown(Number(end), 15));
      if (step === "any") return `A number from ${low} to ${high}`;
      return step === "1" && Number.isInteger(Number(min))
        ? `A whole number from ${low} to ${high}`
        : `From ${low} to ${high} in steps of ${shown(Number(step), 15)}`;
    }

    say() {
      const said = ({ element }) => `${element.previousElementSibling.textContent}: ${element.textContent}`;
      this.status.textContent = this.outputs.map(said).join(", ");
    }

    /** Set what the address says; what it says that no field takes is passed over. */
    read() {
      const query = new URLSearchParams(location.search);
      for (const field of this.fields) {
        const value = query.get(`${this.place}.${field.name}`);
        if (value === null) continue;
        if (field.type === "number" || [...field.options].some((option) => option.value === value)) field.value = value;
      }
    }

    /** Put what is set into the address, so that it can be linked; what is as at first is left out. */
    write() {
      const address = new URL(location.href);
      for (const field of this.fields) {
        const key = `${this.place}.${field.name}`;
        const first = field.defaultValue ?? [...field.options].find((option) => option.defaultSelected)?.value;
        if (this.isSame(field, first) || !field.validity.valid) address.searchParams.delete(key);
        else address.searchParams.set(key, field.value);
      }
      if (address.search !== location.search) address.hash = this.place;
      if (address.href === location.href) return;
      try {
        history.replaceState(history.state, "", address);
      } catch {
        // Some browsers give a page that was opened from disk one address for good; it computes all the same.
      }
    }
  }

  for (const form of document.querySelectorAll("form.writing-calculator-form")) new Calculator(form).start();
}
