// Dark or light, as the reader chose, and the icon; loaded before anything is shown.
"use strict";

(function () {
  document.head.append(Object.assign(document.createElement("link"), { rel: "icon", href: new URL("icon.svg", document.currentScript.src).href }));
  try {
    const chosen = localStorage.getItem("opspec-theme");
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch {
    // no storage: the system's choice
  }
})();
