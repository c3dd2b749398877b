// Dark or light, as the reader chose; loaded before anything is shown.
"use strict";

(function () {
  try {
    const chosen = localStorage.getItem("opspec-theme");
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch {
    // no storage: the system's choice
  }
})();
